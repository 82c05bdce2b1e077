"""How a board of Obsidian writes its dates: the signs before them, and their formats.

They are in the block of settings at the end of a board, or in its front matter. The formats are
those of Moment.js, which ignores what separates the parts.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache

from tui.text.dates import END_OF_WORK, FIRST_YEAR, LAST_YEAR
from tui.transfer.moments import clock, moment, month_called

SETTINGS = ("date-trigger", "time-trigger", "date-format", "time-format")
_CLOCKS = ("H:mm", "h:mm A")
_TOKEN = re.compile(
    r"\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM?|Do|DD?|dddd|ddd|HH?|hh?|mm?|ss?|[Aa]|.", re.DOTALL
)
_PATTERNS = {
    **dict.fromkeys(("YYYY", "YY"), r"(?P<year>\d{4}|\d\d)"),
    **dict.fromkeys(("MMMM", "MMM"), r"(?P<name>[A-Za-z]{3,9})\.?"),
    **dict.fromkeys(("MM", "M"), r"(?P<month>\d\d?)"),
    **dict.fromkeys(("DD", "D"), r"(?P<day>\d\d?)"),
    "Do": r"(?P<day>\d\d?)(?:st|nd|rd|th)",
    **dict.fromkeys(("dddd", "ddd"), r"\w+"),
    **dict.fromkeys(("HH", "H", "hh", "h"), r"(?P<hour>\d\d?)"),
    **dict.fromkeys(("mm", "m"), r"(?P<minute>\d\d?)"),
    **dict.fromkeys(("ss", "s"), r"\d\d?"),
    **dict.fromkeys(("A", "a"), r"(?P<half>[AaPp])[Mm]"),
}
_BETWEEN = r"[^0-9A-Za-z]*"
_NOON = 12


@dataclass(frozen=True, slots=True)
class DateStyle:
    """What stands before a date and a time in a card, and their formats; empty for ISO 8601."""

    date_trigger: str = "@"
    time_trigger: str = "@@"
    date_format: str = ""
    time_format: str = ""

    def day(self, words: str) -> datetime | None:
        """A date in braces."""
        return self._by_format(words) or moment(words)

    def linked_day(self, link: str) -> datetime | None:
        """A date that is the name of a note, which may have a path, and another text."""
        target, _, alias = link.partition("|")
        name = target.rpartition("/")[2].removesuffix(".md")
        return next(filter(None, map(self.day, (name, alias))), None)

    def time(self, words: str) -> time | None:
        """A time of day in braces."""
        for form in filter(None, (self.time_format, *_CLOCKS)):
            if parts := _parts(words, form):
                return _time_of(parts)
        return clock(words)

    def _by_format(self, words: str) -> datetime | None:
        parts = _parts(words, self.date_format) if self.date_format else None
        if parts is None or not {"year", "day"} <= parts.keys():
            return None
        year = int(parts["year"])
        year += 2000 if len(parts["year"]) < len("2026") else 0
        month = month_called(parts["name"]) if "name" in parts else int(parts.get("month", "0"))
        try:
            day = date(year, month, int(parts["day"]))
        except ValueError:
            return None
        at = datetime.combine(day, _time_of(parts) or END_OF_WORK)
        return at if FIRST_YEAR <= at.year <= LAST_YEAR else None


def style_in(front: Sequence[str], settings: Sequence[str]) -> DateStyle:
    """The style that the front matter or the settings of a board say."""
    values: dict[str, object] = {}
    for line in front:
        name, _, value = line.partition(":")
        values[name.strip()] = value.strip().strip("\"'")
    try:
        block = json.loads("\n".join(line for line in settings if not line.startswith("```")))
        values |= block if isinstance(block, dict) else {}
    except (ValueError, RecursionError):
        pass
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    usual = DateStyle()
    return DateStyle(
        texts.get("date-trigger", "").strip() or usual.date_trigger,
        texts.get("time-trigger", "").strip() or usual.time_trigger,
        texts.get("date-format", ""),
        texts.get("time-format", ""),
    )


def _time_of(parts: Mapping[str, str]) -> time | None:
    if "hour" not in parts:
        return None
    hour = int(parts["hour"])
    if half := parts.get("half"):
        hour = hour % _NOON + (_NOON if half in "Pp" else 0)
    try:
        return time(hour, int(parts.get("minute", "0")))
    except ValueError:
        return None


def _parts(words: str, form: str) -> Mapping[str, str] | None:
    pattern = _pattern(form)
    match = pattern.fullmatch(words.strip()) if pattern else None
    return {name: text for name, text in match.groupdict().items() if text} if match else None


@cache
def _pattern(form: str) -> re.Pattern[str] | None:
    # None for a format that has a part twice. Separators side by side are one, so that no format
    # takes long to be tried.
    patterns = [""]
    for token in _TOKEN.finditer(form):
        pattern = _PATTERNS.get(token[0], re.escape(token[1] or "") or _BETWEEN)
        if pattern != patterns[-1] or pattern is not _BETWEEN:
            patterns.append(pattern)
    parts = [pattern for pattern in patterns if pattern.startswith(("(?P", r"\w", r"\d"))]
    if len({part.partition(">")[0] for part in parts}) < len(parts):
        return None
    return re.compile("".join(patterns), re.ASCII)
