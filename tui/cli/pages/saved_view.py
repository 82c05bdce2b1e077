"""A saved view as a page: a table of its cards with its columns, in its groups and order."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from tui.cli.pages.blocking import signs
from tui.cli.pages.document import document, label, section, table
from tui.cli.pages.markup import Markup, element, joined, link, moment
from tui.model.relations import NO_RELATIONS, Relations
from tui.model.task import Priority, Task
from tui.model.urgency import is_overdue
from tui.model.work.saved_view import SavedView, ViewColumn, ViewGroup
from tui.model.work.view_rows import UNTITLED, ViewRow
from tui.text.clean import counted
from tui.text.dates import age, in_words, local

_DONE = "✓"


def view_page(
    view: SavedView,
    rows: Sequence[ViewRow],
    now: datetime,
    card_url: str = "",
    *,
    relations: Relations = NO_RELATIONS,
) -> str:
    """The page of a view with these rows, at a wall-clock time; `relations` say what is blocked."""
    boards = len({row.task.board_id for row in rows})
    overdue = sum(is_overdue(row.task, now) for row in rows)
    said = [f"{counted(len(rows), 'card')} on {counted(boards, 'board')}"]
    said += [f"{overdue} overdue"] if overdue else []
    blocked = sum(relations.is_blocked(row.task) for row in rows)
    said += [f"{blocked} blocked"] if blocked else []

    def title(task: Task) -> Markup:
        return _title(task, card_url, relations)

    groups = [
        _group(view, name, [*in_group], now, title)
        for name, in_group in groupby(rows, key=attrgetter("group"))
    ]
    return document(
        view.name,
        (f"{' · '.join(said)} · as of {in_words(now)}", view.query and f"Filter: {view.query}"),
        *(groups or [element("p", "No cards match.")]),
        colors=[tag.color for row in rows for tag in row.task.labels],
    )


def _group(
    view: SavedView,
    name: str,
    rows: Sequence[ViewRow],
    now: datetime,
    title: Callable[[Task], Markup],
) -> Markup:
    heads = [_head(view, column) for column in view.columns]
    cells = (
        (title(row.task), *(_cell(view, column, row, now) for column in view.columns))
        for row in rows
    )
    listed = table(["title", *heads], cells, class_="rows")
    count = element("span", str(len(rows)), class_="count")
    return section(2, joined(name, " ", count), listed) if name else listed


def _head(view: SavedView, column: ViewColumn) -> str:
    if column is not ViewColumn.BOARD:
        return column.value
    return "stage" if view.group is ViewGroup.BOARD else "board › stage"


def _cell(view: SavedView, column: ViewColumn, row: ViewRow, now: datetime) -> Markup:
    if column is not ViewColumn.BOARD:
        return _CELLS[column](row.task, now)
    stage = element("span", row.stage, dir="auto")
    if view.group is ViewGroup.BOARD:
        return stage
    return joined(element("span", row.board or UNTITLED, dir="auto"), " › ", stage)


def _title(task: Task, card_url: str, relations: Relations) -> Markup:
    parts = [f"{_DONE} "] if task.is_closed else []
    if not task.is_local:
        number = element("span", f"#{task.id}", class_="number")
        parts += [link(task.web_address(card_url), number), " "]
    parts.append(element("span", task.title or UNTITLED, class_="title", dir="auto"))
    return joined(*parts, *signs(task, relations))


def _who(task: Task, _: datetime) -> Markup:
    names = ", ".join(person.in_words for person in task.assignees)
    return element("span", names or "–", dir="auto")


def _due(task: Task, now: datetime) -> Markup:
    if task.due_at is None:
        return joined("–")
    is_late = is_overdue(task, now)
    words = f"{in_words(task.due_at)}{', overdue' if is_late else ''}"
    return moment(task.due_at, words, class_="bad" if is_late else "")


def _start(task: Task, _: datetime) -> Markup:
    if task.started_at is None:
        return joined("–")
    return moment(task.started_at, in_words(task.started_at))


def _since(at: datetime | None, now: datetime) -> Markup:
    if at is None:
        return joined("–")
    count, unit = age(min(local(at), now), now)
    return joined(counted(count, unit))


def _labels(task: Task, _: datetime) -> Markup:
    labels = [label(tag.title, tag.color) for tag in task.labels]
    return element("ul", *labels, class_="labels") if labels else joined("–")


def _priority(task: Task, _: datetime) -> Markup:
    return joined("–" if task.priority is Priority.LOW else task.priority.value)


_CELLS: Mapping[ViewColumn, Callable[[Task, datetime], Markup]] = {
    ViewColumn.WHO: _who,
    ViewColumn.DUE: _due,
    ViewColumn.AGE: lambda task, now: _since(task.created_at, now),
    ViewColumn.LABELS: _labels,
    ViewColumn.START: _start,
    ViewColumn.UPDATED: lambda task, now: _since(task.updated_at, now),
    ViewColumn.PRIORITY: _priority,
}
