"""Carrying out a command that changes something: submitted, waited for, and reported.

The changes go through the outbox as in the program, so that they are kept without a connection.
What the service refuses is dropped again, and named.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import NamedTuple

from tui.cli.output import say_beside, write_json
from tui.cli.scripts.documents import board_document, card_document
from tui.cli.scripts.opened import Opened
from tui.cli.scripts.progress import Noted
from tui.errors import CallboardError, CannotGoOn
from tui.model.board import Board, BoardView
from tui.model.task import Task
from tui.store.events import PendingChange, PendingState
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted

REFUSED = 1
"""The exit code if a change was not accepted, and is not going to be sent."""
SECONDS = 60
_BATCH = 50
"""So many changes are submitted at once: each one is compared with all that wait."""
_DROPPED = (PendingState.REFUSED, PendingState.CONFLICT)


class Plan(NamedTuple):
    """What is to be changed: `done` (“moved”) `tasks`, `where` (“to “Done””).

    `views` are their boards; `notes` are said beside the output. `board` is one that is made, in
    place of tasks.
    """

    operations: Sequence[Operation]
    done: str
    tasks: Sequence[Task]
    views: Sequence[BoardView]
    where: str = ""
    notes: Sequence[str] = ()
    board: Board | None = None
    progress: Noted | None = None
    """Of many cards, each of which is said as it is added."""

    def in_words(self, things: Sequence[Task | Board], renamed: Mapping[int, int]) -> str:
        """The change of some of the tasks; `renamed` maps local ids to assigned ones."""
        return " ".join(filter(None, (self.done, _names_of(things, renamed), self.where)))


def _names_of(things: Sequence[Task | Board], renamed: Mapping[int, int]) -> str:
    if len(things) > 1:
        return counted(len(things), "card")
    number = renamed.get(things[0].id, things[0].id)
    return f"{f'#{number} ' if number > 0 else ''}{quoted(things[0].title)}"


async def connect(opened: Opened) -> None:
    """Connect to change something; a dry run does not while changes wait, as they would be sent.

    Raises `CannotGoOn` if the service rejects the password.
    """
    if not (opened.how.is_dry and opened.store.pending()):
        await opened.connect()
        if opened.is_rejected:
            raise CannotGoOn(opened.problems[0].message, hint=opened.problems[0].hint)


class _Result(NamedTuple):
    # What became of changes; those `dropped` are the refused ones with what depends on them.
    operations: Sequence[Operation]
    renamed: Mapping[int, int]
    waiting: Sequence[PendingChange]
    refused: Sequence[PendingChange]
    unsure: Sequence[PendingChange]
    dropped: Sequence[PendingChange]

    def id_of(self, thing: Task | Board) -> int:
        """The id that the service has assigned to a thing, if it has."""
        return self.renamed.get(thing.id, thing.id)


async def carry_out(opened: Opened, plan: Plan) -> int:
    """Submit a plan, wait for the service, and report; the exit code."""
    for note in plan.notes:
        say_beside(f"callboard: {note}")
    operations = [operation for operation in plan.operations if not operation.changes_nothing]
    if opened.how.is_dry:
        from tui.cli.scripts.dry_run import show_requests

        opened.say_problem([view.board for view in plan.views])
        return await show_requests(opened, plan.views, operations)
    store = opened.store
    before = {change.id for change in store.pending()}
    with plan.progress or nullcontext():
        renamed = await _submit(opened, plan, operations)
        ours = [change for change in store.pending() if change.id not in before]
        refused = [change for change in ours if change.state in _DROPPED]
        for change in refused:
            try:
                await store.discard(change.id)
            except CallboardError as error:
                say_beside(f"callboard: {error.message}")
    there = {change.id for change in store.pending()}
    unsure = [change for change in ours if change.state is PendingState.UNSURE]
    waiting = [change for change in ours if change.id in there and change not in unsure]
    dropped = [change for change in ours if change.id not in there]
    result = _Result(operations, renamed, waiting, refused, unsure, dropped)
    await _report(opened, plan, result)
    return REFUSED if refused or unsure else 0


async def _submit(opened: Opened, plan: Plan, operations: Sequence[Operation]) -> Mapping[int, int]:
    # Of many new cards each is said, in their order, once it is accepted or kept. Returns the
    # assigned ids of the local ones.
    store, renamed, unsaid = opened.store, dict[int, int](), list[Task]()

    def say_accepted() -> None:
        while unsaid and unsaid[0].id in renamed:
            opened.say(plan.in_words([unsaid.pop(0)], renamed))

    end = store.subscribe(lambda event: renamed.update(getattr(event, "renamed", {})))
    try:
        is_answered = not opened.problems
        for batch in _batches(operations):
            if plan.progress:
                created = {operation.creates for operation in batch}
                unsaid[:] = [task for task in plan.tasks if task.id in created]
                plan.progress.begin([task.id for task in unsaid])
            await store.submit(*batch)
            if is_answered:
                left = await opened.sent(SECONDS, say_accepted)
                is_answered = all(change.needs_attention for change in left)
            refused_ids = {
                change.operation.task_id for change in store.pending() if change.needs_attention
            }
            for task in unsaid:
                if task.id not in refused_ids:
                    opened.say(plan.in_words([task], renamed))
    finally:
        end()
    return renamed


def _batches(operations: Sequence[Operation]) -> Iterator[list[Operation]]:
    # Some changes at a time; those of a new card are in the batch that makes it.
    batch: list[Operation] = []
    created: set[int] = set()
    for operation in operations:
        if len(batch) >= _BATCH and operation.task_id not in created:
            yield batch
            batch, created = [], set()
        batch.append(operation)
        if operation.creates is not None:
            created.add(operation.creates)
    if batch:
        yield batch


async def _report(opened: Opened, plan: Plan, result: _Result) -> None:
    store, tasks = opened.store, plan.tasks
    if result.dropped:  # a task with changes that were not dropped is reported
        numbers = Counter(operation.task_id for operation in result.operations)
        numbers.subtract(change.operation.task_id for change in result.dropped)
        tasks = [
            task for task in tasks if sum(numbers[i] for i in {task.id, result.id_of(task)}) > 0
        ]
    new_id = result.id_of(plan.board) if plan.board else None
    boards = [board for board in store.boards() if board.id == new_id]
    problem = ""
    if left := (*result.refused, *result.unsure, *result.waiting):
        reasons = [change.reason for change in left] + [each.message for each in opened.problems]
        problem = next(filter(None, reasons), "The service has not answered in time.")
    if opened.how.as_json:
        states = {
            "refused": result.refused,
            "unsure": result.unsure,
            "kept": result.waiting,
            "sent": result.operations,
        }
        cards = [await _document(opened, plan, result.id_of(task)) for task in tasks]
        write_json(
            {
                "state": next((state for state, some in states.items() if some), "unchanged"),
                "changes": [operation.describe() for operation in result.operations],
                **({"boards": [*map(board_document, boards)]} if plan.board else {"cards": cards}),
                "problem": problem or None,
            }
        )
    elif not result.unsure:
        if not result.operations and plan.tasks:
            names = _names_of(plan.tasks, result.renamed)
            are = "is" if len(tasks) == 1 else "are"
            opened.say(f"nothing to change: {names} {are} like that already")
        elif boards or len(tasks) > (1 if plan.progress else 0):
            opened.say(plan.in_words(tasks or boards, result.renamed))
    for change in result.refused:
        what = "in conflict" if change.state is PendingState.CONFLICT else "refused"
        reason = change.reason or "somebody else has changed it meanwhile."
        say_beside(f"callboard: {what}: {change.operation.describe()}: {reason}")
    for change in result.unsure:
        say_beside(
            f"callboard: {change.operation.describe()}: it is not known whether this took effect."
            " The program asks about it (g u)."
        )
    if result.waiting:
        say_beside(f"callboard: {problem} Kept; it is sent when the service answers.")


async def _document(opened: Opened, plan: Plan, task_id: int) -> dict[str, object] | None:
    for planned in plan.views:
        view = await opened.store.load_board(planned.board.id)
        if view and (task := view.task(task_id)):
            return card_document(task, view)
    return None
