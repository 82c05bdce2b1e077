"""Carrying out a command that changes something: submitted, waited for, and reported.

The changes go through the outbox as in the program, so that they are kept without a connection.
What the service refuses is dropped again, and named.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from types import MappingProxyType
from typing import NamedTuple

from tui.cli.output import say_beside, write_json
from tui.cli.scripts.documents import board_document, card_document
from tui.cli.scripts.opened import How, Opened, run_opened
from tui.cli.scripts.progress import Noted
from tui.errors import CallboardError, CannotGoOn
from tui.model.board import Board, BoardView
from tui.model.quick_entry import created_labels
from tui.model.task import Label, Task
from tui.store.events import PendingChange, PendingState
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted

REFUSED = 1
"""The exit code if a change was not accepted, and is not going to be sent."""
SECONDS = 60
_BATCH = 50
"""The changes submitted at once; not more, as each is compared with all pending ones."""
_DROPPED = (PendingState.REFUSED, PendingState.CONFLICT)


class Stopped(CallboardError):
    """The program ends, and not all of many cards are added."""


class Plan(NamedTuple):
    """What is to be changed: `done` (“moved”) `tasks`, `where` (“to “Done””).

    `views` are their boards; `notes` are said beside the output. `board` is one that is made, in
    place of tasks; `labels` are created for the tasks.
    """

    operations: Sequence[Operation]
    done: str
    tasks: Sequence[Task]
    views: Sequence[BoardView]
    where: str = ""
    notes: Sequence[str] = ()
    board: Board | None = None
    labels: Sequence[Label] = ()
    progress: Noted | None = None
    """Of many cards: it notes each batch, and each card is printed as it is added."""
    more: Mapping[str, object] = MappingProxyType({})
    """Further members of the JSON output."""

    @property
    def changes(self) -> list[Operation]:
        """The operations that change something."""
        return [operation for operation in self.operations if not operation.changes_nothing]

    def in_words(self, things: Sequence[Task | Board], renamed: Mapping[int, int]) -> str:
        """The change of some of the tasks; `renamed` maps local ids to assigned ones."""
        return " ".join(filter(None, (self.done, _names_of(things, renamed), self.where)))


def _names_of(things: Sequence[Task | Board], renamed: Mapping[int, int]) -> str:
    if len(things) > 1:
        return counted(len(things), "card")
    number = renamed.get(things[0].id, things[0].id)
    return f"{f'#{number} ' if number > 0 else ''}{quoted(things[0].title)}"


Planning = Callable[..., Awaitable[Plan]]
"""Plans what is to be changed in an opened profile, which it takes first."""


def run_plan(how: How, planning: Planning) -> int:
    """Open a profile, connect, and carry out what is planned then; the exit code."""

    async def work(opened: Opened) -> int:
        await connect(opened)
        return await carry_out(opened, await planning(opened))

    return run_opened(how, work)


async def connect(opened: Opened) -> None:
    """Connect to change something; a dry run does not while changes wait, as they would be sent.

    Raises `CannotGoOn` if the service rejects the password.
    """
    if not (opened.how.is_dry and opened.store.pending()):
        await opened.connect()
        if opened.is_rejected:
            raise CannotGoOn(opened.problems[0].message, hint=opened.problems[0].hint)


class WriteResult(NamedTuple):
    """The outcome of changes; `dropped` are the refused ones with those that depend on them.

    `renamed` maps local ids to assigned ones.
    """

    operations: Sequence[Operation]
    renamed: Mapping[int, int]
    waiting: Sequence[PendingChange]
    refused: Sequence[PendingChange]
    unsure: Sequence[PendingChange]
    dropped: Sequence[PendingChange]

    def id_of(self, thing: Task | Board) -> int:
        """The id that the service has assigned to a thing, if it has."""
        return self.renamed.get(thing.id, thing.id)

    @property
    def state(self) -> str:
        """The outcome in a word: refused, unsure, kept, sent or unchanged."""
        states = {
            "refused": self.refused,
            "unsure": self.unsure,
            "kept": self.waiting,
            "sent": self.operations,
        }
        return next((state for state, some in states.items() if some), "unchanged")

    def tasks_of(self, plan: Plan) -> Sequence[Task]:
        """The tasks of the plan that have changes which were not dropped."""
        if not self.dropped:
            return plan.tasks
        # The plan has local ids, pending changes may have assigned ones already.
        numbers = Counter(operation.task_id for operation in self.operations)
        numbers.subtract(change.operation.task_id for change in self.dropped)
        return [
            task for task in plan.tasks if sum(numbers[i] for i in {task.id, self.id_of(task)}) > 0
        ]

    def labels_of(self, plan: Plan) -> Sequence[Label]:
        """The labels created for the tasks of the plan, unless their creation was dropped."""
        dropped = {change.operation.subject for change in self.dropped}
        return [label for label in plan.labels if ("label", label.id) not in dropped]

    def problem(self, opened: Opened) -> str:
        """Why not all of them are accepted; empty if they are."""
        left = (*self.refused, *self.unsure, *self.waiting)
        reasons = [change.reason for change in left] + [
            problem.message for problem in opened.problems
        ]
        late = "The service did not respond in time."
        return next(filter(None, reasons), late) if left else ""

    def reasons(self) -> Iterator[str]:
        """The changes that were refused, or may have taken effect, and why."""
        for change in self.refused:
            outcome = "in conflict" if change.state is PendingState.CONFLICT else "refused"
            reason = change.reason or "someone else changed it."
            yield f"{outcome}: {change.operation.describe()}: {reason}"
        for change in self.unsure:
            yield (
                f"{change.operation.describe()}: unknown whether this took effect."
                " Decide in the program (g u)."
            )


async def carry_out(opened: Opened, plan: Plan) -> int:
    """Submit a plan, wait for the service, and report; the exit code."""
    for note in plan.notes:
        say_beside(f"callboard: {note}")
    if opened.how.is_dry:
        from tui.cli.scripts.dry_run import show_requests

        opened.say_problem([view.board for view in plan.views])
        return await show_requests(opened, plan.views, plan.changes)
    result = await carried_out(opened, plan)
    await report(opened, plan, result)
    if result.state == "sent":
        await opened.read_back([view.board for view in plan.views])
    return REFUSED if result.refused or result.unsure else 0


async def carried_out(
    opened: Opened, plan: Plan, seconds: float = SECONDS, besides: Collection[int] = ()
) -> WriteResult:
    """Submit a plan, wait so long for the service, and drop what it refuses.

    Everything that is pending is waited for, but the changes `besides`, by their ids.
    """
    store = opened.store
    # Refused changes are dropped within it: an import notes at its end which cards the outbox
    # lacks, so that they can be imported again.
    with plan.progress or nullcontext():
        renamed, ids = await _submit(opened, plan, seconds, besides)
        ours = [change for change in store.pending() if change.id in ids]
        refused = [change for change in ours if change.state in _DROPPED]
        for change in refused:
            try:
                await store.discard(change.id)
            except CallboardError as error:
                say_beside(f"callboard: {error.message}")
    pending_ids = {change.id for change in store.pending()}
    unsure = [change for change in ours if change.state is PendingState.UNSURE]
    waiting = [change for change in ours if change.id in pending_ids and change not in unsure]
    dropped = [change for change in ours if change.id not in pending_ids]
    return WriteResult(plan.changes, renamed, waiting, refused, unsure, dropped)


async def _submit(
    opened: Opened, plan: Plan, seconds: float, besides: Collection[int]
) -> tuple[Mapping[int, int], Collection[int]]:
    # Of many new cards each is said, in their order, once it is accepted or kept. Returns the
    # assigned ids of the local ones, and the ids of the pending changes.
    store, renamed, unsaid, ids = opened.store, dict[int, int](), list[Task](), set[int]()

    def say_accepted() -> None:
        while unsaid and unsaid[0].id in renamed:
            opened.say(plan.in_words([unsaid.pop(0)], renamed))

    end = store.subscribe(lambda event: renamed.update(getattr(event, "renamed", {})))
    try:
        is_answered = not opened.problems
        for batch in _batches(plan.changes):
            if plan.progress:
                created = {operation.creates for operation in batch}
                unsaid[:] = [task for task in plan.tasks if task.id in created]
                if opened.is_stopped:
                    # Between batches the progress is exact.
                    raise Stopped("not everything was added.")
                plan.progress.begin([task.id for task in unsaid])
            previous_ids = {change.id for change in store.pending()}
            await store.submit(*batch)
            ids |= {change.id for change in store.pending()} - previous_ids
            # Once the service has not answered, the other batches are only queued, or each would
            # wait.
            if is_answered:
                left = await opened.sent(seconds, say_accepted, besides)
                is_answered = all(change.needs_attention for change in left)
            refused_ids = {
                change.operation.task_id for change in store.pending() if change.needs_attention
            }
            for task in unsaid:
                if task.id not in refused_ids:
                    opened.say(plan.in_words([task], renamed))
    finally:
        end()
    return renamed, ids


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


async def report(opened: Opened, plan: Plan, result: WriteResult) -> None:
    """Print what became of a plan."""
    tasks, problem = result.tasks_of(plan), result.problem(opened)
    new_id = result.id_of(plan.board) if plan.board else None
    boards = [board for board in opened.store.boards() if board.id == new_id]
    if opened.how.as_json:
        cards = [await _document(opened, plan, result.id_of(task)) for task in tasks]
        write_json(
            {
                "state": result.state,
                "changes": [operation.describe() for operation in result.operations],
                **({"boards": [*map(board_document, boards)]} if plan.board else {"cards": cards}),
                "problem": problem or None,
                **plan.more,
            }
        )
    elif not result.unsure:
        if not result.operations and plan.tasks:
            names = _names_of(plan.tasks, result.renamed)
            are = "is" if len(tasks) == 1 else "are"
            opened.say(f"nothing to change: {names} {are} already up to date")
        elif boards or len(tasks) > (1 if plan.progress else 0):
            opened.say(plan.in_words(tasks or boards, result.renamed))
        if labels := result.labels_of(plan):
            opened.say(created_labels(labels))
    for reason in result.reasons():
        say_beside(f"callboard: {reason}")
    if result.waiting:
        say_beside(f"callboard: {problem} Kept; will be sent when online.")


async def _document(opened: Opened, plan: Plan, task_id: int) -> dict[str, object] | None:
    for planned in plan.views:
        view = await opened.store.load_board(planned.board.id)
        if view and (task := view.task(task_id)):
            return card_document(task, view)
    return None
