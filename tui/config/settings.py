"""The user's settings: appearance, keys and profiles.

An unknown or invalid setting is an error that names the file, the line and the allowed values. A
missing file means the defaults.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

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
    is_switch,
    is_text,
)
from tui.model.standup.window import WorkingDays

DENSITIES = range(1, 4)
POLL_SECONDS = range(5, 601)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Settings(NamedTuple):
    """The settings in `config.toml`, with their defaults.

    `density` is the number of lines of a card; `ascii` restricts symbols to ASCII; `poll_seconds`
    is the shortest pause between polls; `keys` maps ids of bindings to keys, several separated by
    commas; `profiles` are the services by name. `working_days` has the holidays as well.
    """

    density: int = 3
    theme: str = "callboard-dark"
    ascii: bool = False
    poll_seconds: int = 10
    default_profile: str = EMBEDDED
    working_days: WorkingDays = WorkingDays()
    keys: Mapping[str, str] = MappingProxyType({})
    profiles: Mapping[str, Profile] = MappingProxyType({})

    def profile(self, name: str = "") -> Profile:
        """The profile with this name, or the default. Raises `UnknownProfile`."""
        name = name or self.default_profile
        if name == EMBEDDED:
            return Profile(EMBEDDED)
        if name not in self.profiles:
            raise UnknownProfile(name, [*self.profiles, EMBEDDED])
        return self.profiles[name]


def _one_of(numbers: range) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and value in numbers


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


def _are_weekdays(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(day in _WEEKDAYS for day in value)


def _are_dates(value: Any) -> bool:
    return isinstance(value, list) and all(_date(day) is not None for day in value)


def _date(value: Any) -> date | None:
    """A date in quotes, or as TOML has it without."""
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return None
    return value if type(value) is date else None


_RULES = {
    "density": Rule(_one_of(DENSITIES), "1, 2 or 3, the lines of a card"),
    "theme": Rule(is_text, 'the name of a theme in quotes, such as "callboard-dark"'),
    "ascii": Rule(is_switch, "true or false"),
    "poll_seconds": Rule(
        _one_of(POLL_SECONDS), f"a whole number from {POLL_SECONDS[0]} to {POLL_SECONDS[-1]}"
    ),
    "default_profile": Rule(is_text, "the name of a profile in quotes"),
    "working_days": Rule(
        _are_weekdays, f'a list of days in quotes, of {", ".join(_WEEKDAYS)}: ["mon", "tue"]'
    ),
    "holidays": Rule(_are_dates, 'a list of dates in quotes, such as ["2026-12-25"]'),
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
    keys = dict(_flat(values.pop("keys", {})))
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
    days = WorkingDays(
        frozenset(map(_WEEKDAYS.index, values.pop("working_days", _WEEKDAYS[:5]))),
        frozenset(filter(None, map(_date, values.pop("holidays", ())))),
    )
    return Settings(**values, working_days=days, keys=keys, profiles=profiles)


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The values of a table by full name: TOML makes nested tables of dotted names."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value


def chosen_name(named: str, settings: Settings) -> str:
    """The given name, else that in the environment, else the default of the settings."""
    return named or os.environ.get(PROFILE_VARIABLE, "").strip() or settings.default_profile
