"""Undoing and redoing on what the service has now.

An operation that undoes another knows what was set; where that is no longer what is there, somebody
else changed it, and that is told before anything is written. What was deleted is made anew under
another id, which everything that is remembered of it follows.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tui.client.capabilities import Feature, why_missing
from tui.model.board import Board, BoardView
from tui.model.ids import Kind
from tui.store import operations as change
from tui.store.operations.base import AlreadyApplied, Conflicting, Difference, Merged, Operation
from tui.store.operations.ids import Revived, new_local_id
from tui.store.outbox.file import Remember
from tui.store.outbox.history import History, Stack, Step
from tui.store.remote import Document

_ARCHIVED_INSTEAD = f"{why_missing(Feature.TASK_DELETION)} The card is archived instead."


class Taken(NamedTuple):
    """What is to be written, and what somebody else changed since."""

    operations: tuple[Operation, ...]
    differences: tuple[Difference, ...]


def taken_on(
    operations: Sequence[Operation],
    now: Sequence[Document | None],
    later: Sequence[Operation] = (),
) -> Taken:
    """The operations on what is there now; those that would change nothing are left out.

    A document of None means that nothing is known against it. What is there when an operation's
    turn comes is not what is there now, if one before it changes the same. What the person's own
    `later` operations set, which could not be undone, nobody else changed.
    """
    taken: list[Operation] = []
    differences: list[Difference] = []
    for operation, document in zip(operations, now, strict=True):
        is_prepared = any(
            _is_of_the_same(earlier, operation) and operation.conflicts_with(earlier)
            for earlier in taken
        )
        if document is None or not operation.keeps_base or is_prepared:
            taken.append(operation)
            continue
        verdict = operation.check(document)
        if isinstance(verdict, Conflicting):
            own = (one for one in later if operation.subject == one.subject)
            if not any(isinstance(one.check(document), AlreadyApplied) for one in own):
                differences.extend(verdict.differences)
            taken.append(operation.rebased_on(document))
        elif isinstance(verdict, Merged):
            taken.append(verdict.operation)
        elif not isinstance(verdict, AlreadyApplied):
            taken.append(operation)
    return Taken(tuple(taken), tuple(differences))


def _is_of_the_same(one: Operation, other: Operation) -> bool:
    """Whether both are about the same thing, or about the same task and what belongs to it."""
    is_same_task = one.task_id is not None and one.task_id == other.task_id
    return is_same_task or one.subject == other.subject


def without_gone_labels(
    operations: Sequence[Operation], view: BoardView | None
) -> tuple[tuple[Operation, ...], tuple[str, ...]]:
    """The operations without labels that the board has no more, and which these are, in words."""
    if view is None:
        return tuple(operations), ()
    gone = [
        operation
        for operation in operations
        if isinstance(operation, change.AddLabel)
        and operation.label.id >= 0
        and view.label(operation.label.id) is None
    ]
    words = (f"The board has no label {one.label.in_words} any more." for one in gone)
    kept = tuple(operation for operation in operations if operation not in gone)
    return kept, tuple(dict.fromkeys(words))


def archived_instead(
    operations: Sequence[Operation],
) -> tuple[tuple[Operation, ...], tuple[str, ...]]:
    """The operations with tasks archived that would be deleted, and that this is so, in words.

    A task that the service does not have yet is not deleted by it either.
    """
    instead = tuple(
        change.ArchiveTask.on(one.task, one.place)
        if isinstance(one, change.DeleteTask) and one.task.id >= 0
        else one
        for one in operations
    )
    is_other = instead != tuple(operations)
    return instead, (_ARCHIVED_INSTEAD,) if is_other else ()


def made_anew(
    operations: Sequence[Operation],
) -> tuple[tuple[Operation, ...], tuple[Mapping[int, int], ...]]:
    """The operations with what they make under new local ids, and which is which."""
    by_kind: dict[Kind, dict[int, int]] = defaultdict(dict)
    for operation in operations:
        if operation.creates is not None:
            by_kind[operation.subject.kind][operation.creates] = new_local_id()
    revived = tuple(Revived(kind, ids) for kind, ids in by_kind.items())
    for ids in revived:
        operations = [operation.renamed(ids) for operation in operations]
    return tuple(operations), revived


def remembering(step: Step, stack: Stack, revived: Sequence[Mapping[int, int]]) -> Remember:
    """What the history makes of a step that is taken back, or done again."""

    def remember(history: History, again: Step) -> None:
        history.remove(step)
        if stack == "undo":
            history.push("redo", replace(step, parts=step.done))
        for ids in revived:
            history.revive(step.board_id, ids)
        if stack == "redo":
            history.push("undo", again if again.parts else step)

    return remember


def remember_new(history: History, step: Step) -> None:
    """A new change can be taken back; what was taken back before can not be done again."""
    history.clear(step.board_id, "redo")
    history.push("undo", step)


def unmade_board(board_id: int) -> BoardView:
    """A board that is about to be made."""
    return BoardView(Board(board_id, ""))
