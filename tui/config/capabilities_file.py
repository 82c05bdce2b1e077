"""The file of a profile that remembers which service it is, and what that can do.

It is never needed: a damaged file is as good as an empty one. It is written whole or not at all,
and holds no credentials.
"""

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tui.config.profiles import Profile


class CapabilitiesFile:
    """The file `service.json` of a profile, or without a path nothing but what is kept here."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._values: dict[str, Any] = {}
        if path is None:
            return
        with contextlib.suppress(OSError, ValueError, RecursionError):
            read = json.loads(path.read_text(encoding="utf-8"))
            self._values = read if isinstance(read, dict) else {}

    @property
    def address(self) -> str:
        """The address of the service that the files of the profile are about, empty if unknown."""
        return self._text("url")

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """What the service was found to offer."""
        kept = self._values.get("capabilities")
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
            self._values = {"url": profile.url, "login": profile.login}
            self._write()

    def keep(self, capabilities: Mapping[str, Any]) -> None:
        """Remember what the service was found to offer."""
        self._values["capabilities"] = dict(capabilities)
        self._write()

    def _text(self, name: str) -> str:
        value = self._values.get(name)
        return value if isinstance(value, str) else ""

    def _write(self) -> None:
        if self._path is None:
            return
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            beside.touch(mode=0o600)
            beside.write_text(json.dumps(self._values), encoding="utf-8")
            beside.replace(self._path)
