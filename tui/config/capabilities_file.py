"""The file of a profile with its service's address and capabilities.

It holds no credentials.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tui.config.paths import JsonFile
from tui.config.profiles import Profile


class CapabilitiesFile:
    """The file `service.json` of a profile; in memory only without a path."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = JsonFile(path)

    @property
    def address(self) -> str:
        """The address of the service to which the profile's files belong; empty if not known."""
        return self._file.get("url", "")

    @property
    def capabilities(self) -> Mapping[str, Any]:
        return self._file.get("capabilities", dict[str, Any]())

    def user_id(self, profile: Profile) -> int | None:
        user_id = self.capabilities.get("user_id")
        is_known = self.capabilities.get("user_login") == profile.login and type(user_id) is int
        return user_id if is_known else None

    def is_administrator(self, profile: Profile) -> bool | None:
        is_administrator = self.capabilities.get("is_administrator")
        is_known = self.user_id(profile) is not None and isinstance(is_administrator, bool)
        return is_administrator if is_known else None

    def knows_account(self, profile: Profile) -> bool:
        """Whether the user's id is known, and also their rights, as far as the service tells."""
        was_asked = self.capabilities.get("was_asked_rights") is True
        has_rights = was_asked or self.is_administrator(profile) is not None
        return self.user_id(profile) is not None and has_rights

    def is_about(self, profile: Profile) -> bool:
        """Whether the file is about the profile's service and login, or about none yet."""
        service = self.address, self._file.get("login", "")
        return service in {("", ""), (profile.url, profile.login)}

    def begin(self, profile: Profile) -> bool:
        """Store the service of the profile; False if the file is about another one."""
        if not self.address:
            self._file.values = {"url": profile.url, "login": profile.login}
            self._file.write()
        return self.is_about(profile)

    def keep(self, capabilities: Mapping[str, Any]) -> None:
        # Only the capabilities are replaced; another program may have written the rest.
        self._file.read()
        self._file.values["capabilities"] = dict(capabilities)
        self._file.write()
