"""A column of the board: a frame with a heading, the visible cards of a stage, and its width.

It draws its own frame and scroll position and scrolls by whole cards, because the borders,
scrollbars and virtual sizes of Textual cost a layout, or kilobytes of output, at each step.
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
from tui.screens.board.card import CardState, Look, card_lines, title_lines
from tui.screens.board.rows import NEW, BlankFace, ColumnRow, HeadingFace, LaneHeading, LaneRows
from tui.text.cells import cut, fit, width as cell_width
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.line_list import Face, LineList, down
from tui.widgets.painted import Line, Span

COLLAPSED_WIDTH = 3
LEAST_WIDTH = 22
"""The least width of a column, unless it is shown alone."""


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
    outside: tuple[int, int] = (0, 0)
    """How many columns are hidden next to this one, to the left and to the right."""


class CardFace(NamedTuple):
    """Everything a card in a column shows."""

    task: Task
    width: int
    look: Look
    state: CardState
    sides: Span

    def lines(self) -> list[Line]:
        # The left side has the style of the edge: fewer style changes are fewer bytes.
        down, frame = self.sides
        lines: list[Line] = []
        for (edge, role), *rest in card_lines(self.task, self.width, self.look, self.state):
            begin = (f"{down}{edge}", role if edge.strip() else frame)
            lines.append((begin, *rest, (down, frame)))
        return lines


class Column(LineList[ColumnRow]):
    """One stage of a board, drawn line by line."""

    by_rows = True
    wheel = 0  # the deck scrolls it, under swimlanes with the other columns

    def __init__(self, face: ColumnFace) -> None:
        super().__init__()
        self.above = self.below = 1
        self._take_face(face)
        self._is_on_title = False
        self._share: int | None = None

    @property
    def room(self) -> int:
        return max(1, super().room - isinstance(self.rows, LaneRows))

    @property
    def window(self) -> int:
        """How many whole cards fit."""
        return max(1, self.room // self.face.look.density)

    def show(self, face: ColumnFace, cursor: int | None) -> None:
        """Draw these contents; `cursor` as in `move_cursor`."""
        self._take_face(face)
        self.set_class(face.is_folded, "-collapsed")
        self.move_cursor(cursor)

    def _take_face(self, face: ColumnFace) -> None:
        self.face, self.rows = face, face.rows
        self._box = glyphs.GHOST if face.is_lifted else glyphs.FRAME
        self._sides: Span = (self._box.down, "ghost" if face.is_lifted else "frame")

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
        lines = max(0, y - 1 - (self._top_lane is not None)) + self.face.look.density // 2
        return down(self.top, lines, len(self.rows), self.height).row

    def region_of(self, row: int) -> Region:
        """The region of this widget with the title of a row."""
        width, drawn = max(1, self.drawn_size.width - 3), self.rows[row]
        task = drawn.task if isinstance(drawn, Row) else None
        lines = title_lines(task, width, self.face.look.density) if task is not None else [""]
        y = 1 + (self._top_lane is not None) + (self.offset_of(row) or 0)
        return Region(2, y, width, len(lines))

    def height(self, row: int) -> int:
        return 1 if isinstance(self.rows[row], LaneHeading) else self.face.look.density

    def lines_now(self, size: Size) -> list[Line]:
        width, height = size
        if width < COLLAPSED_WIDTH or height < 2:  # noqa: PLR2004 (heading and foot)
            return []
        if self.face.is_folded:
            return [self._collapsed_line(y) for y in range(height)]
        return [self._heading(width), *self._body(width, height - 2), self._foot(width)]

    def _body(self, width: int, height: int) -> list[Line]:
        down, role = self._sides
        lines = self.row_lines()
        if self._top_lane is not None:
            lines = [*HeadingFace(self._top_lane, width - 2, False, self._sides).lines(), *lines]
        if not self.rows:
            note = " no card matches" if self.face.is_hiding else " no cards"
            note += f" · {keyed(NEW)}" if self.shows_cursor else ""
            lines.append(((down, role), (fit(note, width - 2), "empty"), (down, role)))
        blank: Line = ((f"{down}{' ' * (width - 2)}{down}", role),)
        return [*lines[:height], *[blank] * (height - len(lines))]

    @property
    def _top_lane(self) -> LaneHeading | None:
        if not isinstance(self.rows, LaneRows) or self.top.row >= len(self.rows):
            return None
        lane, row = self.rows.at(self.top.row)
        return None if row is None else self.rows.headings[lane]

    def face_of(self, row: int) -> Face:
        drawn, face = self.rows[row], self.face
        width = self.drawn_size.width - 2
        if isinstance(drawn, LaneHeading):
            return HeadingFace(drawn, width, self.is_current(row), self._sides)
        if drawn is None:
            return BlankFace(width, face.look.density, self.is_current(row), self._sides)
        task = drawn.task
        state = CardState(
            drawn.kind,
            is_current=self.is_current(row),
            is_marked=task.id in face.marks,
            is_pending=task.id in face.pending,
            is_news=task.id in face.news,
        )
        return CardFace(task, width, face.look, state, self._sides)

    def _heading(self, width: int) -> Line:
        face, box, frame = self.face, self._box, self._sides[1]
        here, role = " ", "heading"
        if face.is_lifted:
            here, role = glyphs.BAR, "ghost"
        elif self.shows_cursor and self._is_on_title:
            here, role = glyphs.BAR, "cursor"
        elif self.shows_cursor:
            here, role = glyphs.HERE, "active"
        count, number = f" {face.count} ", f"{here}{face.number} "
        chip = glyphs.CHIP if face.stage.color else ""
        room = width - cell_width(count) - cell_width(number) - len(chip) - 3
        title = cut(face.stage.title, max(0, room))
        line = box.across * (room - cell_width(title))
        return (
            (box.top_left, frame),
            (number, role),
            (chip, drawable(face.stage.color)),
            (title, role),
            (f" {line}", frame),
            (count, "limit" if face.over_limit else "count"),
            (box.top_right, frame),
        )

    def _foot(self, width: int) -> Line:
        box, frame = self._box, self._sides[1]
        before, after = self.face.outside
        left = f" {glyphs.LEFT} {before} " if before else ""
        right = f" {after} {glyphs.RIGHT} " if after else ""
        note = self._rows_in_sight()
        room = width - 3 - cell_width(left) - cell_width(right)
        if room < cell_width(note):
            note = ""
        return (
            (box.bottom_left, frame),
            (left, "heading"),
            (box.across * (room - cell_width(note)), frame),
            (note, "count"),
            (box.across, frame),
            (right, "heading"),
            (box.bottom_right, frame),
        )

    def _rows_in_sight(self) -> str:
        rows, top = len(self.rows), self.top.row
        if isinstance(self.rows, LaneRows):
            bottom = down(self.top, self.room, rows, self.height)
            return f" more {glyphs.DOWN} " if bottom.row < self.rows.end else ""
        last = min(top + self.window, rows)
        return f" {top + 1}–{last}/{rows} " if rows > self.window else ""

    def _collapsed_line(self, y: int) -> Line:
        box, frame = self._box, self._sides[1]
        role = "ghost" if self.face.is_lifted else "active" if self.shows_cursor else "heading"
        if y == 0:
            return ((fit(f"{box.top_left}{self.face.number}{box.top_right}", 3), role),)
        if y == self.drawn_size.height - 1:
            before, after = self.face.outside
            if before:
                return ((f"{glyphs.LEFT}{before}{box.bottom_right}"[:COLLAPSED_WIDTH], "heading"),)
            if after:
                return ((f"{box.bottom_left}{after}{glyphs.RIGHT}"[-COLLAPSED_WIDTH:], "heading"),)
            return ((f"{box.bottom_left}{box.across}{box.bottom_right}", frame),)
        letters = f" {self.face.stage.title} {self.face.count}"
        letter = fit(letters[y - 1], 1) if y <= len(letters) else " "
        return (box.down, frame), (letter, role), (box.down, frame)


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
