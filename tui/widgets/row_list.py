"""A list of rows with columns or lines: cursor, marks, sections, and a row that is lifted."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import compress
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, TypeVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message

from tui.text.cells import cut, width as cell_width
from tui.text.keyed import keyed
from tui.text.spans import Span as TextSpan, wrap
from tui.widgets import glyphs
from tui.widgets.dragging import RIGHT, actions_at
from tui.widgets.keys import list_keys
from tui.widgets.line_list import LineList
from tui.widgets.painted import (
    DrawnLines,
    Line,
    Span,
    cut_line,
    fitted,
    line_width,
    on_ground,
)

R = TypeVar("R", contravariant=True)  # noqa: PLC0105  one letter says enough
TABLE_WIDTH = 200
"""The greatest width of a row with columns; in a wider one the eye loses the line."""
_WIDE = 180
"""From this width on columns are as wide as their `wide`."""
_SPREAD = 16
"""How many cells a column of a wide list gets at most of those that are left over."""
DOUBLE = 2
NEAR = 10
"""How many rows before the last one count as near the end."""
NONE: Mapping[int, int] = MappingProxyType({})
_AIRY = 27
"""From this height on there is a blank line before a group of rows."""


class ListColumn(NamedTuple):
    """A column of a list; its name stands above it.

    The columns with the width 0 share what the others leave, each up to its `limit`. Of its width,
    `gap` cells stay blank at the right. The column is left out where the list is narrower than
    `least`, or wider than `most`. In a wide list it has the width `wide`, if that is given.
    """

    name: str
    width: int = 0
    role: str = "text"
    align: Literal["left", "right"] = "left"
    gap: int = 0
    least: int = 0
    most: int = TABLE_WIDTH
    limit: int = TABLE_WIDTH
    wide: int = 0

    def room(self, width: int) -> int:
        """Its width in a list of a width; 0 if it shares what the others leave."""
        return self.wide if self.wide and width >= _WIDE else self.width


def columns_line(columns: Sequence[ListColumn], cells: Sequence[str | Line], width: int) -> Line:
    """A row of cells, each a text in the role of its column or a line of its own."""
    width = min(width, TABLE_WIDTH)
    pairs = zip(columns, cells, strict=True)
    shown = [pair for pair in pairs if pair[0].least <= width <= pair[0].most]
    rooms = _rooms([column for column, _ in shown], width)
    line: list[Span] = []
    for (column, cell), room in zip(shown, rooms, strict=True):
        inner = max(1, room - column.gap)
        if isinstance(cell, str):
            text = cut(cell, inner)
            blank = " " * (inner - cell_width(text))
            text = f"{blank}{text}" if column.align == "right" else f"{text}{blank}"
            line.append((f"{text}{' ' * column.gap}", column.role))
            continue
        spans = fitted(cell, inner, cell[-1][1])
        if column.align == "right":
            spans = (spans[-1], *spans[:-1])
        line += (*spans, (" " * column.gap, column.role))
    return (*line, (" " * (width - sum(rooms)), "text"))


def _rooms(columns: Sequence[ListColumn], width: int) -> list[int]:
    # The cells of each column. What a wide list has left over, because none may take it, spreads
    # the columns from the first one on that has no width of its own.
    rooms = [column.room(width) for column in columns]
    remaining, flexible = width - sum(rooms), [at for at, room in enumerate(rooms) if not room]
    for count, at in enumerate(flexible):
        rooms[at] = max(1, min(remaining // (len(flexible) - count), columns[at].limit))
        remaining -= rooms[at]
    if flexible and width >= _WIDE:
        more = min(_SPREAD, remaining // (len(columns) - flexible[0]))
        rooms = [*rooms[: flexible[0]], *(room + more for room in rooms[flexible[0] :])]
    return rooms


def sorted_head(column: ListColumn, sorted_by: str, *, is_reversed: bool) -> Line:
    """The name of a column, with an arrow if the rows are sorted by the column."""
    if column.name != sorted_by or not sorted_by:
        return ((column.name, "quiet"),)
    arrow = glyphs.SORTED_DOWN if is_reversed else glyphs.HIGH
    return ((f"{arrow} {column.name}", "accent"),)


def column_at(columns: Sequence[ListColumn], x: int, width: int) -> int | None:
    """The index of the column that is drawn at a cell of a row; None behind the last one."""
    width = min(width, TABLE_WIDTH)
    shown = [
        (at, column) for at, column in enumerate(columns) if column.least <= width <= column.most
    ]
    rooms = _rooms([column for _, column in shown], width)
    for (at, _), room in zip(shown, rooms, strict=True):
        if x < room:
            return at
        x -= room
    return None


def start_of(columns: Sequence[ListColumn], at: int, width: int) -> int:
    """The cell at which a column begins; all columns before it must have a width of their own."""
    room = min(width - 1, TABLE_WIDTH)
    shown = (column for column in columns[:at] if column.least <= room <= column.most)
    return 1 + sum(column.room(room) for column in shown)


def number(count: int, role: str = "text") -> Line:
    """A number in a cell; a dot for none."""
    return ((str(count), role),) if count else (("·", "quiet"),)


class Heading(NamedTuple):
    """The heading of a group of rows, in a role; words `beside` it, and a note at the right."""

    title: str
    note: Line = ()
    role: str = "strong"
    beside: str = ""


class RowSource(Protocol[R]):
    """What the list asks its screen for the rows that are in sight, see `TableScreen`."""

    has_order: bool

    @property
    def columns(self) -> Sequence[ListColumn]: ...
    def head_of(self, column: ListColumn) -> Line: ...
    def key(self, row: R) -> Hashable: ...
    def keys_of(self, rows: Sequence[R]) -> Sequence[Hashable]: ...
    def line(self, row: R, width: int) -> Line: ...
    def sections(self, row: R) -> tuple[Heading, ...]: ...
    def below(self, row: R, width: int) -> tuple[Line, ...]: ...


def group_heading(heading: Heading, width: int) -> Line:
    """The heading of a group of rows: its title, a rule, and a note at the right."""
    title, note, role, beside = heading
    if line_width(note) > width // 2:
        note = ()
    room = width - 2 - line_width(note)
    begin: Line = ((f" {cut(title, max(1, room))} ", role),)
    room -= cell_width(title) + 2
    if beside and room > 1:
        begin = (*begin, (f" {cut(beside, room)} ", "quiet"))
    end: Line = ((" ", "text"), *note, (" ", "text")) if note else ((" ", "text"),)
    rule = glyphs.FRAME.across * (width - line_width(begin) - line_width(end))
    return (*begin, (rule, "line"), *end)


class Guide(NamedTuple):
    """What is said where there are no rows: a sentence, and keys with what they do."""

    sentence: str
    ways: Sequence[tuple[str, str]]


def empty_lines(why: str, hint: str, size: Size) -> list[Line]:
    """Why there is nothing, and below it what to press, in the middle of the room."""
    lines = [*_centred(f"{why[:1].upper()}{why[1:]}", "strong", size.width), ()]
    return _in_the_middle([*lines, *_centred(keyed(hint), "quiet", size.width)], size)


def guide_lines(why: str, guide: Guide, size: Size) -> list[Line]:
    """Why there is nothing, and a guide in place of the hint, in the middle of the room."""
    keys = max(cell_width(key) for key, _ in guide.ways)
    widest = keys + 2 + max(cell_width(does) for _, does in guide.ways)
    indent = " " * max(1, (size.width - widest) // 2)
    lines = [*_centred(f"{why[:1].upper()}{why[1:]}", "strong", size.width)]
    lines += [*_centred(guide.sentence, "quiet", size.width), ()]
    for key, does in guide.ways:
        padded = f"{indent}{' ' * (keys - cell_width(key))}{key}"
        lines.append(tuple(cut_line(((padded, "key"), (f"  {does}", "text")), size.width - 1)))
    return _in_the_middle(lines, size)


def _centred(text: str, role: str, width: int) -> list[Line]:
    parts = wrap([TextSpan(text)], max(1, width - 2)) if text else ()
    lines = ("".join(span.text for span in spans) for spans in parts)
    return [((f"{' ' * ((width - cell_width(line)) // 2)}{line}", role),) for line in lines]


def _in_the_middle(lines: list[Line], size: Size) -> list[Line]:
    return [*[()] * max(0, (size.height - len(lines)) // 2), *lines]


class RowList(LineList[Any], can_focus=True):
    """The rows of a list, one line each; `empty` says why there are none, and what to press."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open", id="rows.open", tooltip="Open, or drop"),
        *list_keys("rows", "row"),
        Binding("v", "mark", "mark", id="rows.mark", show=False, tooltip="Mark or unmark row"),
        Binding("space", "lift", "Lift", id="rows.lift", show=False, tooltip="Lift or drop"),
    ]

    @dataclass(eq=False, repr=False)
    class Opened(Message):
        """Enter was pressed on a row, or it was double-clicked."""

        row: Any

    @dataclass(eq=False, repr=False)
    class Dropped(Message):
        """A lifted row was dropped at an index among the others."""

        row: Any
        index: int

    class Changed(Message):
        """The cursor, the marks or the lifted row changed."""

    class Moved(Message):
        """The cursor is on another row."""

    @dataclass(eq=False, repr=False)
    class HeadClicked(Message):
        """The name of a column was clicked."""

        column: ListColumn

    class NothingThere(Message):
        """A key needs a row, and there is none."""

    class NotMovable(Message):
        """A row cannot be lifted while a search hides others."""

    class NearEnd(Message):
        """The user went, or scrolled, near the end of the rows."""

    def __init__(self, source: RowSource[Any]) -> None:
        super().__init__()
        self._source = source
        self.marks: frozenset[Hashable] = frozenset()
        self.lifted: Any = None
        self.empty = ("", "")
        self.guide: Guide | None = None
        """What is shown in place of the hint of `empty`."""
        self.is_searched = False
        self._home = 0

    @property
    def chosen(self) -> Sequence[Any]:
        """The marked rows, else the one at the cursor."""
        if self.marks:
            keys = self._source.keys_of(self.rows)
            # Without a step of the interpreter for each row, as this is asked at every key.
            marked = compress(range(len(keys)), map(self.marks.__contains__, keys))
            return [self.rows[at] for at in marked]
        return [] if self.row is None else [self.row]

    @property
    def head_height(self) -> int:
        """How many lines are above the rows."""
        return bool(self._source.columns)

    def show(
        self, rows: Sequence[Any], *, select: Hashable = None, renamed: Mapping[int, int] = NONE
    ) -> None:
        """Show other rows, with the cursor on the row with the key `select`, else where it was.

        `renamed` maps local ids to those of the service.
        """
        source, self.above = self._source, self.head_height
        keys = source.keys_of(rows)
        key_at_cursor = None if self.row is None else source.key(self.row)
        # Keys of other kinds than ids are asked for, too, and are not in it.
        key_at_cursor = renamed.get(key_at_cursor, key_at_cursor)  # type: ignore[call-overload]
        # Not looked for if it is None: a view may have 20,000 rows.
        if select is not None and select in keys:
            key_at_cursor = select
        if self.marks:
            self.marks &= frozenset(keys)
        if self.lifted is not None:
            # The row may be another object by now, or gone; a lifted one stays where it is held.
            lifted = source.key(self.lifted)
            self.lifted = rows[keys.index(lifted)] if lifted in keys else None
            if self.lifted is not None:
                rows = [row for row in rows if row is not self.lifted]
                rows.insert(min(self.cursor, len(rows)), self.lifted)
                keys = [source.key(row) for row in rows]
        self.rows = rows
        row = self.cursor
        with suppress(ValueError):  # one scan, where `in` would be another
            row = keys.index(key_at_cursor)
        super().go_to(row)

    def lines_of(self, row: int) -> list[Line]:
        source, value, width = self._source, self.rows[row], max(1, self.drawn_size.width)
        key = source.key(value)
        is_marked, is_current = key in self.marks, self.is_current(row)
        sign = glyphs.MARK if is_marked else glyphs.BAR if is_current else " "
        line: Line = ((sign, "text"), *source.line(value, width - 1))
        is_lifted = self.lifted is not None and source.key(self.lifted) == key
        if is_lifted or is_current or is_marked:  # one style from edge to edge
            role = "hand" if is_lifted else "cursor" if is_current else "mark"
            line = (("".join(text for text, _ in fitted(line, width, "text")), role),)
        return [*self.lines_above(row, width), line, *source.below(value, width)]

    @property
    def is_airy(self) -> bool:
        """Whether there is room for a blank line before a group."""
        return self.drawn_size.height >= _AIRY

    def lines_above(self, row: int, width: int) -> Iterator[Line]:
        """The headings above a row, where they differ from those of the row before."""
        headings = self._source.sections(self.rows[row])
        previous = self._source.sections(self.rows[row - 1]) if row else ()
        if headings == previous:
            return
        if row and self.is_airy:
            yield self.blank_line(width)
        is_same = True
        for at, heading in enumerate(headings):
            is_same = is_same and at < len(previous) and heading == previous[at]
            if at == len(headings) - 1:
                yield self.heading_line(heading, width)
            elif not is_same:
                title: Line = ((f" {heading.title}", "strong"), *heading.note)
                yield on_ground(fitted(title, width, "text"), "bar")

    def heading_line(self, heading: Heading, width: int) -> Line:
        """The heading of a group of rows as a line; subclasses may draw another one."""
        return group_heading(heading, width)

    def blank_line(self, width: int) -> Line:
        """The line before a group of rows; subclasses may draw something in it."""
        del width
        return ()

    def lines_now(self, size: Size) -> list[Line]:
        if self.rows:
            columns = self._source.columns
            names = [self._source.head_of(column) for column in columns]
            heads: Line = ((" ", "text"), *columns_line(columns, names, size.width - 1))
            return [heads, *self.row_lines()] if columns else self.row_lines()
        if self.guide is not None:
            return guide_lines(self.empty[0], self.guide, size)
        return empty_lines(*self.empty, size)

    def go_to(self, row: int) -> None:
        if self.lifted is not None:
            rows = [unlifted for unlifted in self.rows if unlifted is not self.lifted]
            rows.insert(max(0, min(row, len(rows))), self.lifted)
            self.rows = rows
            self.post_message(self.Changed())
        previous = self.cursor
        super().go_to(row)
        if self.cursor != previous:
            self.post_message(self.Moved())
        self._ask_if_near(self.cursor)

    def go_to_first(self) -> None:
        """Move the cursor to the first row of a search, which asks for no more rows."""
        # The method of the base: that of this class asks for more rows near the end.
        super().go_to(0)

    def scroll(self, by: int) -> None:
        super().scroll(by)
        self._ask_if_near(self.in_sight[1])

    def _ask_if_near(self, row: int) -> None:
        if row >= len(self.rows) - NEAR:
            self.post_message(self.NearEnd())

    def action_open(self) -> None:
        if self.lifted is not None:
            self.action_lift()
        elif self.row is None:
            self.post_message(self.NothingThere())
        else:
            self.post_message(self.Opened(self.row))

    def action_mark(self) -> None:
        if self.row is None:
            self.post_message(self.NothingThere())
        elif self.lifted is None:
            self.marks ^= {self._source.key(self.row)}
            self.go_to(self.cursor + 1)
            self.post_message(self.Changed())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        del parameters
        return None if action == "lift" and not self._source.has_order else True

    def action_lift(self) -> None:
        if self.row is None:
            self.post_message(self.NothingThere())
        elif self.is_searched:
            self.post_message(self.NotMovable())
        elif self.lifted is None:
            self.lifted, self._home = self.row, self.cursor
        else:
            row, self.lifted = self.lifted, None
            self.post_message(self.Dropped(row, self.cursor))
        self.redraw()
        self.post_message(self.Changed())

    def clear_marks(self) -> None:
        self.marks = frozenset()
        self.redraw()
        self.post_message(self.Changed())

    def put_back(self) -> bool:
        """Put the lifted row back, else clear the marks; whether there was anything."""
        if self.lifted is not None:
            self.go_to(self._home)
            self.lifted = None
            self.redraw()
            self.post_message(self.Changed())
        elif self.marks:
            self.clear_marks()
        else:
            return False
        return True

    @property
    def drawn_row(self) -> DrawnLines | None:
        """The row at the cursor as it is drawn; None if it is out of sight."""
        begins = self.offset_of(self.cursor)
        if begins is None:
            return None
        y = self.above + begins + len(list(self.lines_above(self.cursor, self.size.width)))
        return (
            self.drawn_region(Region(0, y, self.size.width, 1))
            if 0 <= y < self.size.height
            else None
        )

    def row_under(self, point: Offset) -> int | None:
        """The row that is drawn at a point of this widget, if any."""
        return self.row_at(point.y)

    async def on_click(self, event: events.Click) -> None:
        point = event.screen_offset - self.region.offset
        row = self.row_under(point)
        if event.button != RIGHT and self.lifted is None and self.follow_link_at(event):
            return
        columns = self._source.columns
        if columns and self.rows and point.y == 0 and self.lifted is None:
            at = column_at(columns, point.x - 1, self.size.width - 1)
            if at is not None:
                self.post_message(self.HeadClicked(columns[at]))
        elif row is not None and self.lifted is None:
            self.go_to(row)
            self.post_message(self.Changed())
            if event.button == RIGHT:
                await self.run_action(actions_at(event.screen_offset))
            elif event.chain == DOUBLE:
                self.action_open()
