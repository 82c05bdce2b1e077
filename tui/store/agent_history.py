"""What agents did on this machine, from the history of changes, and how all of it is undone.

What an agent did is undone by changes of the user's own, as one step: its own steps stay in the
history, and are there again if that step is undone. A value that has changed since is left alone.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from tui.model.comment import find
from tui.model.work.agent_log import AgentChange
from tui.store import operations as change
from tui.store.core import Core
from tui.store.documents.shapes import Document
from tui.store.events import Reversal
from tui.store.operations.base import AlreadyApplied, Conflicting, Operation
from tui.store.outbox.history import StepPart, UndoStep
from tui.store.outbox.undo import recreated, without_gone_labels
from tui.store.sync.known_state import KnownState
from tui.store.views.board_updates import BoardUpdates
from tui.store.views.lookup import Lookup
from tui.text.clean import line, quoted
from tui.text.past import in_the_past

_OF_BOARDS = frozenset({"board", "stage", "label", "field", "member"})


class AgentHistory:
    """The changes of agents on this profile."""

    def __init__(
        self, core: Core, updates: BoardUpdates, lookup: Lookup, known_state: KnownState
    ) -> None:
        self._core = core
        self._queue = core.queue
        self._updates = updates
        self._lookup = lookup
        self._known_state = known_state

    async def changes(self, since: datetime) -> list[AgentChange]:
        """What agents changed since a moment and was not undone, newest first."""
        steps = await self._steps(since)
        for board_id in {step.board_id for step in steps if step.origin}:
            await self._updates.load(board_id)
        undone = _undone(steps)
        return [
            replace(self._shown(step, part), is_undone=part.entry_seq in undone)
            for step in steps
            if step.origin
            for part in reversed(step.done)
        ]

    async def _steps(self, since: datetime) -> list[UndoStep]:
        return await self._core.disk.run(self._core.outbox.history.since, since)

    def _shown(self, step: UndoStep, part: StepPart) -> AgentChange:
        operation = part.operation
        view = self._updates.boards.view(step.board_id)
        task = view.task(operation.task_id) if view and operation.task_id else None
        name = _name(operation)
        what = in_the_past(_without(operation.describe(), name))
        title = task.title if task is not None else name
        ids = step.board_id, operation.task_id
        return AgentChange(step.origin, step.at, *ids, title, what, _was(part))

    async def reversal(
        self, agent: str, since: datetime, board_ids: Collection[int], by_others: Mapping[int, str]
    ) -> Reversal:
        """How the changes of an agent on some boards are undone, compared with what is known now.

        `by_others` names who else has changed cards: one that the agent added stays then.
        """
        current = {self._queue.current_id(board_id) for board_id in board_ids}
        steps = [step for step in await self._steps(since) if step.board_id in current]
        for board_id in {step.board_id for step in steps}:
            await self._updates.load(board_id)
        undone = _undone(steps)
        draft = _Drafting(by_others)
        later: list[Operation] = []
        for step in steps:
            if step.origin == agent:
                parts = tuple(part for part in step.parts if part.entry_seq not in undone)
                await self._undo(replace(step, parts=parts), draft, later)
            elif step.reverses != agent:
                later += step.operations
        operations, gone = list[Operation](), list[str]()
        for board_id in dict.fromkeys(operation.board_id for operation in draft.operations):
            own = [operation for operation in draft.operations if operation.board_id == board_id]
            view = self._updates.boards.view(board_id)
            remaining, why = without_gone_labels(own, view)
            operations += recreated(remaining, view)[0]
            gone += why
        return Reversal(draft.count, tuple(operations), tuple(dict.fromkeys((*draft.kept, *gone))))

    async def _undo(self, step: UndoStep, draft: "_Drafting", later: Sequence[Operation]) -> None:
        created = {part.operation.creates for part in step.done} - {None}
        for part in reversed(step.done):
            operation = part.operation
            if operation.creates is None and operation.task_id in created:
                continue  # it goes with the card that it was added with
            count = len(draft.operations)
            if isinstance(operation, change.CreateTask | change.CloneTask):
                self._archive(operation, draft, later)
            elif operation.subject.kind in _OF_BOARDS:
                draft.keep(operation, "what belongs to the board stays")
            elif not part.undo:
                draft.keep(operation, "it cannot be undone")
            else:
                for inverse in part.undo:
                    await self._take(operation, inverse, draft, later)
            draft.count += len(draft.operations) > count

    def _archive(self, creation: Operation, draft: "_Drafting", later: Sequence[Operation]) -> None:
        # Not deleted, so that it comes back as it was.
        task_id = creation.subject.id
        view = self._updates.boards.view(creation.board_id)
        task, where = (view.task(task_id), view.place_of(task_id)) if view else (None, None)
        who = draft.by_others.get(task_id, "")
        if any(own.task_id == task_id for own in later):
            who = "you"
        if task is None or where is None:
            draft.keep(creation, "it is no longer on the board")
        elif who:
            draft.keep(creation, f"{who} changed it since")
        else:
            draft.operations.append(change.ArchiveTask.on(task, where[1]))

    async def _take(
        self, done: Operation, inverse: Operation, draft: "_Drafting", later: Sequence[Operation]
    ) -> None:
        subject = inverse.subject
        same = [own for own in later if own.subject == subject]
        if any(inverse.may_set(own) or own.may_set(inverse) for own in same):
            draft.leave(done, inverse, "you changed it since")
        elif draft.is_left(inverse):
            draft.leave(done, inverse, "what the agent did to it after that is left, too")
        elif draft.is_prepared(inverse) or any(
            entry.is_drawn for entry in self._queue.of_subject(subject)
        ):
            # Compared when it is sent, as what it is based on is not at the service yet.
            draft.operations.append(inverse)
        else:
            document = await self._known_state.document(inverse)
            if isinstance(inverse, change.DeleteComment) and await self._is_answered(inverse):
                draft.leave(done, inverse, "it was answered since")
            else:
                self._compare(done, inverse, draft, document)

    async def _is_answered(self, deletion: change.DeleteComment) -> bool:
        threads = await self._lookup.comments(deletion.board_id)
        comment = find(threads.get(deletion.comment.task_id, ()), deletion.subject.id)
        return comment is not None and bool(comment.replies)

    def _compare(
        self, done: Operation, inverse: Operation, draft: "_Drafting", document: Document | None
    ) -> None:
        is_task = inverse.subject.kind == "task" and inverse.subject.id > 0
        if is_task and (document is None or document.get("archived_at")):
            draft.leave(done, inverse, "the card is no longer on the board")
        elif document is None or not inverse.keeps_base:
            draft.operations.append(inverse)
        else:
            verdict = inverse.check(document)
            if isinstance(verdict, Conflicting):
                draft.leave(done, inverse, "it was changed since")
            elif not isinstance(verdict, AlreadyApplied):
                draft.operations.append(verdict)


@dataclass(slots=True)
class _Drafting:
    """What is known so far of how to undo the changes of an agent."""

    by_others: Mapping[int, str]
    operations: list[Operation] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    count: int = 0
    _left: list[Operation] = field(default_factory=list)

    def keep(self, done: Operation, why: str) -> None:
        """Leave a change as it is."""
        self.kept.append(f"{done.describe()}: {why}.")

    def leave(self, done: Operation, inverse: Operation, why: str) -> None:
        """Leave a value as it is, and what was set before it."""
        self._left.append(inverse)
        self.keep(done, why)

    def is_left(self, inverse: Operation) -> bool:
        """Whether what this is based on is not undone."""
        return any(_are_of_one_value(left, inverse) for left in self._left)

    def is_prepared(self, inverse: Operation) -> bool:
        """Whether what this is based on is undone before it."""
        return any(_are_of_one_value(earlier, inverse) for earlier in self.operations)


def _undone(steps: Sequence[UndoStep]) -> set[int]:
    """The numbers of the changes of agents that the user has undone; steps are newest first."""
    undone, back = set[int](), defaultdict[tuple[str, int], list[Operation]](list)
    for step in steps:
        if step.reverses:
            back[step.reverses, step.board_id] += step.operations
            continue
        # Each value was set back once for each change of it.
        remaining = back[step.origin, step.board_id]
        for part in reversed(step.done if step.origin else ()):
            for inverse in part.undo:
                found = next((other for other in remaining if _sets_back(other, inverse)), None)
                if found is not None:
                    remaining.remove(found)
                    undone.add(part.entry_seq)
    return undone


def _sets_back(done: Operation, inverse: Operation) -> bool:
    if isinstance(done, change.ArchiveTask):
        return isinstance(inverse, change.DeleteTask) and done.subject == inverse.subject
    return _are_of_one_value(done, inverse)


def _are_of_one_value(operation: Operation, other: Operation) -> bool:
    return operation.subject == other.subject and (
        operation.may_set(other) or other.may_set(operation)
    )


def _name(operation: Operation) -> str:
    if operation.task_id is None:
        return ""
    if isinstance(operation, change.Edit):
        return operation.target.name
    task = getattr(operation, "task", None)
    title = getattr(operation if task is None else task, "title", "")
    return str(getattr(operation, "name", "") or title)


def _without(description: str, name: str) -> str:
    """A description without the title of its card, which is said beside it."""
    if not name:
        return description
    return re.sub(f"( (?:on|of|from|to))? {re.escape(quoted(name))}", "", description, count=1)


def _was(part: StepPart) -> str:
    operation = part.operation
    if isinstance(operation, change.Edit):
        return operation.base_in_words
    if isinstance(operation, change.MoveTask):
        return quoted(operation.from_title) if operation.from_title else ""
    if isinstance(operation, change.EditComment):
        return quoted(line(operation.old_text or ""))
    moves = (back.stage_title for back in part.undo if isinstance(back, change.MoveTask))
    return next((f"in {quoted(title)}" for title in moves if title), "")
