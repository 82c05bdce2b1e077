"""`callboard boards` and `tasks`, which list what is known, and `sync`."""

from collections.abc import Sequence

from tui.cli import output
from tui.cli.output import Cell, Colored, Column, print_table, say, say_beside, write_json
from tui.cli.scripts.documents import board_document, card_document
from tui.cli.scripts.opened import Opened
from tui.context import wall_clock
from tui.model.query.about import About, name_of_label
from tui.model.query.matching import filtered
from tui.model.query.reading import check
from tui.model.task import Priority
from tui.model.urgency import is_overdue
from tui.store.clock import few_at_once
from tui.text.clean import counted
from tui.text.dates import relative, stamp
from tui.widgets.glyphs import DONE

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
    *map(Column, ("Stage", "Board", "Due", "Priority", "Assignees", "Labels")),
)
_SEND_SECONDS = 60
_NAMED = 10
"""How many changes that are still pending are named."""


async def list_boards(opened: Opened, *, as_json: bool, only_ids: bool, ascii_only: bool) -> int:
    """Print the boards, with `only_ids` nothing else of them."""
    await opened.connect()
    boards = opened.boards()
    opened.say_problem(boards)
    if as_json:
        write_json([*map(board_document, boards)])
    elif only_ids:
        for board in boards:
            say(str(board.id))
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


def _number(own_id: int) -> str:
    return f"#{own_id}" if own_id > 0 else "new"


async def list_tasks(
    opened: Opened,
    *,
    query: Sequence[str],
    boards: Sequence[str],
    as_json: bool,
    only_ids: bool,
    ascii_only: bool,
) -> int:
    """Print the cards that a query finds; the exit code is 1 if there are none."""
    words = " ".join(query)
    check(words)
    now, store = wall_clock(), opened.store
    await opened.connect()
    views = await opened.views(opened.named(boards))
    opened.say_problem([view.board for view in views])
    changed = {card for view in views for card in store.changed_by_others(view.board.id)}
    about = About.of(views, store.me, now, changed)
    terms = check(words, about)
    cards = [(task, view) for view in views for task in filtered(view, terms, about).all_tasks()]
    if as_json:
        write_json([card_document(task, view) for task, view in cards])
    elif only_ids:
        for task, _ in cards:
            say(str(task.id))
    elif cards:
        rows: list[list[Cell]] = []
        for task, view in cards:
            stage = view.stage(task.stage_id)
            due = "" if task.is_closed or not task.due_at else relative(task.due_at, now)
            # Most cards have the low priority, which says nothing.
            priority = "" if task.priority is Priority.LOW else task.priority.value
            rows.append(
                [
                    _number(task.id),
                    f"{DONE} {task.title}" if task.is_closed else task.title,
                    stage.title if stage else "",
                    "" if len(views) == 1 else view.board.title,
                    Colored(due, output.BAD if is_overdue(task, now) else ""),
                    Colored(priority, output.BOLD if task.priority is Priority.HIGH else ""),
                    ", ".join(person.login or person.name for person in task.assignees),
                    Colored(", ".join(map(name_of_label, task.labels)), output.NAME),
                ]
            )
        print_table(_CARDS, rows, ascii_only=ascii_only)
    else:
        say_beside("callboard: no card is found.")
    return int(not cards)


async def sync(opened: Opened, *, is_quiet: bool, as_json: bool) -> int:
    """Send and read everything; the exit code is 1 if something was not sent, or not read."""
    store = opened.store
    before = len(store.pending())
    await opened.connect()
    left = store.pending() if opened.problems else await opened.sent(_SEND_SECONDS)
    boards = opened.boards() if not opened.problems else []
    await few_at_once(opened.read, boards)
    count = len(boards) - len(opened.problems) if boards else 0
    if as_json:
        waiting = [
            {
                "board": change.board_id,
                "change": change.operation.describe(),
                "state": change.state.value,
                "reason": change.reason or None,
                "since": stamp(change.since),
            }
            for change in left
        ]
        write_json(
            {
                "sent": before - len(left),
                "waiting": waiting,
                "boards": count,
                "problem": opened.problems[0].message if opened.problems else None,
            }
        )
    else:
        if not is_quiet:
            say(f"sent {counted(before - len(left), 'change')}, read {counted(count, 'board')}")
        for change in left[:_NAMED]:
            reason = f": {change.reason}" if change.reason else ""
            say_beside(f"callboard: {change.state.value}: {change.operation.describe()}{reason}")
        if len(left) > _NAMED:
            say_beside(f"callboard: and {counted(len(left) - _NAMED, 'other')}")
    opened.say_problem(())
    return int(bool(left or opened.problems))
