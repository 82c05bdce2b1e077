"""`callboard boards` and `callboard tasks`."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

from tui.cli.output import say, say_beside, write_json
from tui.cli.scripts.documents import board_document, card_document
from tui.cli.scripts.opened import Opened, run_opened
from tui.cli.scripts.table import Column, print_table
from tui.context import wall_clock
from tui.model.board import BoardView
from tui.model.query.about import About, name_of_label
from tui.model.query.matching import filtered
from tui.model.query.reading import check
from tui.model.task import Task
from tui.text.dates import relative
from tui.widgets.glyphs import DONE

NOTHING = 1
"""The exit code if nothing was found."""

_BOARDS = (
    Column("Id", is_number=True),
    Column("Board", is_wide=True),
    Column("Open", is_number=True),
    Column("Closed", is_number=True),
    Column("Type"),
)
_CARDS = (
    Column("Card", is_number=True),
    Column("Title", is_wide=True),
    Column("Stage"),
    Column("Board"),
    Column("Due"),
    Column("Priority"),
    Column("Assignees"),
    Column("Labels"),
)


class Wanted(NamedTuple):
    """What was asked for; `only_ids` prints nothing but ids, a line each."""

    query: str = ""
    boards: Sequence[str] = ()
    as_json: bool = False
    only_ids: bool = False
    profile: str = ""
    ascii_only: bool = False


def list_boards(wanted: Wanted) -> int:
    """Print the boards. Raises `CallboardError`."""
    return run_opened(wanted.profile, partial(_boards, wanted))


def list_tasks(wanted: Wanted) -> int:
    """Print the cards that a query finds; 1 if there are none. Raises `CallboardError`."""
    check(wanted.query)
    return run_opened(wanted.profile, partial(_tasks, wanted))


async def _boards(wanted: Wanted, opened: Opened) -> int:
    await opened.connect()
    boards = opened.boards()
    opened.say_problem(())
    if wanted.as_json:
        write_json([board_document(board) for board in boards])
    elif wanted.only_ids:
        _say_ids([board.id for board in boards])
    else:
        rows = [
            [
                _number(board.id),
                board.title,
                str(board.tasks_count - board.completed_count),
                str(board.completed_count),
                board.type.value,
            ]
            for board in boards
        ]
        print_table(_BOARDS, rows, ascii_only=wanted.ascii_only)
    return 0


async def _tasks(wanted: Wanted, opened: Opened) -> int:
    await opened.connect()
    views = await opened.views(opened.named(wanted.boards))
    opened.say_problem([view.board for view in views])
    store, now = opened.store, wall_clock()
    changed = {card for view in views for card in store.changed_by_others(view.board.id)}
    about = About.of(views, store.me, now, changed)
    query = check(wanted.query, about)
    found = [(task, view) for view in views for task in filtered(view, query, about).all_tasks()]
    if wanted.as_json:
        write_json([card_document(task, view) for task, view in found])
    elif wanted.only_ids:
        _say_ids([task.id for task, _ in found])
    elif found:
        rows = [_row(task, view, now, is_one=len(views) == 1) for task, view in found]
        print_table(_CARDS, rows, ascii_only=wanted.ascii_only)
    else:
        say_beside("callboard: no card is found.")
    return 0 if found else NOTHING


def _row(task: Task, view: BoardView, now: datetime, *, is_one: bool) -> list[str]:
    stage = view.stage(task.stage_id)
    due = relative(task.due_at, now) if task.due_at and not task.is_closed else ""
    return [
        _number(task.id),
        f"{DONE} {task.title}" if task.is_closed else task.title,
        stage.title if stage else "",
        "" if is_one else view.board.title,
        due,
        task.priority.value,
        ", ".join(person.login or person.name for person in task.assignees),
        ", ".join(map(name_of_label, task.labels)),
    ]


def _number(own_id: int) -> str:
    """The number of a board or card; one that is not sent yet has none."""
    return f"#{own_id}" if own_id > 0 else "new"


def _say_ids(ids: Sequence[int]) -> None:
    for one in ids:
        say(str(one))
