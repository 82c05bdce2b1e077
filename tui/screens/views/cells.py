"""The columns of a view and what stands in them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from tui.model.people import Account, Initials, in_initials
from tui.model.query.language import name_of_label
from tui.model.relations import NO_RELATIONS, Relations
from tui.model.task import Priority, Task
from tui.model.urgency import is_overdue, is_upcoming
from tui.model.work.saved_view import SavedView, ViewColumn, ViewSort
from tui.model.work.view_rows import ViewRow
from tui.text.dates import age, local, past, relative
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span
from tui.widgets.row_list import ListColumn, sorted_head

_WIDE, _MEDIUM, _NARROW = 100, 70, 50
"""From these widths on labels and stages are shown, then people and ages, then boards."""
_NONE: Line = (("–", "quiet"),)
_NUMBER = ListColumn("#", width=8, role="quiet", align="right", gap=2)
_TITLE = ListColumn("title", gap=2)
_COLUMNS: Mapping[ViewColumn, Sequence[ListColumn]] = {
    # With the stage where there is room.
    ViewColumn.BOARD: (
        ListColumn(
            f"board {glyphs.RIGHT} stage", width=29, role="quiet", gap=1, least=_WIDE, wide=48
        ),
        ListColumn("board", width=17, role="quiet", gap=1, least=_NARROW, most=_WIDE - 1),
    ),
    ViewColumn.WHO: (ListColumn("who", width=7, gap=1, least=_MEDIUM),),
    ViewColumn.DUE: (ListColumn("due", width=13, gap=1),),
    ViewColumn.AGE: (
        ListColumn("age", width=6, role="quiet", align="right", gap=2, least=_MEDIUM),
    ),
    ViewColumn.LABELS: (ListColumn("labels", width=15, gap=1, least=_WIDE, wide=32),),
    ViewColumn.START: (ListColumn("start", width=9, role="quiet", gap=1, least=_MEDIUM),),
    ViewColumn.UPDATED: (
        ListColumn("updated", width=9, role="quiet", align="right", gap=2, least=_MEDIUM),
    ),
    ViewColumn.PRIORITY: (ListColumn("priority", width=9, gap=1, least=_MEDIUM),),
}
_SORTS = {
    "title": ViewSort.TITLE,
    "due": ViewSort.DUE,
    "age": ViewSort.AGE,
    "updated": ViewSort.UPDATED,
    "priority": ViewSort.PRIORITY,
}
"""What a click on the name of a column sorts by."""
_SORTED_BY = {sort: name for name, sort in _SORTS.items()}


class CellContext(NamedTuple):
    """What the cells of all rows depend on."""

    now: datetime
    me: Account
    initials: Initials
    is_of_board: bool
    """Whether the cards are grouped by board, so that the column has the stage alone."""
    relations: Relations = NO_RELATIONS


def columns_of(view: SavedView) -> tuple[ListColumn, ...]:
    """The columns of a view."""
    chosen = (column for name in view.columns for column in _COLUMNS[name])
    return (_NUMBER, _TITLE, *chosen)


def head_of(column: ListColumn, view: SavedView) -> Line:
    """The name of a column, with an arrow if the view is sorted by it."""
    return sorted_head(column, _SORTED_BY[view.sort], is_reversed=view.is_reversed)


def sort_of(column: ListColumn) -> ViewSort | None:
    """What a click on the name of a column sorts by; None if it sorts by nothing."""
    return _SORTS.get(column.name)


def cells_of(row: ViewRow, view: SavedView, about: CellContext) -> tuple[str | Line, ...]:
    """The cells of a row, one for each of `columns_of`."""
    cells: list[str | Line] = []
    for column in view.columns:
        if column is ViewColumn.BOARD:
            board, stage = row.board, row.stage
            both = stage if about.is_of_board else f"{board} {glyphs.RIGHT} {stage}"
            cells += [both, stage if about.is_of_board else board]
        else:
            cells.append(_CELLS[column](row.task, about))
    number = "new" if row.task.is_local else f"#{row.task.id}"
    return (number, _title(row.task, about.relations), *cells)


def _title(task: Task, relations: Relations) -> Line:
    title = f"{glyphs.DONE} {task.title}" if task.is_closed else task.title
    own: Span = (title or "(no title)", "quiet" if task.is_closed else "text")
    if what_blocks := relations.what_blocks(task):
        return (f" {glyphs.BLOCKED} {what_blocks} ", "blocked"), (" ", "text"), own
    return (own,)


def _who(task: Task, about: CellContext) -> Line:
    if not task.assignees:
        return ((glyphs.NOBODY, "quiet"),)
    first, more = task.assignees[0], len(task.assignees) - 1
    own = about.me.among(task.assignees)
    first = own or first
    (letters,) = in_initials((first,), about.initials)
    role = "text" if own is None else "accent"
    return ((letters, role), (f" +{more}", "quiet")) if more else ((letters, role),)


def due_cell(task: Task, now: datetime) -> Line:
    """A due date in the words of columns."""
    due = task.due_at
    if due is None:
        return _NONE
    if task.is_closed and due < now:
        return ((past(due, now), "quiet"),)
    words = relative(due, now)
    if is_overdue(task, now):
        return ((words, "bad"),)
    # The time is on the card; a column has the day.
    day = words.partition(" ")[0] if words.startswith("today") else words
    return ((day, "warn" if is_upcoming(task, now) else "quiet"),)


def _start(task: Task, about: CellContext) -> str | Line:
    start = task.started_at
    if start is None:
        return _NONE
    words = past(start, about.now) if start < about.now else relative(start, about.now)
    return words.partition(" ")[0] if words.startswith("today") else words


def _since(moment: datetime | None, now: datetime) -> str | Line:
    if moment is None:
        return _NONE
    count, unit = age(min(local(moment), now), now)
    return f"{count}{unit[0]}"


def _priority(task: Task) -> Line:
    if task.priority is Priority.LOW:
        return _NONE
    is_high = task.priority is Priority.HIGH
    sign = glyphs.HIGH if is_high else glyphs.MEDIUM
    return ((f"{sign} {task.priority.value}", "strong" if is_high else "quiet"),)


def _labels(task: Task) -> Line:
    spans: list[Span] = []
    for label in task.labels:
        gap = " " if spans else ""
        spans += [(f"{gap}{glyphs.CHIP}", label.color), (name_of_label(label), "quiet")]
    return tuple(spans) or (("", "quiet"),)


_CELLS: Mapping[ViewColumn, Callable[[Task, CellContext], str | Line]] = {
    ViewColumn.WHO: _who,
    ViewColumn.DUE: lambda task, about: due_cell(task, about.now),
    ViewColumn.AGE: lambda task, about: _since(task.created_at, about.now),
    ViewColumn.LABELS: lambda task, _: _labels(task),
    ViewColumn.START: _start,
    ViewColumn.UPDATED: lambda task, about: _since(task.updated_at, about.now),
    ViewColumn.PRIORITY: lambda task, _: _priority(task),
}
