"""Around the cards of a speaker: name and time in letters for a room, parked topics, the order."""

import re
from collections.abc import Sequence
from datetime import timedelta

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.widget import Widget

from tui.screens.standup.cards import MARGIN
from tui.screens.standup.part import StandupPart
from tui.screens.standup.rows import EVERYTHING, PARKING_LOT, StandupTurn
from tui.text.fuzzy import fold
from tui.widgets import glyphs
from tui.widgets.bars import aligned
from tui.widgets.painted import Line, PaintedLines, Span, line_width

_TALL, _LOW = 34, 20
"""From these heights on there is room for large letters, and for topics and the order."""
_SHORT = timedelta(seconds=20)
"""The time that is left when the timer begins to warn."""
_MARGIN: Span = (" " * MARGIN, "text")
_BETWEEN = "   "
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


class SpeakerHead(Widget):
    """The name of the speaker, the time that is left, and a bar for it."""

    def __init__(self) -> None:
        super().__init__()
        self.display = False
        self._speaker = self._note = ""
        self._said: tuple[timedelta | None, int, Size] | None = None
        self._letters, self._time, self._bar = StandupPart(), StandupPart(), StandupPart()

    def compose(self) -> ComposeResult:
        yield Horizontal(self._letters, self._time)
        yield self._bar

    def say(self, name: str, note: str) -> None:
        """Show a speaker; no name hides it."""
        self.display = bool(name)
        self._speaker, self._note = name, note
        # The next `say_time` has to draw the new name, though the time may be the same.
        self._said = None

    def say_time(self, left: timedelta | None, minutes: int) -> None:
        """Show what is left of so many minutes; None without a timer."""
        size = self.app.size
        if not self.display or (left, minutes, size) == self._said:
            return
        self._said = left, minutes, size
        is_tall = size.height >= _TALL
        times = _time_lines(left, minutes, is_tall=is_tall)
        width = line_width(times[-1]) if times else 0
        room = size.width - width
        self._letters.show(self._name_lines(room, is_tall=is_tall), room)
        self._time.show(times, width)
        bar = _bar(left, minutes, size.width)
        self._bar.show([(), bar, ()] if is_tall else [bar], size.width)

    def _name_lines(self, width: int, *, is_tall: bool) -> list[Line]:
        note: Line = ((f"  {self._note}", "accent"),)
        line: Line = (_MARGIN, (self._speaker, "strong"), *note)
        if not is_tall:
            return [line]
        rows: list[Line] = [(_MARGIN, (row, "strong")) for row in large(self._speaker)]
        if not rows or line_width((*rows[-1], *note)) > width:
            return [(), (), line, ()]
        return [(), *rows[:-1], (*rows[-1], *note)]


def _time_lines(left: timedelta | None, minutes: int, *, is_tall: bool) -> list[Line]:
    if left is None:
        return []
    time, role = clock(left)
    label = "over by" if left < timedelta() else f"of {minutes}:00 left"
    if not is_tall:
        words = f"{label} {time}" if left < timedelta() else f"{time} {label}"
        return [((words, role), _MARGIN)]
    notes = (" " * len(label), " " * len(label), label)
    return [
        (),
        *(
            ((f"{note}  ", "quiet"), (row, role), _MARGIN)
            for note, row in zip(notes, large(time), strict=True)
        ),
    ]


def _bar(left: timedelta | None, minutes: int, width: int) -> Line:
    room = max(0, width - 2 * MARGIN)
    role = "line" if left is None else clock(left)[1]
    cells = round(room * max(0.0, left / timedelta(minutes=minutes))) if left else 0
    # Each empty cell is a span of its own, so that a second repaints only where the bar ends.
    empty_cells = [(glyphs.FRAME.across, "line")] * (room - cells)
    return (_MARGIN, (glyphs.FULL * cells, role), *empty_cells, _MARGIN)


class SpeakerFoot(PaintedLines):
    """During a turn: the order of the speakers, and the topics, unless the turn is about those."""

    def __init__(self) -> None:
        super().__init__()
        self.display = False
        self._topics: Sequence[str] = ()
        self._turns: Sequence[StandupTurn] = ()
        self._present = EVERYTHING

    def say(
        self, topics: Sequence[str], turns: Sequence[StandupTurn], present: StandupTurn
    ) -> None:
        self._topics, self._turns, self._present = topics, turns, present
        self.display = present != EVERYTHING and self.app.size.height >= _LOW
        self.redraw()

    def lines_now(self, size: Size) -> list[Line]:
        topics = "" if self._present == PARKING_LOT else "  ·  ".join(self._topics)
        parked: list[Line] = [(_MARGIN, ("Parked  ", "strong"), (topics, "text"))] if topics else []
        order = self._order(size.width)
        if self.app.size.height < _TALL:
            return [*parked, order]
        rule: Line = (_MARGIN, (glyphs.FRAME.across * (size.width - 2 * MARGIN), "line"), _MARGIN)
        return [rule, *([*parked, ()] if parked else []), order]

    def _order(self, width: int) -> Line:
        at = self._turns.index(self._present) if self._present in self._turns else 0
        spans: list[Span] = []
        for place, turn in enumerate(self._turns):
            sign = f"{glyphs.DONE} " if place < at else f"{glyphs.HERE} " if place == at else ""
            role = "quiet" if place < at else "accent" if place == at else "text"
            spans.append((f"{sign}{turn.short}{_BETWEEN}", role))
        coming = self._turns[at + 1].short if at + 1 < len(self._turns) else ""
        following = f"next: {coming} {glyphs.RIGHT}" if coming else "last speaker"
        # Where there is no room for all, the first speakers give way, as they have spoken.
        while at > 1 and line_width(spans) > width:
            del spans[0]
            at -= 1
        right: Line = ((following, "strong"), _MARGIN)
        left: Line = (_MARGIN, *spans)
        return left if line_width(left) + line_width(right) > width else aligned(left, right, width)
