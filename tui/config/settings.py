"""The user's settings, keys and profiles.

Each setting that can be written in `config.toml` is declared once: from that follow the check of
the file, the settings screen, `callboard settings` and the table in the help. An unknown or
invalid setting is an error that names the file, the line and the allowed values. A missing file
means the defaults.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from tui.config.profiles import (
    EMBEDDED,
    PROFILE_VARIABLE,
    TABLE,
    Profile,
    UnknownProfile,
    is_command,
    read_profile,
)
from tui.config.settings_file import (
    SWITCH,
    BadSetting,
    Rule,
    SettingsFile,
    UnknownSetting,
    flat,
    is_text,
)
from tui.model.standup.window import WorkingDays
from tui.text.dates import Customs, wall_clock

if TYPE_CHECKING:
    from tui.config.own_commands import OwnCommand
    from tui.config.themes import OwnTheme

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DATES = ("relative", "iso")
WAYS = ("off", "auto", "bell", "osc9", "osc777", "osc99", "command")
REASONS = ("assigned", "mentioned", "replied", "due")
STARTS = ("last-board", "boards", "my-work", "standup")

_WEEKDAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WAY_NAMES = {"auto": "automatic", "osc9": "OSC 9", "osc777": "OSC 777", "osc99": "OSC 99"}
_BRANCH = r"(?![/.-])(?!.*(?://|\.\.|@\{))[\w./+@-]+(?<![/.])"
"""The name of a git branch, with its placeholders filled in."""


class Setting(NamedTuple):
    """The declaration of a setting; its default is that of the field in `Settings`.

    `title` is its name on the screen, `about` a sentence about it without its full stop. The value
    is one of `choices`, if there are any, and a list is of `items`: each with its name. `blank` is
    the name of no value. A setting that is read at the start takes effect at the next start.
    """

    section: str
    title: str
    about: str
    rule: Rule
    choices: Mapping[Any, str] = MappingProxyType({})
    items: Mapping[str, str] = MappingProxyType({})
    blank: str = "none"
    is_read_at_start: bool = False

    def in_words(self, value: Any) -> str:
        """A value of it, for the user."""
        if isinstance(value, tuple):
            words = ", ".join(map(self._item_in_words, value))
        elif isinstance(value, bool):
            words = "on" if value else "off"
        else:
            words = self.choices.get(value, str(value))
        return words or self.blank

    def choices_in_words(self, spelt: Callable[[Any], str]) -> str:
        """The choices as `spelt` in the file, each with its name if that is another."""
        return ", ".join(
            spelt(choice) if choice == name else f"{spelt(choice)} {name}"
            for choice, name in self.choices.items()
        )

    def _item_in_words(self, item: str | date) -> str:
        if isinstance(item, date):
            return f"{item.day} {item:%b %Y}"
        return self.items.get(item, item)


def _one_of(*choices: object) -> Callable[[Any], bool]:
    # The types, too: in Python `True == 1`.
    return lambda value: any(type(value) is type(choice) and value == choice for choice in choices)


def _within(first: int, last: int) -> Rule:
    return Rule(
        lambda value: type(value) is int and first <= value <= last,
        f"a whole number from {first} to {last}",
    )


def _some_of(choices: Sequence[str]) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, list) and bool(value) and all(item in choices for item in value)
    )


def _date(value: Any) -> date | None:
    # In quotes, or as TOML has it without.
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return None
    # A `datetime` is a `date` as well, but not a day.
    return value if type(value) is date else None


def _are_dates(value: Any) -> bool:
    return isinstance(value, list) and all(_date(day) is not None for day in value)


def _is_branch(value: Any) -> bool:
    if not is_text(value) or "{id}" not in value:
        return False
    name = value.replace("{id}", "1").replace("{slug}", "1")
    return re.fullmatch(_BRANCH, name) is not None and not name.endswith(".lock")


_LOOKS, _TIME, _START, _TEXT = "Appearance", "Dates and standup", "Start and service", "Text"
_NOTICES = "Notifications"

SETTINGS: Mapping[str, Setting] = {
    "theme": Setting(
        _LOOKS,
        "Theme",
        "colours of the program",
        Rule(is_text, 'the name of a theme in quotes, as "callboard-dark"'),
    ),
    "density": Setting(
        _LOOKS,
        "Card density",
        "lines per card, unless ctrl+e chose others",
        Rule(_one_of(1, 2, 3, 0), "1, 2 or 3 for the lines of a card, or 0 for automatic"),
        {1: "compact", 2: "normal", 3: "roomy", 0: "automatic"},
    ),
    "ascii": Setting(_LOOKS, "ASCII signs", "use ASCII characters only", SWITCH),
    "animations": Setting(_LOOKS, "Smooth scrolling", "scroll smoothly in dialogs", SWITCH),
    "only_changes": Setting(
        _LOOKS, "Draw only changes", "turn off if old text stays on screen", SWITCH
    ),
    "dates": Setting(
        _TIME,
        "Dates",
        "show dates as fri and 2d overdue, or as 2026-12-12",
        Rule(_one_of(*DATES), '"relative" or "iso"'),
        {"relative": "relative", "iso": "year-month-day"},
        is_read_at_start=True,
    ),
    "first_day": Setting(
        _TIME,
        "First day of the week",
        "where weeks begin",
        Rule(_one_of(*WEEKDAYS), f"a day in quotes, one of {', '.join(WEEKDAYS)}"),
        dict(zip(WEEKDAYS, _WEEKDAY_NAMES, strict=True)),
        is_read_at_start=True,
    ),
    "working_days": Setting(
        _TIME,
        "Working days",
        "a standup goes back to the last one",
        Rule(
            _some_of(WEEKDAYS),
            f'a list of days in quotes, of {", ".join(WEEKDAYS)}: ["mon", "tue"]',
        ),
        items={day: day.capitalize() for day in WEEKDAYS},
    ),
    "holidays": Setting(
        _TIME,
        "Holidays",
        "days off",
        Rule(_are_dates, 'a list of dates in quotes, such as ["2026-12-25"]'),
    ),
    "standup_minutes": Setting(
        _TIME, "Minutes per speaker", "time for each person in a standup", _within(1, 60)
    ),
    "agent_minutes": Setting(
        _TIME,
        "Minutes until an agent is silent",
        "an agent without progress for so long is shown in yellow",
        _within(1, 1440),
    ),
    "start": Setting(
        _START,
        "Start screen",
        "what opens at the start",
        Rule(_one_of(*STARTS), "one of " + ", ".join(f'"{start}"' for start in STARTS)),
        {start: start.replace("-", " ") for start in STARTS},
        is_read_at_start=True,
    ),
    "last_frame": Setting(
        _START, "Last screen at start", "show it at once while the program starts", SWITCH
    ),
    "default_profile": Setting(
        _START,
        "Default profile",
        "profile to open when none is named",
        Rule(is_text, "the name of a profile in quotes"),
        is_read_at_start=True,
    ),
    "poll_seconds": Setting(
        _START,
        "Seconds between updates",
        "how often others’ changes are fetched",
        _within(5, 600),
        is_read_at_start=True,
    ),
    "editor": Setting(
        _TEXT,
        "Text editor",
        "program that opens long texts",
        Rule(
            lambda value: isinstance(value, str) and value.isprintable(),
            'a command in quotes, such as "nano", or "" for $VISUAL or $EDITOR',
        ),
        blank="$VISUAL or $EDITOR",
        is_read_at_start=True,
    ),
    "branch_name": Setting(
        _TEXT,
        "Branch name",
        "name of a card’s git branch: id and title",
        Rule(_is_branch, 'the name of a branch with {id} in it, such as "{id}-{slug}"'),
    ),
    "notify": Setting(
        _NOTICES,
        "Notifications",
        "how to notify you of updates to cards not on screen",
        Rule(_one_of(*WAYS), "one of " + ", ".join(f'"{way}"' for way in WAYS)),
        {way: _WAY_NAMES.get(way, way) for way in WAYS},
    ),
    "notify_of": Setting(
        _NOTICES,
        "Notify about",
        "due means within the hour",
        Rule(_some_of(REASONS), f'a list in quotes, of {", ".join(REASONS)}: ["mentioned"]'),
    ),
    "notify_command": Setting(
        _NOTICES,
        "Notification command",
        "run for “command”, with the text as last argument",
        Rule(
            lambda value: value == "" or is_command(value),
            'a command in quotes, or a list of its words, such as "notify-send Callboard"',
        ),
    ),
}


class Settings(NamedTuple):
    """The settings in `config.toml`, with their defaults; `SETTINGS` says what they mean.

    `keys` maps ids of bindings to keys, several separated by commas; `profiles` are the services by
    name, `themes` and `commands` the user's own ones.
    """

    theme: str = "callboard-dark"
    density: int = 0
    ascii: bool = False
    animations: bool = False
    only_changes: bool = True
    dates: str = "relative"
    first_day: str = "mon"
    working_days: tuple[str, ...] = WEEKDAYS[:5]
    holidays: tuple[date, ...] = ()
    standup_minutes: int = 2
    agent_minutes: int = 15
    start: str = "last-board"
    last_frame: bool = True
    default_profile: str = EMBEDDED
    poll_seconds: int = 10
    editor: str = ""
    branch_name: str = "{id}-{slug}"
    notify: str = "off"
    notify_of: tuple[str, ...] = REASONS
    notify_command: str = ""
    keys: Mapping[str, str] = MappingProxyType({})
    profiles: Mapping[str, Profile] = MappingProxyType({})
    themes: Mapping[str, "OwnTheme"] = MappingProxyType({})
    commands: Mapping[str, "OwnCommand"] = MappingProxyType({})

    @property
    def calendar(self) -> WorkingDays:
        """The working days without the holidays."""
        return WorkingDays(
            frozenset(map(WEEKDAYS.index, self.working_days)), frozenset(self.holidays)
        )

    @property
    def customs(self) -> Customs:
        """How dates are written from now on; the year is that of now."""
        return Customs(self.dates == "iso", WEEKDAYS.index(self.first_day), year=wall_clock().year)

    def profile(self, name: str = "") -> Profile:
        """The profile with this name, or the default. Raises `UnknownProfile`."""
        name = name or self.default_profile
        if name == EMBEDDED:
            return Profile(EMBEDDED)
        if name not in self.profiles:
            raise UnknownProfile(name, [*self.profiles, EMBEDDED])
        return self.profiles[name]


_THEMES, _COMMANDS = "themes", "commands"
_RULES = {name: setting.rule for name, setting in SETTINGS.items()} | {
    "keys": Rule(lambda value: isinstance(value, dict), "a table of its own, [keys]"),
    TABLE: Rule(lambda value: isinstance(value, dict), f"tables of their own, [{TABLE}.NAME]"),
    **{
        name: Rule(lambda value: isinstance(value, dict), f"tables of their own, [{name}.NAME]")
        for name in (_THEMES, _COMMANDS)
    },
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
    ids = list(keys if known_keys is None else known_keys)
    for name, value in keys.items():
        if name not in ids:
            raise UnknownSetting(name, ids, file.place(name))
        if not is_text(value):
            raise BadSetting(name, file.place(name), _WANTED_KEY)
    tables = values.pop(TABLE, {})
    profiles = {name: read_profile(name, table, file) for name, table in tables.items()}
    themes: Mapping[str, OwnTheme] = {}
    if declared := values.pop(_THEMES, None):
        from tui.config.themes import read_themes

        themes = read_themes(declared, file)
    commands: Mapping[str, OwnCommand] = {}
    if declared := values.pop(_COMMANDS, None):
        from tui.config.own_commands import read_commands

        commands = read_commands(declared, file)
    default = values.get("default_profile", EMBEDDED)
    if default not in {EMBEDDED, *profiles}:
        where = f", which {file.place('default_profile')} names"
        raise UnknownProfile(default, [*profiles, EMBEDDED], where)
    for name in {"working_days", "notify_of"} & values.keys():
        values[name] = tuple(values[name])
    if isinstance(command := values.get("notify_command"), list):
        import shlex

        values["notify_command"] = shlex.join(command)
    if "holidays" in values:
        values["holidays"] = tuple(filter(None, map(_date, values["holidays"])))
    return Settings(**values, keys=keys, profiles=profiles, themes=themes, commands=commands)


def chosen_name(named: str, settings: Settings) -> str:
    """The given name, else that in the environment, else the default of the settings."""
    return named or os.environ.get(PROFILE_VARIABLE, "").strip() or settings.default_profile
