"""`callboard boards` and `callboard tasks`."""

from collections.abc import Sequence
from datetime import datetime

from tui.cli.output import Column, print_table, say, say_beside, write_json
from tui.cli.scripts.documents import board_document, card_document
from tui.cli.scripts.opened import Opened, run_opened
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


def list_boards(*, profile: str, as_json: bool, only_ids: bool, ascii_only: bool) -> int:
    """Print the boards, with `only_ids` nothing else of them. Raises `CallboardError`."""

    async def listed(opened: Opened) -> int:
        await opened.connect()
        boards = opened.boards()
        opened.say_problem(boards)
        if as_json:
            write_json([board_document(board) for board in boards])
        elif only_ids:
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
            print_table(_BOARDS, rows, ascii_only=ascii_only)
        return 0

    return run_opened(profile, listed)


def list_tasks(
    *,
    query: Sequence[str],
    boards: Sequence[str],
    profile: str,
    as_json: bool,
    only_ids: bool,
    ascii_only: bool,
) -> int:
    """Print the cards that a query finds; 1 if there are none. Raises `CallboardError`."""
    words = " ".join(query)
    check(words)

    async def listed(opened: Opened) -> int:
        now = wall_clock()
        views, found = await _found(opened, words, boards, now)
        if as_json:
            write_json([card_document(task, view) for task, view in found])
        elif only_ids:
            _say_ids([task.id for task, _ in found])
        elif found:
            rows = [_row(task, view, now, is_one=len(views) == 1) for task, view in found]
            print_table(_CARDS, rows, ascii_only=ascii_only)
        else:
            say_beside("callboard: no card is found.")
        return 0 if found else NOTHING

    return run_opened(profile, listed)


async def _found(
    opened: Opened, words: str, boards: Sequence[str], now: datetime
) -> tuple[Sequence[BoardView], Sequence[tuple[Task, BoardView]]]:
    await opened.connect()
    views = await opened.views(opened.named(boards))
    opened.say_problem([view.board for view in views])
    store = opened.store
    changed = {card for view in views for card in store.changed_by_others(view.board.id)}
    about = About.of(views, store.me, now, changed)
    query = check(words, about)
    return views, [
        (task, view) for view in views for task in filtered(view, query, about).all_tasks()
    ]


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
