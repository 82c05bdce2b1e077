"""The row of a column that a title is typed in: as high as its input, and what is said below it.

The cards below make room, so that nothing that is typed or said covers them.
"""

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from tui.model.fields.values import Tense, moment
from tui.model.task import Priority
from tui.screens.board_lines import wrapped
from tui.text.cells import fit
from tui.text.clean import line, quoted
from tui.text.dates import END_OF_WORK
from tui.widgets import glyphs
from tui.widgets.line_list import Face
from tui.widgets.painted import Line, Span

if TYPE_CHECKING:
    from tui.model.quick_entry import QuickEntry

_MOST_CHIPS = 4
"""How many lines the chips of a new card take at most."""
_PRIORITIES: dict[Priority, Span] = {
    Priority.HIGH: (f"{glyphs.HIGH} high", "strong"),
    Priority.MEDIUM: (f"{glyphs.MEDIUM} medium", "quiet"),
    Priority.LOW: ("low", "quiet"),
}


class TypedRow(NamedTuple):
    """A row of a column with an input of so many lines, and lines below the input.

    The input covers so many lines of the card that is there, or there is none.

    Under swimlanes the row is as high in all columns, as they scroll together.
    """

    column: int
    row: int
    lines: int
    covered: int = 0
    below: tuple[Line, ...] = ()

    def height(self, usual: int, blank: int) -> int:
        """The height of a row that has `usual` lines, `blank` ones of them at its end."""
        details = usual - blank - self.covered if self.covered else len(self.below)
        return max(usual, self.lines + details + blank)


class TypedFace(NamedTuple):
    """Everything a row shows that a title is typed in: room for the input, then the details."""

    card: Face
    typed: TypedRow
    width: int
    height: int

    def lines(self) -> list[Line]:
        title: Line = ((fit(glyphs.BAR, self.width), "cursor"),)
        details = self.card.lines()[self.typed.covered :] if self.typed.covered else ()
        lines = [*[title] * self.typed.lines, *self.typed.below, *details]
        return [*lines, *[()] * (self.height - len(lines))]


class TallFace(NamedTuple):
    """A row beside one that a title is typed in, which is as high."""

    card: Face
    height: int

    def lines(self) -> list[Line]:
        lines = self.card.lines()
        return [*lines, *[()] * (self.height - len(lines))]


def entry_lines(entry: "QuickEntry", now: datetime, width: int) -> tuple[Line, ...]:
    """The marks of a new title as chips, what is wrong first, wrapped to lines of this width."""
    chips: list[Line] = [
        *(((f"! {problem}", "bad"),) for problem in entry.problems),
        *(((glyphs.CHIP, label.color), (label.title, "text")) for label in entry.labels),
        *(((f"new label {quoted(title)}", "good"),) for title in entry.new_labels),
        *(((line(f"@{person.name or person.login}"), "text"),) for person in entry.people),
    ]
    if entry.priority is not None:
        chips.append((_PRIORITIES[entry.priority],))
    if entry.due_at is not None:
        is_day = entry.due_at.time() == END_OF_WORK
        when = moment(entry.due_at, now, Tense.DAY if is_day else Tense.EVENT)
        chips.append(((f"due {when}", "warn"),))
    return tuple(((" ", "quiet"), *chip_line) for chip_line in wrapped(chips, width, _MOST_CHIPS))
