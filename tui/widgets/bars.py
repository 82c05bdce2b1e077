"""One-line widgets: the bars at the top and bottom of a screen, section headings, and tabs.

A line is cut to the width, and redrawn only when its text changed. A notice may have two of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from textual import events
from textual.keys import format_key
from textual.message import Message
from textual.strip import Strip

from tui.record import record
from tui.text.cells import cut, width as cell_width
from tui.text.keyed import keyed_parts
from tui.text.spans import Span as TextSpan, wrap
from tui.widgets import glyphs
from tui.widgets.painted import Line, Painted, Span, cut_line, fitted, line_width

_TAB_GAP = "   "


class Bar(Painted):
    """One line with left- and right-aligned text; `mark` is always shown, before everything else.

    If both do not fit, the left one is cut.
    """

    ground = "bar"

    @dataclass(eq=False, repr=False)
    class Clicked(Message):
        """The user clicked a text of the bar; `key` is the last key that is named before it."""

        bar: "Bar"
        text: str
        key: str

    def __init__(self, left: Line = (), right: Line = (), mark: Line = ()) -> None:
        super().__init__()
        self._mark = mark
        self._left = left
        self._right = right

    @property
    def words(self) -> str:
        return "".join(text for text, _ in (*self._mark, *self._left, *self._right))

    def say(self, left: Line, right: Line = ()) -> None:
        if (left, right) != (self._left, self._right):
            self._left, self._right = left, right
            self.refresh()

    def _line(self) -> Line:
        return aligned((*self._mark, *self._left), self._right, self.size.width)

    def render_line(self, y: int) -> Strip:
        del y
        return self.strip(self._line())

    def on_click(self, event: events.Click) -> None:
        end, key = 0, ""
        for text, role in self._line():
            end += cell_width(text)
            key = text.strip() if role == "key" else key
            if event.x < end:
                self.post_message(self.Clicked(self, text.strip(), key))
                return


class SectionHeading(Painted):
    """The heading of a section: title, note and a horizontal rule."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = title
        self._note: Line = ()
        self._is_current = False

    def say(self, note: Line, *, is_current: bool) -> None:
        if (note, is_current) != (self._note, self._is_current):
            self._note, self._is_current = note, is_current
            self.refresh()

    def render_line(self, y: int) -> Strip:
        del y
        role = "accent" if self._is_current else "strong"
        gap = ((" ", role),) if self._note else ()
        line = cut_line(((self.title, role), *gap, *self._note), self.size.width)
        room = self.size.width - line_width(line)
        rule = f" {glyphs.FRAME.across * (room - 1)}" if room > 1 else " " * room
        return self.strip((*line, (rule, "line")))


@record
class Tab:
    """A tab: the name of a section and a short note, such as a count."""

    name: str
    note: str = ""


class TabLine(Painted):
    """Shows the sections of a screen as tabs over a rule, and posts which was clicked.

    The rule is thick under the active tab. If the line is too long, first the notes and then the
    names of inactive tabs are left out; the numbers stay.
    """

    @dataclass(eq=False, repr=False)
    class Chosen(Message):
        """The user clicked a tab; the first is 0."""

        index: int

    def __init__(self) -> None:
        super().__init__()
        self._tabs: tuple[Tab, ...] = ()
        self._current = 0

    @property
    def words(self) -> str:
        return "".join(text for piece in self._pieces() for text, _ in piece)

    def show(self, tabs: Sequence[Tab], current: int) -> None:
        if (tuple(tabs), current) != (self._tabs, self._current):
            self._tabs, self._current = tuple(tabs), current
            self.refresh()

    def render_line(self, y: int) -> Strip:
        pieces, width = self._pieces(), self.size.width
        if y == 0:
            return self.strip(fitted((span for piece in pieces for span in piece), width, "text"))
        start = sum(map(line_width, pieces[: self._current]))
        thick = line_width(pieces[self._current][:-1]) if pieces else 0
        left, right = glyphs.FRAME.across * start, glyphs.FRAME.across * (width - start - thick)
        return self.strip(((left, "line"), (glyphs.FULL * thick, "accent"), (right, "line")))

    def on_click(self, event: events.Click) -> None:
        offset, end = event.get_content_offset(self), 0
        if offset is None:
            return
        for index, piece in enumerate(self._pieces()):
            end += line_width(piece)
            if offset.x < end:
                self.post_message(self.Chosen(index))
                return

    def _pieces(self) -> list[Line]:
        pieces: list[Line] = []
        # From the longest form to the shortest: the first that fits.
        for has_notes, has_names in ((True, True), (False, True), (False, False)):
            pieces.clear()
            for index, tab in enumerate(self._tabs):
                is_active = index == self._current
                name = f" {tab.name}" if has_names or is_active else ""
                note = f" {tab.note}" if tab.note and (has_notes or is_active) else ""
                words = cut(f"{name}{note}", max(0, self.size.width - 2))
                role = "accent" if is_active else "text"
                pieces.append(((str(index + 1), "accent"), (words, role), (_TAB_GAP, "text")))
            if sum(map(line_width, pieces)) - len(_TAB_GAP) <= self.size.width:
                break
        return pieces


def key_name(key: str) -> str:
    """The key as displayed: `?`, `ctrl+e`, `↵`."""
    signs = {"enter": "↵", "escape": "esc", "backspace": "backspace"}
    return " ".join(signs.get(part) or format_key(part) for part in key.split(" "))


def pressed_name(event: events.Key) -> str:
    """A key that was pressed, as people know it: a letter as it is typed, others as displayed."""
    if not event.is_printable or event.key.startswith("alt+"):
        return key_name(event.key)
    return "Space" if event.key == "space" else event.character or event.key


def hint_line(hints: Iterable[tuple[str, str]], room: int) -> Line:
    """As many keys with their labels as fit into `room` cells."""
    line: list[tuple[str, str]] = []
    for key, label in hints:
        room -= cell_width(f"{key}{label}") + 3
        if room >= 0:
            line += [(f" {key} ", "key"), (f"{label} ", "quiet")]
    return tuple(line)


def ways_line(ways: Iterable[tuple[str, str]], room: int) -> Line:
    """The keys at the right of a footer, behind a line that parts them from those at the left."""
    return ((glyphs.FRAME.down, "line"), *hint_line(ways, room))


def aligned(left: Line, right: Line, width: int) -> Line:
    """Text at the left and at the right of a line; if both do not fit, the left one is cut.

    Between them is a blank at least, which may be the end of the left one or the beginning of the
    right one. Where the right one would take more than half of the line, its quiet parts are left
    out.
    """
    if line_width((*left, *right)) > width and line_width(right) > width // 2:
        right = tuple(span for span in right if span[1] != "quiet")
    right = tuple(cut_line(right, width))
    room = width - line_width(right)
    ends_blank = bool(left) and left[-1][0].endswith(" ") and line_width(left) == room
    is_gap_there = not right or ends_blank or right[0][0].startswith(" ")
    left = tuple(cut_line(left, room if is_gap_there else room - 1))
    return (*fitted(left, room, "text"), *right)


class Notice(NamedTuple):
    """A sentence at the bottom of a screen, after its sign if it has one, and what to press.

    With `once` it is shown until a key is pressed, and again when `once` is another text. One that
    `is_low` has one line always: what is above it is being typed or moved.
    """

    text: Line
    keys: Line = ()
    once: str = ""
    is_low: bool = False

    @classmethod
    def of(
        cls, sentence: str, hint: str = "", *, sign: Span | None = None, role: str = "text"
    ) -> Self:
        """The notice of a sentence, with a `keyed` hint."""
        start = (f" {sign[0]} ", sign[1]) if sign is not None else (" ", role)
        return cls((start, (sentence, role)), key_line(hint))

    @property
    def words(self) -> str:
        text, keys = ("".join(words for words, _ in line) for line in (self.text, self.keys))
        return f"{text}  {keys}" if keys else text

    def lines(self, width: int) -> list[tuple[Line, Line]]:
        """One line, or two if the sentence does not fit beside the keys, each with its right end.

        The keys are whole. They are at the right of the first line, or if they would take more
        than half of it, of the second one. Beyond two lines the sentence is cut.
        """
        keys = (("  ", "text"), *self.keys, (" ", "text")) if self.keys else ()
        room = width - line_width(keys)
        if line_width(self.text) <= room:
            return [(self.text, keys)]
        is_beside = line_width(keys) <= width // 2
        spans = [TextSpan(text, role) for text, role in self.text]
        wrapped = wrap(spans, max(2, room if is_beside else width - 1))
        first, *remaining = [tuple((span.text, span.kind) for span in line) for line in wrapped]
        indent = cell_width(self.text[0][0]) if len(self.text) > 1 else 1
        second = [(" " * indent, "text")]
        for line in remaining:
            second += [*line, (" ", "text")]
        left = cut_line(second[:-1], width - 1 if is_beside else max(0, room))
        return (
            [(first, keys), (tuple(left), ())] if is_beside else [(first, ()), (tuple(left), keys)]
        )


def key_line(hint: str) -> Line:
    """A `keyed` text with its keys in their own style."""
    return tuple((text, "key" if is_key else "quiet") for text, is_key in keyed_parts(hint) if text)
