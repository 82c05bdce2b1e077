"""A preview of the labels, people, priority and due date parsed from the title of a new card."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from textual.geometry import Size

from tui.model.fields.values import Tense, moment
from tui.model.task import Label, Priority
from tui.text.cells import width as cell_width
from tui.text.clean import line
from tui.text.dates import END_OF_WORK
from tui.widgets import glyphs
from tui.widgets.lines import Lines
from tui.widgets.painted import Line, Span, fitted, line_width

if TYPE_CHECKING:
    from tui.model.quick_entry import QuickEntry

MOST_LINES = 3
_BETWEEN: Span = ("  ", "meta")
_PRIORITIES: dict[Priority, Span] = {
    Priority.HIGH: (f"{glyphs.HIGH} high", "high"),
    Priority.MEDIUM: (f"{glyphs.MEDIUM} medium", "meta"),
    Priority.LOW: ("low", "meta"),
}


class EntryPreview(Lines):
    """Shows chips below the input, wrapped to its width; hidden if there are none."""

    def __init__(self) -> None:
        super().__init__()
        self.display = False
        self._chips: list[Line] = []

    def say(self, entry: "QuickEntry | None", now: datetime) -> None:
        """Set the entry to preview; `put` draws it."""
        self._chips = [] if entry is None else chips(entry, now)

    def put(self, x: int, y: int, width: int, height: int) -> None:
        """Place the preview below line `y`, or above it if the column is too short."""
        lines = wrapped(self._chips, width)
        self.display = bool(lines)
        below = y + 1 if y + 1 + len(lines) < height else max(0, y - len(lines))
        self.styles.offset = (x, below)
        self.styles.width = width
        self.styles.height = len(lines)
        self.redraw()

    def lines_now(self, size: Size) -> list[Line]:
        return wrapped(self._chips, size.width)


def chips(entry: "QuickEntry", now: datetime) -> list[Line]:
    """The chips of an entry: parse errors first, then labels, people, priority and due date."""
    found: list[Line] = [((problem, "late"),) for problem in entry.problems]
    found += [_label(label) for label in entry.labels]
    found += [((line(f"@{person.name or person.login}"), "people"),) for person in entry.people]
    if entry.priority is not None:
        found.append((_PRIORITIES[entry.priority],))
    if entry.due_at is not None:
        is_day = entry.due_at.time() == END_OF_WORK
        when = moment(entry.due_at, now, Tense.DAY if is_day else Tense.EVENT)
        found.append(((f"due {when}", "soon"),))
    return found


def wrapped(chips: Iterable[Line], width: int) -> list[Line]:
    """Chips side by side, wrapped to lines of this width; a chip wider than a line is cut."""
    lines: list[list[Span]] = []
    room = 0
    for chip in chips:
        needed = line_width((_BETWEEN, *chip))
        if lines and needed <= room:
            lines[-1] += [_BETWEEN, *chip]
            room -= needed
        else:
            lines.append(list(chip))
            room = width - needed + cell_width(_BETWEEN[0])
    return [fitted(spans, width, "meta") for spans in lines[:MOST_LINES]]


def _label(label: Label) -> Line:
    return ((glyphs.CHIP, label.color), (label.title, "label"))
