"""Carrying out a command that changes something: submitted, waited for, and reported.

The changes go through the outbox as in the program, so that they are kept without a connection.
What the service refuses is dropped again, and named.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from typing import NamedTuple

from tui.cli.output import say, say_beside, write_json
from tui.cli.scripts.documents import board_document, card_document
from tui.cli.scripts.opened import Opened, run_opened
from tui.cli.scripts.progress import Progress
from tui.errors import CallboardError, CannotGoOn
from tui.model.board import Board, BoardView
from tui.model.task import Task
from tui.store.events import PendingChange, PendingState, StoreEvent
from tui.store.operations.base import Operation
from tui.store.protocol import Store
from tui.text.clean import counted, quoted

REFUSED = 1
"""The exit code if a change was not accepted, and is not going to be sent."""
SECONDS = 60
_BATCH = 50
"""So many changes are submitted at once: each one is compared with all that wait."""
_DROPPED = (PendingState.REFUSED, PendingState.CONFLICT)


class How(NamedTuple):
    """The options of all commands that change something.

    With `in_sentences` lines begin with a capital and end with a full stop, as in plain mode.
    """

    profile: str = ""
    as_json: bool = False
    is_quiet: bool = False
    is_dry: bool = False
    ascii_only: bool = False
    in_sentences: bool = False

    def say(self, line: str) -> None:
        """Print a line, unless only what did not work is to be said."""
        if not (self.as_json or self.is_quiet):
            if self.in_sentences:
                line = f"{line[:1].upper()}{line[1:]}."
            say(line, ascii_only=self.ascii_only)


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
    progress: Progress | None = None
    """Of many cards, each of which is said as it is added."""

    def in_words(self, made: "Sequence[Task | Board]", is_of: Callable[[int], int]) -> str:
        """The change of some of the tasks; `is_of` gives the assigned id of a local one."""
        return " ".join(filter(None, (self.done, _named(made, is_of), self.where)))


def _named(tasks: Sequence[Task | Board], is_of: Callable[[int], int]) -> str:
    if len(tasks) > 1:
        return counted(len(tasks), "card")
    number = is_of(tasks[0].id)
    return f"{f'#{number} ' if number > 0 else ''}{quoted(tasks[0].title)}"


Planning = Callable[[Opened], Awaitable[Plan]]


def write(how: How, planning: Planning) -> int:
    """Change what `planning` finds, and report it; the exit code. Raises `CallboardError`."""
    return run_opened(how.profile, partial(_written, how, planning))


async def _written(how: How, planning: Planning, opened: Opened) -> int:
    if not (how.is_dry and opened.store.pending()):  # connecting sends what waits
        await opened.connect()
        if opened.is_rejected:
            raise CannotGoOn(opened.problems[0].message, hint=opened.problems[0].hint)
    return await carry_out(how, opened, await planning(opened))


async def carry_out(how: How, opened: Opened, plan: Plan) -> int:
    """Submit a plan, wait for the service, and report; the exit code. Raises `CallboardError`."""
    for note in plan.notes:
        say_beside(f"callboard: {note}")
    operations = [one for one in plan.operations if not one.changes_nothing]
    if how.is_dry:
        from tui.cli.scripts.dry_run import show_requests

        opened.say_problem([view.board for view in plan.views])
        return await show_requests(opened, plan.views, operations, as_json=how.as_json)
    with plan.progress or nullcontext():
        result = await _submitted(how, opened, plan, operations)
    await _report(how, opened.store, plan, result)
    return REFUSED if result.refused or result.unsure else 0


class _Result(NamedTuple):
    """What became of changes; `renamed` maps local ids to assigned ones.

    Those `dropped` are the refused ones with what depends on them; `offline` is why the service is
    not reached.
    """

    operations: Sequence[Operation]
    renamed: dict[int, int]
    kept: Sequence[PendingChange] = ()
    refused: Sequence[PendingChange] = ()
    unsure: Sequence[PendingChange] = ()
    dropped: Sequence[PendingChange] = ()
    offline: str = ""

    @property
    def state(self) -> str:
        """The state of all of it in a word, for programs."""
        if self.refused:
            return "refused"
        if self.unsure:
            return "unsure"
        if self.kept:
            return "kept"
        return "sent" if self.operations else "unchanged"

    @property
    def problem(self) -> str:
        """Why not everything was sent; empty if it was."""
        left = (*self.refused, *self.unsure, *self.kept)
        if not left:
            return ""
        reason = next((one.reason for one in left if one.reason), self.offline)
        return reason or "The service has not answered in time."

    def is_of(self, some_id: int) -> int:
        """The assigned id of a local one."""
        return self.renamed.get(some_id, some_id)

    def is_changed(self, task: Task) -> bool:
        """Whether some change of this task was not dropped."""
        ids = {task.id, self.is_of(task.id)}
        ours = sum(one.task_id in ids for one in self.operations)
        return not self.dropped or ours > sum(one.operation.task_id in ids for one in self.dropped)


class _Accepted:
    """What the service has accepted; of many new cards, each is said in their order."""

    def __init__(self, how: How, plan: Plan) -> None:
        self.renamed: dict[int, int] = {}
        self._how = how
        self._plan = plan
        self._new = {task.id: task for task in plan.tasks}
        self._unsaid: list[Task] = []

    def hear(self, event: StoreEvent) -> None:
        """Learn the ids that were assigned."""
        self.renamed.update(getattr(event, "renamed", {}))

    def begin(self, batch: Sequence[Operation]) -> None:
        """Note that these changes are submitted next."""
        if self._plan.progress:
            ids = [one.creates for one in batch if one.creates is not None]
            self._plan.progress.begin([one for one in ids if one in self._new])
            self._unsaid = [self._new[one] for one in ids if one in self._new]

    def say(self) -> None:
        """Say which cards were accepted."""
        while self._unsaid and self._unsaid[0].id in self.renamed:
            self._say(self._unsaid.pop(0))

    def end(self, pending: Sequence[PendingChange]) -> None:
        """Say also which are kept."""
        refused = {one.operation.task_id for one in pending if one.needs_attention}
        for task in self._unsaid:
            if task.id not in refused:
                self._say(task)

    def _say(self, task: Task) -> None:
        self._how.say(self._plan.in_words([task], lambda own: self.renamed.get(own, own)))


async def _submitted(
    how: How, opened: Opened, plan: Plan, operations: Sequence[Operation]
) -> _Result:
    """Submit changes and wait until all are accepted; those refused are dropped again."""
    store, accepted = opened.store, _Accepted(how, plan)
    renamed = accepted.renamed
    if not operations:
        return _Result(operations, renamed)
    before = {one.id for one in store.pending()}
    end = store.subscribe(accepted.hear)
    try:
        is_answered = not opened.problems
        for batch in _batches(operations):
            accepted.begin(batch)
            await store.submit(*batch)
            if is_answered:
                left = await opened.sent(SECONDS, accepted.say)
                is_answered = all(one.needs_attention for one in left)
            accepted.end(store.pending())
    finally:
        end()
    ours = [one for one in store.pending() if one.id not in before]
    refused = [one for one in ours if one.state in _DROPPED]
    await _drop(store, refused)
    there = {one.id for one in store.pending()}
    unsure = [one for one in ours if one.state is PendingState.UNSURE]
    kept = [one for one in ours if one.id in there and one not in unsure]
    dropped = [one for one in ours if one.id not in there]
    offline = opened.problems[0].message if opened.problems else ""
    return _Result(operations, renamed, kept, refused, unsure, dropped, offline)


def _batches(operations: Sequence[Operation]) -> Iterator[list[Operation]]:
    """Some changes at a time; those of a new card are in the batch that makes it."""
    batch: list[Operation] = []
    made: set[int] = set()
    for operation in operations:
        if len(batch) >= _BATCH and operation.task_id not in made:
            yield batch
            batch, made = [], set()
        batch.append(operation)
        if operation.creates is not None:
            made.add(operation.creates)
    yield batch


async def _drop(store: Store, refused: Sequence[PendingChange]) -> None:
    """Drop refused changes with what depends on them."""
    for one in refused:
        try:
            await store.discard(one.id)
        except CallboardError as error:
            say_beside(f"callboard: {error.message}")


async def _report(how: How, store: Store, plan: Plan, result: _Result) -> None:
    tasks = [task for task in plan.tasks if result.is_changed(task)]
    new_id = result.is_of(plan.board.id) if plan.board else None
    boards = [board for board in store.boards() if board.id == new_id]
    if how.as_json:
        cards = [await _document(store, plan, result.is_of(one.id)) for one in tasks]
        write_json(
            {
                "state": result.state,
                "changes": [one.describe() for one in result.operations],
                **({"boards": [*map(board_document, boards)]} if plan.board else {"cards": cards}),
                "problem": result.problem or None,
            }
        )
    elif not result.unsure:
        if not result.operations and plan.tasks:
            told = _named(plan.tasks, result.is_of)
            how.say(
                f"nothing to change: {told} {'is' if len(tasks) == 1 else 'are'} like that already"
            )
        elif boards or len(tasks) > (1 if plan.progress else 0):
            how.say(plan.in_words(tasks or boards, result.is_of))
    for one in result.refused:
        what = "in conflict" if one.state is PendingState.CONFLICT else "refused"
        reason = one.reason or "somebody else has changed it meanwhile."
        say_beside(f"callboard: {what}: {one.operation.describe()}: {reason}")
    for one in result.unsure:
        say_beside(
            f"callboard: {one.operation.describe()}: it is not known whether this took effect."
            " The program asks about it (g u)."
        )
    if result.kept:
        say_beside(f"callboard: {result.problem} Kept; it is sent when the service answers.")


async def _document(store: Store, plan: Plan, task_id: int) -> dict[str, object] | None:
    """A card as it is now; None if it is gone."""
    for known in plan.views:
        view = await store.load_board(known.board.id)
        task = view.task(task_id) if view else None
        if view and task:
            return card_document(task, view)
    return None
