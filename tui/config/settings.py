"""The user's settings, keys and profiles.

An unknown or invalid setting is an error that names the file, the line and the allowed values. A
missing file means the defaults.
"""

import os
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from tui.config.declared import SETTINGS, WEEKDAYS, read_date
from tui.config.profiles import (
    EMBEDDED,
    PROFILE_VARIABLE,
    TABLE,
    Profile,
    UnknownProfile,
    read_profiles,
)
from tui.config.settings_file import (
    BadSetting,
    Rule,
    SettingsFile,
    UnknownSetting,
    flat,
    is_text,
)
from tui.model.standup.window import WorkingDays
from tui.text.dates import Customs


class Settings(NamedTuple):
    """The settings in `config.toml`, with their defaults; `SETTINGS` says what they mean.

    `keys` maps ids of bindings to keys, several separated by commas; `profiles` are the services by
    name.
    """

    theme: str = "callboard-dark"
    density: int = 3
    ascii: bool = False
    animations: bool = False
    dates: str = "relative"
    first_day: str = "mon"
    working_days: tuple[str, ...] = WEEKDAYS[:5]
    holidays: tuple[date, ...] = ()
    standup_minutes: int = 2
    start: str = "last-board"
    default_profile: str = EMBEDDED
    poll_seconds: int = 10
    editor: str = ""
    branch_name: str = "{id}-{slug}"
    keys: Mapping[str, str] = MappingProxyType({})
    profiles: Mapping[str, Profile] = MappingProxyType({})

    @property
    def calendar(self) -> WorkingDays:
        """The working days without the holidays."""
        return WorkingDays(
            frozenset(map(WEEKDAYS.index, self.working_days)), frozenset(self.holidays)
        )

    @property
    def customs(self) -> Customs:
        """How the user writes dates."""
        return Customs(self.dates == "iso", WEEKDAYS.index(self.first_day))

    def profile(self, name: str = "") -> Profile:
        """The profile with this name, or the default. Raises `UnknownProfile`."""
        name = name or self.default_profile
        if name == EMBEDDED:
            return Profile(EMBEDDED)
        if name not in self.profiles:
            raise UnknownProfile(name, [*self.profiles, EMBEDDED])
        return self.profiles[name]


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


_RULES = {name: one.rule for name, one in SETTINGS.items()} | {
    "keys": Rule(_is_table, "a table of its own, [keys]"),
    TABLE: Rule(_is_table, f"tables of their own, [{TABLE}.NAME]"),
}
_WANTED_KEY = 'a key in quotes, such as "ctrl+n", or several such as "n,ctrl+n"'


def load_settings(file: Path, known_keys: Iterable[str] | None = None) -> Settings:
    """The settings in a file; the defaults without one.

    `known_keys` are the ids of bindings, if known; an id may be written with its dot in quotes or
    without. Raises `UnknownSetting`, `BadSetting`, `UnknownProfile` or, if the file cannot be read,
    `SettingsError`.
    """
    return understood(SettingsFile.read(file), known_keys)


def understood(file: SettingsFile, known_keys: Iterable[str] | None = None) -> Settings:
    """The settings in the text of a file; raises as `load_settings` does."""
    values = file.values()
    file.check(values, _RULES)
    keys = dict(flat(values.pop("keys", {})))
    known = list(keys if known_keys is None else known_keys)
    for name, value in keys.items():
        if name not in known:
            raise UnknownSetting(name, known, file.place(name))
        if not is_text(value):
            raise BadSetting(name, file.place(name), _WANTED_KEY)
    profiles = read_profiles(values.pop(TABLE, {}), file)
    default = values.get("default_profile", EMBEDDED)
    if default not in {EMBEDDED, *profiles}:
        where = f", which {file.place('default_profile')} names"
        raise UnknownProfile(default, [*profiles, EMBEDDED], where)
    if "working_days" in values:
        values["working_days"] = tuple(values["working_days"])
    if "holidays" in values:
        values["holidays"] = tuple(filter(None, map(read_date, values["holidays"])))
    return Settings(**values, keys=keys, profiles=profiles)


def chosen_name(named: str, settings: Settings) -> str:
    """The given name, else that in the environment, else the default of the settings."""
    return named or os.environ.get(PROFILE_VARIABLE, "").strip() or settings.default_profile
