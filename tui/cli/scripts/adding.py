"""`callboard add`: cards made of words, or of the lines of standard input."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import partial

from tui.cli.output import say_beside
from tui.cli.scripts.chosen import chosen
from tui.cli.scripts.given import NotGiven, is_from_input, read_input, words_given
from tui.cli.scripts.opened import Opened
from tui.cli.scripts.progress import Progress, added_before
from tui.cli.scripts.writing import SECONDS, How, Plan, write
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


def add(how: How, board: str, stage: str, title: Sequence[str], *, again: bool) -> int:
    """Add a card of these words, or one for each line given. Raises `CallboardError`.

    Without a board it is the one opened last, or the only one; without a stage the first. Lines
    that an interrupted run has added are left out, unless `again`.
    """
    if not is_from_input(title):
        words = clean.line(words_given(title, "the title"))
        line = ChecklistLine(words, is_done=False)
        return write(how, partial(_adding_one, board, stage, line))
    lines = checklist(read_input())
    if not lines:
        raise NotGiven("standard input is empty: nothing was added.")
    if len(lines) > MOST_LINES:
        raise NotGiven(
            f"{len(lines):,} lines are too many at once, at most {MOST_LINES:,}: nothing was added."
        )
    return write(how, partial(_adding_many, how, board, stage, lines, again=again))


async def _adding_one(board: str, stage: str, line: ChecklistLine, opened: Opened) -> Plan:
    view, stage_id = await _place(opened, board, stage)
    return _plan(opened, view, stage_id, [line])


async def _adding_many(
    how: How, board: str, stage: str, lines: Sequence[ChecklistLine], opened: Opened, *, again: bool
) -> Plan:
    view, stage_id = await _place(opened, board, stage)
    what = json.dumps([view.board.id, stage_id, *lines])
    path = opened.kept(f"adding-{hashlib.sha256(what.encode()).hexdigest()[:32]}")
    progress = None if how.is_dry else Progress(path, opened.has_local_id, len(lines))
    before = 0 if again else added_before(path, opened.has_local_id)
    if progress is not None:
        progress.added = before
    if before:
        which = f"all {len(lines):,}" if before == len(lines) else f"{before:,} of {len(lines):,}"
        done = "were added before" if before == len(lines) else "were added before, continuing"
        say_beside(f"callboard: {which} cards {done}; --again adds all of them.")
    if before == len(lines) and not opened.problems:
        await opened.sent(SECONDS)
    return _plan(opened, view, stage_id, lines[before:])._replace(progress=progress)


async def _place(opened: Opened, board: str, stage_name: str) -> tuple[BoardView, int]:
    """The board and the stage that are named."""
    (view,) = await opened.views([opened.board(board)])
    if not view.stages:
        raise CallboardError(
            f"the board {quoted(view.board.title)} has no stages yet.",
            hint="It has them once it is sent: callboard sync" if view.board.id < 0 else "",
        )
    stage = chosen(stage_name, view.stages, "stage") if stage_name else view.stages[0]
    return view, stage.id


def _plan(opened: Opened, view: BoardView, stage_id: int, lines: Sequence[ChecklistLine]) -> Plan:
    known = Known(view.labels, view.people, opened.store.me.among(view.people), wall_clock())
    entries = [parse(line.title, known) for line in lines]
    operations: list[Operation] = []
    tasks: list[Task] = []
    for entry, line in zip(entries, lines, strict=True):
        made, *rest = _operations(entry, view, stage_id, is_done=line.is_done)
        operations += (made, *rest)
        tasks.append(Task(made.task_id or 0, view.board.id, stage_id, entry.title))
    notes = [f"{problem}: left in the title" for entry in entries for problem in entry.problems]
    stage = view.stage(stage_id)
    where = f"to {quoted(stage.title if stage else '')} on {quoted(view.board.title)}"
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
