"""The view of one speaker: name and time in letters for a room, parked topics, the order."""

import re
from collections.abc import Sequence
from datetime import timedelta

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.widget import Widget

from tui.screens.standup.rows import EVERYTHING, Turn
from tui.text.cells import width as cell_width
from tui.text.fuzzy import fold
from tui.widgets import glyphs
from tui.widgets.bars import Bar
from tui.widgets.painted import Line, Lines, Span

_TALL, _LOW = 34, 20
"""From these heights on there is room for large letters, and for topics and the order."""
_SHORT = timedelta(seconds=20)
"""The time that is left when the timer begins to warn."""
_DRAWN = (
    (
        "A   B   C   D   E   F   G   H   I J   K   L   M    ",
        "▄▀▄ █▀▄ ▄▀▀ █▀▄ █▀▀ █▀▀ ▄▀▀ █ █ █   █ █ █ █   █▄ ▄█",
        "█▀█ █▀▄ █   █ █ █▀  █▀  █ █ █▀█ █ ▄ █ █▀▄ █   █ ▀ █",
        "▀ ▀ ▀▀   ▀▀ ▀▀  ▀▀▀ ▀    ▀▀ ▀ ▀ ▀  ▀  ▀ ▀ ▀▀▀ ▀   ▀",
    ),
    (
        "N    O   P   Q   R   S   T   U   V   W     X   Y   Z  ",
        "█▄ █ ▄▀▄ █▀▄ ▄▀▄ █▀▄ ▄▀▀ ▀█▀ █ █ █ █ █   █ █ █ █ █ ▀▀█",
        "█ ▀█ █ █ █▀  █ █ █▀▄  ▀▄  █  █ █ █ █ █ █ █ ▄▀▄  █  ▄▀ ",
        "▀  ▀  ▀  ▀    ▀▄ ▀ ▀ ▀▀   ▀  ▀▀▀  ▀   ▀ ▀  ▀ ▀  ▀  ▀▀▀",
    ),
    (
        "0   1   2   3   4   5   6   7   8   9   -  . ' :",
        "█▀█ ▄█  ▀▀█ ▀▀█ █ █ █▀▀ █▀▀ ▀▀█ █▀█ █▀█      ▀ ▄",
        "█ █  █  █▀▀  ▀█ ▀▀█ ▀▀█ █▀█   █ █▀█ ▀▀█ ▀▀      ",
        "▀▀▀ ▀▀▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀    ▀   ▀",
    ),
)
"""The letters that can be drawn large, and below each its three rows of half blocks."""
_FORMS = {" ": ("  ", "  ", "  ")}
for _letters, *_rows in _DRAWN:
    for _found in re.finditer(r"\S *", f"{_letters} "):
        _at, _end = _found.start(), _found.end() - 1
        _FORMS[_letters[_at]] = (_rows[0][_at:_end], _rows[1][_at:_end], _rows[2][_at:_end])


def large(text: str) -> list[str]:
    """A text in letters three rows high; empty if it has a letter that cannot be drawn so."""
    letters = fold(text).upper()
    if not letters or any(letter not in _FORMS for letter in letters):
        return []
    return [" ".join(_FORMS[letter][row] for letter in letters) for row in range(3)]


def clock(left: timedelta) -> tuple[str, str]:
    """The time that is left, or that it is over, as `1:18`, and its role."""
    role = "bad" if left < timedelta() else "warn" if left < _SHORT else "good"
    minutes, seconds = divmod(int(abs(left).total_seconds()), 60)
    return f"{minutes}:{seconds:02}", role


class LargeText(Lines):
    """A text with a note: in large letters where there is room, else in one line."""

    def __init__(self, *, is_at_right: bool = False) -> None:
        super().__init__()
        self._is_at_right = is_at_right
        self._text = self._note = ""
        self._role = "strong"
        self._rows: list[str] = []

    def say(self, text: str, note: str, role: str) -> None:
        self._text, self._note, self._role = text, note, role
        self._rows = large(text) if self.app.size.height >= _TALL else []
        if self._is_at_right:
            self.styles.width = self._width if text else 0
        self.redraw()

    @property
    def _width(self) -> int:
        return cell_width(self._rows[0] if self._rows else self._text) + cell_width(self._note) + 3

    def lines_now(self, size: Size) -> list[Line]:
        note, role = self._note, self._role
        if not self._rows or self._width > size.width:
            return [((f" {self._text}", role), (f" {note} " if note else "", "quiet"))]
        lines: list[Line] = [()]
        for row, word in zip(self._rows, ("", "", note), strict=True):
            if self._is_at_right:
                lines.append(((f"{word:>{len(note)}} ", "quiet"), (f"{row} ", role)))
            else:
                lines.append(((f" {row}", role), (f"  {word}", "quiet")))
        return lines


class SpeakerHead(Widget):
    """The name of the speaker, the time that is left, and a bar for it."""

    def __init__(self) -> None:
        super().__init__()
        self.display = False
        self._speaker, self._time, self._share = LargeText(), LargeText(is_at_right=True), Bar()
        self._share.ground = "ground"

    def compose(self) -> ComposeResult:
        yield Horizontal(self._speaker, self._time)
        yield self._share

    def say(self, name: str, note: str, left: timedelta | None, minutes: int) -> None:
        """Show a speaker; `left` of so many minutes, None without a timer. No name hides it."""
        self.display = bool(name)
        self._speaker.say(name, note, "strong")
        self._share.display = left is not None
        if left is None:
            self._time.say("", "", "good")
            return
        time, role = clock(left)
        self._time.say(time, "over by" if left < timedelta() else f"left of {minutes}:00", role)
        room = max(0, self.app.size.width - 2)
        cells = round(room * max(0.0, left / timedelta(minutes=minutes)))
        full, rest = glyphs.FULL * cells, glyphs.FRAME.across * (room - cells)
        self._share.say(((" ", "text"), (full, role), (rest, "line")))


class SpeakerFoot(Lines):
    """The parked topics, and during a turn the order of the speakers."""

    def __init__(self) -> None:
        super().__init__()
        self.display = False
        self._foot: list[Line] = []

    def say(self, topics: Sequence[str], turns: Sequence[Turn], present: Turn) -> None:
        self._foot = []
        if topics:
            self._foot.append(((" Parked  ", "quiet"), (" · ".join(topics), "text")))
        if present != EVERYTHING:
            at = turns.index(present) if present in turns else 0
            order: list[Span] = []
            for place, turn in enumerate(turns):
                name = turn.name.partition(" ")[0] if turn.person_id > 0 else turn.name
                if place < at:
                    order.append((f" {glyphs.DONE} {name} ", "quiet"))
                elif place == at:
                    order.append((f" {glyphs.HERE} {name} ", "accent"))
                else:
                    order.append((f" {name} ", "text"))
            self._foot.append(tuple(order))
        self.display = bool(self._foot) and self.app.size.height >= _LOW
        self.redraw()

    def lines_now(self, size: Size) -> list[Line]:
        del size
        return self._foot
