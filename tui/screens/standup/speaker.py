"""The view of one speaker: name and time in letters for a room, parked topics, the order."""

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
from tui.widgets.painted import Line, Lines

_TALL, _LOW = 34, 20
"""From these heights on there is room for large letters, and for topics and the order."""
_SHORT = timedelta(seconds=20)
"""The time that is left when the timer begins to warn."""
_FORMS = {
    " ": ("  ", "  ", "  "),
    "-": ("  ", "▀▀", "  "),
    ".": (" ", " ", "▀"),
    "'": ("▀", " ", " "),
    ":": ("▄", " ", "▀"),
    "0": ("█▀█", "█ █", "▀▀▀"),
    "1": ("▄█ ", " █ ", "▀▀▀"),
    "2": ("▀▀█", "█▀▀", "▀▀▀"),
    "3": ("▀▀█", " ▀█", "▀▀▀"),
    "4": ("█ █", "▀▀█", "  ▀"),
    "5": ("█▀▀", "▀▀█", "▀▀▀"),
    "6": ("█▀▀", "█▀█", "▀▀▀"),
    "7": ("▀▀█", "  █", "  ▀"),
    "8": ("█▀█", "█▀█", "▀▀▀"),
    "9": ("█▀█", "▀▀█", "▀▀▀"),
    "A": ("▄▀▄", "█▀█", "▀ ▀"),
    "B": ("█▀▄", "█▀▄", "▀▀ "),
    "C": ("▄▀▀", "█  ", " ▀▀"),
    "D": ("█▀▄", "█ █", "▀▀ "),
    "E": ("█▀▀", "█▀ ", "▀▀▀"),
    "F": ("█▀▀", "█▀ ", "▀  "),
    "G": ("▄▀▀", "█ █", " ▀▀"),
    "H": ("█ █", "█▀█", "▀ ▀"),
    "I": ("█", "█", "▀"),
    "J": ("  █", "▄ █", " ▀ "),
    "K": ("█ █", "█▀▄", "▀ ▀"),
    "L": ("█  ", "█  ", "▀▀▀"),
    "M": ("█▄ ▄█", "█ ▀ █", "▀   ▀"),
    "N": ("█▄ █", "█ ▀█", "▀  ▀"),
    "O": ("▄▀▄", "█ █", " ▀ "),
    "P": ("█▀▄", "█▀ ", "▀  "),
    "Q": ("▄▀▄", "█ █", " ▀▄"),
    "R": ("█▀▄", "█▀▄", "▀ ▀"),
    "S": ("▄▀▀", " ▀▄", "▀▀ "),
    "T": ("▀█▀", " █ ", " ▀ "),
    "U": ("█ █", "█ █", "▀▀▀"),
    "V": ("█ █", "█ █", " ▀ "),
    "W": ("█   █", "█ █ █", " ▀ ▀ "),
    "X": ("█ █", "▄▀▄", "▀ ▀"),
    "Y": ("█ █", " █ ", " ▀ "),
    "Z": ("▀▀█", "▄▀ ", "▀▀▀"),
}
"""The letters that can be drawn large, each as three rows of half blocks."""


def large(text: str) -> list[str]:
    """A text in letters three rows high; empty if it has a letter that cannot be drawn so."""
    letters = fold(text).upper()
    if not letters or any(letter not in _FORMS for letter in letters):
        return []
    return [" ".join(_FORMS[letter][row] for letter in letters) for row in range(3)]


class LargeText(Lines):
    """A text with a note: in large letters where there is room, else in one line."""

    def __init__(self) -> None:
        super().__init__()
        self._text = self._note = ""
        self._role = "strong"
        self.is_at_right = False

    def say(self, text: str, note: str, role: str) -> None:
        if (text, note, role) != (self._text, self._note, self._role):
            self._text, self._note, self._role = text, note, role
            if self.is_at_right:
                rows = large(text) if self.app.size.height >= _TALL else []
                width = cell_width(rows[0] if rows else text) + cell_width(note) + 3
                self.styles.width = width if text else 0
            self.redraw()

    def lines_now(self, size: Size) -> list[Line]:
        rows = large(self._text) if self.app.size.height >= _TALL else []
        note = self._note
        if not rows or cell_width(rows[0]) + cell_width(note) + 3 > size.width:
            line: Line = ((f" {self._text}", self._role), (f" {note} " if note else "", "quiet"))
            return [line]
        notes = ("", "", note)
        if not self.is_at_right:
            line_of = zip(rows, notes, strict=True)
            return [
                (),
                *(((f" {row}", self._role), (f"  {word}", "quiet")) for row, word in line_of),
            ]
        return [
            (),
            *(
                ((f"{word:>{len(note)}} ", "quiet"), (f"{row} ", self._role))
                for row, word in zip(rows, notes, strict=True)
            ),
        ]


class SpeakerHead(Widget):
    """The name of the speaker, the time that is left, and a bar for it."""

    def __init__(self) -> None:
        super().__init__()
        self.display = False
        self._speaker, self._time, self._share = LargeText(), LargeText(), Bar()
        self._time.is_at_right = True
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
        role = "bad" if left < timedelta() else "warn" if left < _SHORT else "good"
        whole, seconds = divmod(int(abs(left).total_seconds()), 60)
        words = "over by" if left < timedelta() else f"left of {minutes}:00"
        self._time.say(f"{whole}:{seconds:02}", words, role)
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
        lines: list[Line] = []
        if topics:
            lines.append(((" Parked  ", "quiet"), (" · ".join(topics), "text")))
        if present != EVERYTHING:
            at = turns.index(present) if present in turns else 0
            order: list[tuple[str, str]] = []
            for place, turn in enumerate(turns):
                name = turn.name.partition(" ")[0] if turn.person_id > 0 else turn.name
                if place == at:
                    order.append((f" {glyphs.HERE} {name} ", "accent"))
                else:
                    sign = f"{glyphs.DONE} " if place < at else ""
                    order.append((f" {sign}{name} ", "quiet" if place < at else "text"))
            lines.append(tuple(order))
        self._foot = lines
        self.display = bool(lines) and self.app.size.height >= _LOW
        self.redraw()

    def lines_now(self, size: Size) -> list[Line]:
        del size
        return self._foot
