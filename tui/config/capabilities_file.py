"""The file of a profile that remembers which service it is, and what that can do.

It holds no credentials.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tui.config.paths import JsonFile
from tui.config.profiles import Profile


class CapabilitiesFile:
    """The file `service.json` of a profile, or without a path nothing but what is kept here."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = JsonFile(path)

    @property
    def address(self) -> str:
        """The address of the service that the files of the profile are about, empty if unknown."""
        return self._text("url")

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """What the service was found to offer."""
        kept = self._file.values.get("capabilities")
        return kept if isinstance(kept, dict) else {}

    def user_id(self, profile: Profile) -> int | None:
        """The person's user id at the service, if it was found out."""
        user_id = self.capabilities.get("user_id")
        is_known = self.capabilities.get("user_login") == profile.login and type(user_id) is int
        return user_id if is_known else None

    def is_about(self, profile: Profile) -> bool:
        """Whether the service is that of the profile, and the person too; or none is known."""
        known = (self.address, self._text("login"))
        return known in {("", ""), (profile.url, profile.login)}

    def begin(self, profile: Profile) -> None:
        """Remember which service this is about."""
        if not self.address:
            self._file.values = {"url": profile.url, "login": profile.login}
            self._file.write()

    def keep(self, capabilities: Mapping[str, Any]) -> None:
        """Remember what the service was found to offer."""
        self._file.values["capabilities"] = dict(capabilities)
        self._file.write()

    def _text(self, name: str) -> str:
        value = self._file.values.get(name)
        return value if isinstance(value, str) else ""
