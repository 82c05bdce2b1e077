"""`callboard add`, `callboard board add` and `callboard tour`: make cards and boards."""

import hashlib
import json
import sys
from collections.abc import Sequence

from tui.cli.output import say, say_beside
from tui.cli.scripts.chosen import (
    chosen,
    file_given,
    is_from_input,
    read_input,
    title_given,
    words_given,
)
from tui.cli.scripts.opened import Opened, run_opened
from tui.cli.scripts.progress import Progress, added_before
from tui.cli.scripts.writing import SECONDS, How, Plan, carry_out, connect
from tui.client.capabilities import Feature
from tui.context import wall_clock
from tui.errors import CallboardError, CannotGoOn, WrongInput
from tui.model.board import BoardType, BoardView
from tui.model.quick_entry import Known, parse
from tui.model.task import Priority, Status, Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text import clean
from tui.text.checklist import ChecklistLine, checklist
from tui.text.clean import quoted
from tui.text.markdown import to_html

MOST_LINES = 1_000


def add(how: How, board: str, stage: str, title: Sequence[str], *, again: bool) -> int:
    """Add a card of these words, or one for each line given.

    Without a board it is the one opened last, or the only one; without a stage the first. Lines
    that an interrupted run has added are left out, unless `again`.
    """
    if is_list := is_from_input(title):
        lines = _lines_of_input()
    else:
        lines = [ChecklistLine(clean.line(words_given(title, "the title")), is_done=False)]

    async def change_opened(opened: Opened) -> int:
        await connect(opened, how)
        (view,) = await opened.views([opened.board(board)])
        if not view.stages:
            raise CallboardError(
                f"the board {quoted(view.board.title)} has no stages yet.",
                hint="It has them once it is sent: callboard sync" if view.board.id < 0 else "",
            )
        stage_id = (chosen(stage, view.stages, "stage") if stage else view.stages[0]).id
        if not is_list:
            return await carry_out(how, opened, adding(opened, view, stage_id, lines))
        what = json.dumps([view.board.id, stage_id, *lines])
        digest = hashlib.sha256(what.encode()).hexdigest()[:32]
        path = opened.workspace.preferences.with_name(f"adding-{digest}")
        is_known = opened.workspace.store.has_local_id
        progress = None if how.is_dry else Progress(path, is_known, len(lines))
        before = 0 if again else added_before(path, is_known)
        if progress is not None:
            progress.added = before
        if before == len(lines):
            say_beside(
                f"callboard: all {before:,} cards were added before; --again adds all of them."
            )
            if not opened.problems:
                await opened.sent(SECONDS)
        elif before:
            say_beside(
                f"callboard: {before:,} of {len(lines):,} cards were added before, continuing;"
                " --again adds all of them."
            )
        plan = adding(opened, view, stage_id, lines[before:])._replace(progress=progress)
        return await carry_out(how, opened, plan)

    return run_opened(how.profile, change_opened)


def _lines_of_input() -> Sequence[ChecklistLine]:
    lines = checklist(read_input())
    if not lines:
        raise WrongInput("standard input is empty: nothing was added.")
    if len(lines) > MOST_LINES:
        raise WrongInput(
            f"{len(lines):,} lines are too many at once, at most {MOST_LINES:,}: nothing was added."
        )
    return lines


def adding(opened: Opened, view: BoardView, stage_id: int, lines: Sequence[ChecklistLine]) -> Plan:
    """The plan of cards with marks in their titles."""
    context = Known(view.labels, view.people, opened.store.me.among(view.people), wall_clock())
    operations: list[Operation] = []
    tasks: list[Task] = []
    notes: list[str] = []
    labels = list(view.labels)
    for line in lines:
        entry = parse(line.title, context._replace(labels=labels))
        creations = change.create_labels(view.board.id, entry.new_labels, labels)
        operations += creations
        made = [creation.label for creation in creations]
        labels += made
        priority = entry.priority or Priority.LOW
        created = change.CreateTask.new(view.board.id, stage_id, entry.title, priority)
        task = Task(created.task_id, view.board.id, stage_id, entry.title, priority=priority)
        operations.append(created)
        if line.is_done:
            operations.append(change.set_status(task, Status.CLOSED))
        if entry.due_at is not None:
            operations.append(change.set_due(task, entry.due_at))
        if entry.people:
            operations.append(change.SetAssignees.on(task, entry.people))
        operations += (change.AddLabel.on(task, label) for label in (*entry.labels, *made))
        tasks.append(task)
        notes += filter(None, (entry.note,))
    stage = view.stage(stage_id)
    where = f"to {quoted(stage.title if stage else '')} on {quoted(view.board.title)}"
    return Plan(operations, "added", tasks, [view], where, notes)


def add_board(
    how: How,
    title: Sequence[str],
    *,
    kind: str,
    stages: Sequence[str],
    description: str | None,
    currency: str,
    folder: str,
) -> int:
    """Add a board; without stages it has those of the service."""
    name = title_given(words_given(title, "the title"))
    titles = tuple(map(title_given, stages))
    markdown = "" if description is None else file_given(description, "the description")

    async def change_opened(opened: Opened) -> int:
        await connect(opened, how)
        if folder and opened.store.offers(Feature.FOLDERS) is False:
            raise CallboardError("folders are not offered by this service's edition.")
        operations = change.new_board(
            name,
            BoardType(kind),
            titles,
            description=to_html(markdown) if markdown else "",
            currency=currency,
            folder_id=chosen(folder, await opened.folders(), "folder").id if folder else None,
        )
        board = operations[0].board
        plan = Plan(operations, "added the board", [], [BoardView(board)], board=board)
        return await carry_out(how, opened, plan)

    return run_opened(how.profile, change_opened)


def show_tour(profile: str, *, ascii_only: bool) -> int:
    """Make the board that teaches the keys again; on a terminal open it, else say where it is."""
    from tui.tour import TITLE, make_tour

    board_id: int | None = None

    async def make(opened: Opened) -> int:
        nonlocal board_id
        board_id = await opened.connect()
        if opened.problems:
            raise CannotGoOn(opened.problems[0].message, hint=opened.problems[0].hint)
        board_id = board_id or await make_tour(await opened.store.service())
        say(f"made the board “{TITLE}” ({board_id}); callboard --boards lists it")
        return 0

    code = run_opened(profile, make)
    if board_id is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return code
    from tui.cli.program import run
    from tui.navigation import BoardRequested

    request = BoardRequested(board_id)
    return run(ascii_only=ascii_only, boards=False, profile=profile, request=lambda _: request)
