"""The profile of a command, from settings that are not validated, for commands that must be fast.

Validating the settings takes several times as long, and is left to the other commands.
"""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from tui.config.paths import Places, system_login
from tui.errors import CallboardError

_EMBEDDED = "embedded"


class CachedProfile(NamedTuple):
    """A profile by its name and login, with the id of the user at the service if it is known."""

    places: Places
    name: str
    login: str
    user_id: int | None

    @classmethod
    def find(cls, named: str) -> "CachedProfile":
        """The profile of this name, else that in the environment, else the default.

        Raises `CallboardError` if there is none, or the settings cannot be read.
        """
        places = Places.find()
        values = _settings(places)
        default = str(values.get("default_profile") or _EMBEDDED)
        name = named or os.environ.get("CALLBOARD_PROFILE", "").strip() or default
        if name == _EMBEDDED:
            return cls(places, name, system_login(), None)
        profiles = _table(values, "profiles")
        if name not in profiles:
            from tui.config.profiles import UnknownProfile

            raise UnknownProfile(name, [*profiles, _EMBEDDED])
        login = str(_table(profiles, name).get("login") or "")
        return cls(places, name, login, _user_id(places, name, login))

    @property
    def preferences(self) -> dict[str, dict[str, Any]]:
        """What is set in the program, by board."""
        values = _json(self._folder / "preferences.json")
        return {
            board: preferences
            for board, preferences in values.items()
            if isinstance(preferences, dict)
        }

    @property
    def inbox_entries(self) -> list[dict[str, Any]]:
        """The entries of the inbox, as they are stored."""
        entries = _json(self._folder / "inbox.json").get("entries")
        listed = entries if isinstance(entries, list) else []
        return [entry for entry in listed if isinstance(entry, dict)]

    @property
    def _folder(self) -> Path:
        return self.places.data if self.name == _EMBEDDED else self.places.data / self.name


def profile_names() -> list[str]:
    """The names of all profiles, that of the own boards last."""
    return [*_table(_settings(Places.find()), "profiles"), _EMBEDDED]


def _settings(places: Places) -> dict[str, Any]:
    try:
        text = places.settings.read_text("utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError):
        # TOML allows no NUL, so that a file that cannot be read is reported as an invalid one.
        text = "\0"
    if not text.strip():
        return {}
    # Imported only if there are settings, as prompts and completions wait for it.
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise CallboardError(
            f"the settings in {places.settings} cannot be read.",
            hint="Run callboard settings to see what is wrong.",
        ) from error


def _table(values: dict[str, Any], name: str) -> dict[str, Any]:
    table = values.get(name)
    return table if isinstance(table, dict) else {}


def _user_id(places: Places, name: str, login: str) -> int | None:
    capabilities = _table(_json(places.data / name / "service.json"), "capabilities")
    # The file may be of an earlier login of this profile, whose id is another user's.
    user_id = capabilities.get("user_id")
    return user_id if capabilities.get("user_login") == login and type(user_id) is int else None


def _json(path: Any) -> dict[str, Any]:
    with suppress(OSError, ValueError, RecursionError):
        values = json.loads(path.read_bytes())
        return values if isinstance(values, dict) else {}
    return {}
