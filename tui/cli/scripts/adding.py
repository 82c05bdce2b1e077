"""`callboard add`: the plan of new cards with marks in their titles, of many, or of a template."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

from tui.cli.output import say_beside
from tui.cli.scripts.chosen import (
    chosen,
    is_from_input,
    read_input,
    words_given,
)
from tui.cli.scripts.opened import How, Opened
from tui.cli.scripts.progress import Added, Progress, added_before, path_for
from tui.cli.scripts.writing import SECONDS, Plan, run_plan
from tui.client.capabilities import Feature
from tui.errors import CallboardError, WrongInput
from tui.model.board import BoardView
from tui.model.quick_entry import Known, QuickEntry, parse, suggestions
from tui.model.task import Priority, Status, Task, distinct
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text import clean
from tui.text.checklist import ChecklistLine, checklist
from tui.text.clean import quoted
from tui.text.dates import wall_clock

MOST_LINES = 1_000


def add(
    how: How, board: str, stage: str, title: Sequence[str], *, template: str, again: bool
) -> int:
    """Add a card of these words, or one for each line given.

    Without a board it is the one opened last, or the only one; without a stage the first. Lines
    that an interrupted run has added are left out, unless `again`. With a template the cards are
    copies of it, and one has its title if it is given none.
    """
    # Input is read before asyncio runs, which would keep ctrl+c from ending that.
    # A template has a title of its own, so that none has to be read from input.
    is_list = is_from_input(title) and not (template and not title)
    if is_list:
        lines = lines_of(read_input(), "standard input")
    else:
        words = words_given(title, "the title") if title or not template else ""
        lines = [ChecklistLine(clean.line(words), is_done=False)]

    async def planned(opened: Opened) -> Plan:
        view, stage_id = await stage_for(opened, board, stage)
        source = template_for(opened, view, template)
        if not is_list:
            return adding(opened, view, stage_id, lines, source)
        added_count, plan = going_on(opened, view, stage_id, lines, source, again=again)
        advice = "--again adds all of them."
        if added_count == len(lines):
            say_beside(f"callboard: all {added_count:,} cards were already added; {advice}")
            # All is in the outbox, but the interrupted run may not have sent it.
            if not opened.problems:
                await opened.sent(SECONDS)
        elif added_count:
            count = f"{added_count:,} of {len(lines):,}"
            say_beside(f"callboard: {count} cards were added before, continuing; {advice}")
        return plan

    return run_plan(how, planned)


def template_for(opened: Opened, view: BoardView, words: str) -> Task | None:
    """The template that is meant; None without words."""
    if not words:
        return None
    if opened.store.offers(Feature.TASK_COPIES) is False:
        raise CallboardError("this service’s edition cannot duplicate cards.")
    templates = [task for task in view.all_tasks() if task.is_template]
    if not templates:
        raise WrongInput(f"{quoted(view.board.title)} has no templates.")
    return chosen(words, templates, "template")


def going_on(
    opened: Opened,
    view: BoardView,
    stage_id: int,
    lines: Sequence[ChecklistLine],
    template: Task | None = None,
    *,
    again: bool = False,
) -> tuple[int, Plan]:
    """The plan of many cards, which notes how far it comes.

    If it was interrupted before, it is that of the others, unless it is to begin `again`; returned
    with how many were added then.
    """
    # By ids, so that a run is recognised after its board or stage was renamed.
    of_template = [template.id] if template else []
    identity = json.dumps([view.board.id, stage_id, *lines, *of_template])
    digest = hashlib.sha256(identity.encode()).hexdigest()[:32]
    path = path_for(opened.workspace.preferences.parent, digest)
    is_known = opened.workspace.store.has_local_id
    added = Added() if again else added_before(path, is_known)
    added = added._replace(total=len(lines))
    plan = adding(opened, view, stage_id, lines[added.cards :], template)
    # Only a real run may write and lock the file.
    if not opened.how.is_dry:
        titles = {task.id: task.title for task in plan.tasks}
        plan = plan._replace(progress=Progress(path, is_known, added, titles))
    return added.cards, plan


async def stage_for(opened: Opened, board: str, stage: str) -> tuple[BoardView, int]:
    """The board that new cards go to, and the id of the stage; see `add`."""
    (view,) = await opened.views([opened.board(board)])
    if not view.stages:
        raise CallboardError(
            f"the board {quoted(view.board.title)} has no stages yet.",
            hint="It gets them once it is sent: callboard sync" if view.board.id < 0 else "",
        )
    return view, (chosen(stage, view.stages, "stage") if stage else view.stages[0]).id


def lines_of(text: str, source: str) -> Sequence[ChecklistLine]:
    """The cards of a text, one for each line. Raises `WrongInput`."""
    lines = checklist(text)
    if not lines:
        raise WrongInput(f"{source} is empty: nothing was added.")
    if len(lines) > MOST_LINES:
        raise WrongInput(
            f"{len(lines):,} lines are too many at once, at most {MOST_LINES:,}: nothing was added."
        )
    return lines


def adding(
    opened: Opened,
    view: BoardView,
    stage_id: int,
    lines: Sequence[ChecklistLine],
    template: Task | None = None,
) -> Plan:
    """The plan of cards with marks in their titles, as copies of a template if there is one."""
    context = Known(view.labels, view.people, opened.store.me.among(view.people), wall_clock())
    operations: list[Operation] = []
    tasks: list[Task] = []
    notes: list[str] = []
    labels = list(view.labels)
    for line in lines:
        entry = parse(line.title, context._replace(labels=labels))
        creations = change.create_labels(view.board.id, entry.new_labels, labels)
        operations += creations
        new = [creation.label for creation in creations]
        # A label that one line creates exists for the lines below it.
        labels += new
        task, creation = _creation(view.board.id, stage_id, entry, template)
        operations += creation
        if line.is_done:
            operations.append(change.set_status(task, Status.CLOSED))
        if entry.due_at is not None:
            operations.append(change.set_due(task, entry.due_at))
        if entry.people:
            people = distinct((*task.assignees, *entry.people))
            operations.append(change.set_assignees(task, people))
        operations += (change.add_label(task, label) for label in (*entry.labels, *new))
        tasks.append(task)
        notes += filter(None, (_note(entry, context),))
    stage = view.stage(stage_id)
    where = f"to {quoted(stage.title if stage else '')} on {quoted(view.board.title)}"
    return Plan(operations, "added", tasks, [view], where, notes, labels=labels[len(view.labels) :])


def _creation(
    board_id: int, stage_id: int, entry: QuickEntry, template: Task | None
) -> tuple[Task, list[Operation]]:
    if template is None:
        priority = entry.priority or Priority.LOW
        created = change.CreateTask.new(board_id, stage_id, entry.title, priority)
        task = Task(created.task_id, board_id, stage_id, entry.title, priority=priority)
        return task, [created]
    copied = change.CloneTask.of(template, stage_id=stage_id, title=entry.title)
    task = replace(copied.copy, stage_id=stage_id)
    operations: list[Operation] = [copied]
    if entry.priority is not None:
        operations.append(change.set_priority(task, entry.priority))
    return task, operations


def _note(entry: QuickEntry, about: Known) -> str:
    meant = suggestions(entry, about)
    return f"{entry.note}; did you mean {' or '.join(meant)}?" if meant else entry.note
