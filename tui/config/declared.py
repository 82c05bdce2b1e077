"""The settings that can be written in `config.toml`: one declaration each.

From them follow the check of the file, the settings screen, `callboard settings` and the table in
the README.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple

from tui.config.settings_file import Rule, is_switch, is_text

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DATES = ("relative", "iso")
STARTS = ("last-board", "boards", "my-work", "standup")

_PLACEHOLDERS = ("{id}", "{slug}")
_BRANCH = re.compile(r"(?![/.-])(?!.*(?://|\.\.|@\{))[\w./+@-]+(?<![/.])")
"""What a pattern may be with its placeholders filled in, to be the name of a git branch."""


class Setting(NamedTuple):
    """The declaration of a setting; its default is that of the field in `Settings`.

    `about` is a sentence about it without its full stop. Of `choices`, one is the value. One that
    is read at the start takes effect when the program is started again.
    """

    section: str
    about: str
    rule: Rule
    choices: tuple[Any, ...] = ()
    is_read_at_start: bool = False


def _one_of(*choices: object) -> Callable[[Any], bool]:
    return lambda value: any(type(value) is type(one) and value == one for one in choices)


def _within(first: int, last: int) -> Rule:
    return Rule(
        lambda value: type(value) is int and first <= value <= last,
        f"a whole number from {first} to {last}",
    )


def _are_weekdays(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(day in WEEKDAYS for day in value)


def _are_dates(value: Any) -> bool:
    return isinstance(value, list) and all(read_date(day) is not None for day in value)


def read_date(value: Any) -> date | None:
    """A date in quotes, or as TOML has it without."""
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return None
    return value if type(value) is date else None


def _is_branch(value: Any) -> bool:
    if not is_text(value) or "{id}" not in value:
        return False
    for each in _PLACEHOLDERS:
        value = value.replace(each, "1")
    return _BRANCH.fullmatch(value) is not None and not value.endswith(".lock")


def _is_line(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable()


_SWITCH = Rule(is_switch, "true or false")
_LOOKS, _TIME, _START, _TEXT = "Appearance", "Dates and standup", "Start and service", "Text"

SETTINGS: Mapping[str, Setting] = {
    "theme": Setting(
        _LOOKS, "the colours", Rule(is_text, 'the name of a theme in quotes, as "callboard-dark"')
    ),
    "density": Setting(
        _LOOKS,
        "lines of a card, unless ctrl+e chose others",
        Rule(_one_of(1, 2, 3), "1, 2 or 3, the lines of a card"),
        (1, 2, 3),
    ),
    "ascii": Setting(_LOOKS, "draw with ASCII signs only", _SWITCH),
    "animations": Setting(_LOOKS, "scroll smoothly in dialogs", _SWITCH),
    "dates": Setting(
        _TIME,
        "as fri and 2d late, or as 2026-12-12",
        Rule(_one_of(*DATES), '"relative" or "iso"'),
        DATES,
        is_read_at_start=True,
    ),
    "first_day": Setting(
        _TIME,
        "the day on which a week begins",
        Rule(_one_of(*WEEKDAYS), f"a day in quotes, one of {', '.join(WEEKDAYS)}"),
        WEEKDAYS,
        is_read_at_start=True,
    ),
    "working_days": Setting(
        _TIME,
        "a standup goes back to the last of these",
        Rule(_are_weekdays, f'a list of days in quotes, of {", ".join(WEEKDAYS)}: ["mon", "tue"]'),
    ),
    "holidays": Setting(
        _TIME,
        "days on which nobody works",
        Rule(_are_dates, 'a list of dates in quotes, such as ["2026-12-25"]'),
    ),
    "standup_minutes": Setting(_TIME, "minutes a speaker has, unless set there", _within(1, 60)),
    "start": Setting(
        _START,
        "what the program opens",
        Rule(_one_of(*STARTS), "one of " + ", ".join(f'"{one}"' for one in STARTS)),
        STARTS,
        is_read_at_start=True,
    ),
    "default_profile": Setting(
        _START,
        "the profile that opens when none is named",
        Rule(is_text, "the name of a profile in quotes"),
        is_read_at_start=True,
    ),
    "poll_seconds": Setting(
        _START,
        "seconds between looks for news, at least",
        _within(5, 600),
        is_read_at_start=True,
    ),
    "editor": Setting(
        _TEXT,
        "for texts, else $VISUAL or $EDITOR",
        Rule(_is_line, 'a command in quotes, such as "nano", or "" for $VISUAL or $EDITOR'),
        is_read_at_start=True,
    ),
    "branch_name": Setting(
        _TEXT,
        "git branch of a card: id, words of title",
        Rule(_is_branch, 'the name of a branch with {id} in it, such as "{id}-{slug}"'),
    ),
}
