"""`callboard add`: new cards, from arguments or from the lines of standard input."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from tui.cli.scripts.chosen import chosen
from tui.cli.scripts.given import NotGiven, is_from_input, read_input, words_given
from tui.cli.scripts.opened import Opened
from tui.cli.scripts.writing import How, Plan, write
from tui.context import wall_clock
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.model.quick_entry import Known, QuickEntry, parse
from tui.model.task import Priority, Status, Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text import clean
from tui.text.checklist import ChecklistLine, checklist
from tui.text.clean import quoted

MOST_LINES = 1_000


class Wanted(NamedTuple):
    """Where cards are to be added; without a board on the one opened last, or the only one."""

    board: str = ""
    stage: str = ""


def add(how: How, wanted: Wanted, words: Sequence[str]) -> int:
    """Add a card of these words, or one for each line given. Raises `CallboardError`."""
    if is_from_input(words):
        lines = checklist(read_input())
    else:
        lines = [ChecklistLine(clean.line(words_given(words, "the title")), is_done=False)]
    if not lines:
        raise NotGiven("standard input is empty: nothing was added.")
    if len(lines) > MOST_LINES:
        raise NotGiven(
            f"{len(lines):,} lines are too many at once, at most {MOST_LINES:,}: nothing was added."
        )
    return write(how, partial(_adding, wanted, lines))


async def _adding(wanted: Wanted, lines: Sequence[ChecklistLine], opened: Opened) -> Plan:
    (view,) = await opened.views([opened.board(wanted.board)])
    if not view.stages:
        raise CallboardError(f"the board {quoted(view.board.title)} has no stages yet.")
    stage = chosen(wanted.stage, view.stages, "stage") if wanted.stage else view.stages[0]
    known = Known(view.labels, view.people, opened.store.me.among(view.people), wall_clock())
    entries = [parse(line.title, known) for line in lines]
    operations: list[Operation] = []
    tasks: list[Task] = []
    for entry, line in zip(entries, lines, strict=True):
        made, *rest = _operations(entry, view, stage.id, is_done=line.is_done)
        operations += (made, *rest)
        tasks.append(Task(made.task_id or 0, view.board.id, stage.id, entry.title))
    notes = [f"{problem}: left in the title" for entry in entries for problem in entry.problems]
    where = f"to {quoted(stage.title)} on {quoted(view.board.title)}"
    return Plan(operations, "added", tasks, [view], where, notes)


def _operations(
    entry: QuickEntry, view: BoardView, stage_id: int, *, is_done: bool
) -> Iterator[Operation]:
    """What makes a card, and then sets what was typed."""
    priority = entry.priority or Priority.LOW
    made = change.CreateTask.new(view.board.id, stage_id, entry.title, priority)
    yield made
    task = Task(made.task_id, view.board.id, stage_id, entry.title, priority=priority)
    if is_done:
        yield change.set_status(task, Status.CLOSED)
    if entry.due_at is not None:
        yield change.set_due(task, entry.due_at)
    if entry.people:
        yield change.SetAssignees.on(task, entry.people)
    for label in entry.labels:
        yield change.AddLabel.on(task, label)
