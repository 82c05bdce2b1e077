"""A column of the board: a heading, the visible cards of a stage, and its width.

It draws itself and scrolls by whole cards, because the borders, scrollbars and virtual sizes of
Textual cost a layout, or kilobytes of output, at each step.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from textual.geometry import Region, Size

from tui.model.board import Stage
from tui.model.colors import drawable
from tui.model.moving.cursor import TITLE
from tui.model.moving.lift import Row
from tui.model.task import Task
from tui.screens.board.card import CardState, Look, card_height, card_lines, title_lines
from tui.screens.board.rows import NEW, BlankFace, ColumnRow, HeadingFace, LaneHeading, LaneRows
from tui.text.cells import fit, width as cell_width
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.line_list import Face, LineList, down
from tui.widgets.painted import Line

GAP = 1
"""The blank cells at the right of each column, which belong to its widget."""
COLLAPSED_WIDTH = 3 + GAP
LEAST_WIDTH = 22 + GAP
"""The least width of a column, unless it is shown alone."""
HEADING_LINES = 2
"""The title of a column and the rule below it."""


@dataclass(frozen=True, slots=True)
class ColumnFace:
    """Everything a column shows, except the cursor."""

    stage: Stage
    number: int
    count: str
    rows: Sequence[ColumnRow]
    look: Look
    marks: frozenset[int] = frozenset()
    pending: frozenset[int] = frozenset()
    news: Collection[int] = frozenset()
    over_limit: bool = False
    is_folded: bool = False
    is_lifted: bool = False
    is_hiding: bool = False
    """Whether a filter hides some of its cards."""
    destination: str = ""
    """Where the lifted cards would be dropped."""


class CardFace(NamedTuple):
    """Everything a card in a column shows."""

    task: Task
    width: int
    look: Look
    state: CardState

    def lines(self) -> list[Line]:
        return card_lines(self.task, self.width, self.look, self.state)


class Column(LineList[ColumnRow]):
    """One stage of a board, drawn line by line."""

    by_rows = True
    wheel = 0  # the deck scrolls it, under swimlanes with the other columns

    def __init__(self, face: ColumnFace) -> None:
        super().__init__()
        self.above = HEADING_LINES
        self._take_face(face)
        self._is_on_title = False
        self._share: int | None = None

    @property
    def room(self) -> int:
        return max(1, super().room - isinstance(self.rows, LaneRows))

    @property
    def window(self) -> int:
        """How many whole cards fit."""
        return max(1, (self.room + self.blank_below) // card_height(self.face.look.density))

    def show(self, face: ColumnFace, cursor: int | None) -> None:
        """Draw these contents; `cursor` as in `move_cursor`."""
        self._take_face(face)
        self.set_class(face.is_folded, "-collapsed")
        self.move_cursor(cursor)

    def _take_face(self, face: ColumnFace) -> None:
        self.face, self.rows = face, face.rows
        self.blank_below = card_height(face.look.density) - face.look.density

    def move_cursor(self, cursor: int | None) -> None:
        """Move the cursor to a row or to the title; None if it is in another column."""
        self.shows_cursor = cursor is not None
        self._is_on_title = cursor == TITLE or (cursor is not None and not self.rows)
        self.go_to(cursor or 0)

    def is_current(self, row: int) -> bool:
        return row == self.cursor and self.shows_cursor and not self._is_on_title

    def take_width(self, cells: int | None) -> None:
        """Set the width; None divides the space evenly among the columns.

        Setting even the same style lays out and writes the whole board.
        """
        if cells != self._share:
            self._share = cells
            self.styles.width = cells

    def row_at(self, y: int) -> int | None:
        return super().row_at(y - (self._top_lane is not None))

    def slot_at(self, y: int) -> int:
        """The row that a card dropped at line `y` of this widget gets."""
        lines = max(0, y - self.above - (self._top_lane is not None))
        lines += self.face.look.density // 2
        return down(self.top, lines, len(self.rows), self.height).row

    def region_of(self, row: int) -> Region:
        """The region of this widget with the title of a row."""
        width, drawn = max(1, self.drawn_size.width - GAP - 2), self.rows[row]
        task = drawn.task if isinstance(drawn, Row) else None
        lines = title_lines(task, width, self.face.look.density) if task is not None else [""]
        y = self.above + (self._top_lane is not None) + (self.offset_of(row) or 0)
        return Region(1, y, width, len(lines))

    def height(self, row: int) -> int:
        is_heading = isinstance(self.rows[row], LaneHeading)
        return 1 if is_heading else card_height(self.face.look.density)

    def lines_now(self, size: Size) -> list[Line]:
        width, height = size
        if width < COLLAPSED_WIDTH or height < HEADING_LINES:
            return []
        if self.face.is_folded:
            return [self._folded_line(y) for y in range(height)]
        rule: Line = (
            (glyphs.FRAME.across * (width - GAP), "hand" if self.face.is_lifted else "line"),
        )
        return [self._heading(width - GAP), rule, *self._body(width, height - HEADING_LINES)]

    def _body(self, width: int, height: int) -> list[Line]:
        lines = self.row_lines()
        if self._top_lane is not None:
            lines = [*HeadingFace(self._top_lane, width, False).lines(), *lines]
        if not self.rows:
            cells = width - GAP
            if self.shows_cursor:
                edges = [glyphs.BAR, *[" "] * (self.face.look.density - 1)]
                note = "none match" if self.face.is_hiding else f"{keyed(NEW)} writes the first one"
                texts = [note, *[""] * (self.face.look.density - 1)]
                lines += [
                    ((fit(f"{edge}{text}", cells), "cursor"),)
                    for edge, text in zip(edges, texts, strict=True)
                ]
            else:
                note = "none match" if self.face.is_hiding else "no cards"
                lines += [(), ((fit(f" {note}", cells), "quiet"),)]
        return [*lines[:height], *[()] * (height - len(lines))]

    @property
    def hidden(self) -> tuple[int, int]:
        """How many rows are out of sight, above and below."""
        if self.face.is_folded or not self.rows or not self.drawn_size.height:
            return 0, 0
        if isinstance(self.rows, LaneRows):
            bottom = down(self.top, self.room, len(self.rows), self.height)
            return self.top.row, max(0, self.rows.end - bottom.row)
        return self.top.row, max(0, len(self.rows) - self.top.row - self.window)

    @property
    def _top_lane(self) -> LaneHeading | None:
        if not isinstance(self.rows, LaneRows) or self.top.row >= len(self.rows):
            return None
        lane, row = self.rows.at(self.top.row)
        return None if row is None else self.rows.headings[lane]

    def face_of(self, row: int) -> Face:
        drawn, face = self.rows[row], self.face
        width = self.drawn_size.width
        if isinstance(drawn, LaneHeading):
            return HeadingFace(drawn, width, self.is_current(row))
        if drawn is None:
            height = card_height(face.look.density)
            return BlankFace(width - GAP, height, self.is_current(row))
        task = drawn.task
        state = CardState(
            drawn.kind,
            is_current=self.is_current(row),
            is_marked=task.id in face.marks,
            is_pending=task.id in face.pending,
            is_news=task.id in face.news,
            destination=face.destination,
        )
        return CardFace(task, width - GAP, face.look, state)

    def _heading(self, width: int) -> Line:
        face = self.face
        is_on_title = self.shows_cursor and self._is_on_title
        here, role = " ", "strong"
        if face.is_lifted:
            here, role = glyphs.BAR, "hand"
        elif is_on_title:
            here, role = glyphs.BAR, "cursor"
        elif self.shows_cursor:
            here, role = glyphs.HERE, "accent"
        chip = glyphs.CHIP if face.stage.color else ""
        count = f"!{face.count}" if face.over_limit else face.count
        room = width - cell_width(count) - cell_width(f"{face.number}") - len(chip) - 4
        title = fit(face.stage.title, max(0, room))
        number = role if self.shows_cursor or face.is_lifted else "quiet"
        if face.is_lifted or is_on_title:  # one span for the whole line
            text = f"{here}{face.number} {chip}{title} {count} "
            return ((fit(text, width), role),)
        return (
            (f"{here}{face.number} ", number),
            (chip, drawable(face.stage.color)),
            (f"{title} ", role),
            (count, "warn" if face.over_limit else "quiet"),
            (" ", "text"),
        )

    def _folded_line(self, y: int) -> Line:
        role = "hand" if self.face.is_lifted else "accent" if self.shows_cursor else "strong"
        if y == 1:
            return ((glyphs.FRAME.across * (COLLAPSED_WIDTH - GAP), "line"),)
        letters = f" {self.face.stage.title} {self.face.count}"
        text = f"{self.face.number}" if y == 0 else letters[y - 2 : y - 1]
        role = role if y == 0 or y - 2 <= len(self.face.stage.title) else "quiet"
        return ((f" {fit(text, 1)} ", f"{role}/card"),)


def columns_in_view(widths: Sequence[int], room: int, first: int, over: int) -> range:
    """The columns to show: as many as fit into `room`, from `first` on unless that hides `over`.

    `widths` are the least widths of all columns.
    """
    first, end = min(first, over), over + 1
    while first < over and sum(widths[first:end]) > room:
        first += 1
    while end < len(widths) and sum(widths[first : end + 1]) <= room:
        end += 1
    while first > 0 and sum(widths[first - 1 : end]) <= room:
        first -= 1
    return range(first, end)


def shares(room: int, view: range, folded: Sequence[bool]) -> Mapping[int, int | None]:
    """The widths of the columns in view; None divides the room evenly.

    If not all are in view, the widths are fixed, so that scrolling does not change them: a column
    whose width changes is drawn twice.
    """
    unfolded = [index for index, is_folded in enumerate(folded) if not is_folded]
    count = sum(index in view for index in unfolded)
    if count == len(unfolded):
        return dict.fromkeys(view)
    room -= COLLAPSED_WIDTH * (len(view) - count)
    widths: dict[int, int | None] = dict.fromkeys(view)
    for index in unfolded:
        if index in view:
            nth = unfolded.index(index) % count
            widths[index] = room * (nth + 1) // count - room * nth // count
    return widths
