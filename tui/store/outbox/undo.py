"""Undo and redo, rebased on the current state.

An inverse knows the value that was set; if the current one differs, others changed it, which is
reported before anything is written. Deleted things are recreated under a new id, which the history
follows.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tui.client.capabilities import Feature, why_missing
from tui.client.documents import Document
from tui.model.board import BoardView
from tui.model.ids import Kind
from tui.store import operations as change
from tui.store.operations.base import AlreadyApplied, Conflicting, FieldDifference, Operation
from tui.store.operations.ids import Revived, new_local_id
from tui.store.outbox.history import UndoStep

_CREATED = {"task": "The card", "stage": "The stage", "board": "The board"}
_ARCHIVED_INSTEAD = f"{why_missing(Feature.TASK_DELETION)} The card is archived instead."


class RebasedOperations(NamedTuple):
    """The operations to write, and the updates by others since."""

    operations: tuple[Operation, ...]
    differences: tuple[FieldDifference, ...]


def rebased_operations(
    operations: Sequence[Operation],
    now: Sequence[Document | None],
    later: Sequence[Operation],
) -> RebasedOperations:
    """The operations on the current documents; those without effect are left out.

    A document of None means that nothing is known. Operations that follow one of the same subject
    in the list are not compared. Values set by the user's own `later` operations do not count as
    changes of others.
    """
    result: list[Operation] = []
    differences: list[FieldDifference] = []
    for operation, document in zip(operations, now, strict=True):
        # The document does not show the effect of operations before it in the list.
        is_prepared = any(
            _is_of_the_same(earlier, operation) and operation.conflicts_with(earlier)
            for earlier in result
        )
        if document is None or not operation.keeps_base or is_prepared:
            result.append(operation)
            continue
        verdict = operation.check(document)
        if isinstance(verdict, Conflicting):
            own = (newer for newer in later if operation.subject == newer.subject)
            if not any(isinstance(newer.check(document), AlreadyApplied) for newer in own):
                differences.extend(verdict.differences)
            result.append(operation.rebased_on(document))
        elif not isinstance(verdict, AlreadyApplied):
            result.append(verdict)
    return RebasedOperations(tuple(result), tuple(differences))


def _is_of_the_same(earlier: Operation, operation: Operation) -> bool:
    is_same_task = earlier.task_id is not None and earlier.task_id == operation.task_id
    return is_same_task or earlier.subject == operation.subject


def without_gone_labels(
    operations: Sequence[Operation], view: BoardView | None
) -> tuple[tuple[Operation, ...], tuple[str, ...]]:
    """The operations without labels that no longer exist, and a notice about these."""
    if view is None:
        return tuple(operations), ()
    remaining: list[Operation] = []
    words: list[str] = []
    for operation in operations:
        label = operation.added_label if isinstance(operation, change.Edit) else None
        if label is None or label.id < 0 or view.label(label.id) is not None:
            remaining.append(operation)
        else:
            words.append(f"The board no longer has the label {label.in_words}.")
    return tuple(remaining), tuple(dict.fromkeys(words))


def archived_instead(
    operations: Sequence[Operation],
) -> tuple[tuple[Operation, ...], tuple[str, ...]]:
    """The operations with deletions of tasks replaced by archiving, and a notice about it.

    Tasks that were not sent yet are still deleted.
    """
    instead = tuple(
        change.ArchiveTask.on(operation.task, operation.place)
        if isinstance(operation, change.DeleteTask) and operation.task.id >= 0
        else operation
        for operation in operations
    )
    is_other = instead != tuple(operations)
    return instead, (_ARCHIVED_INSTEAD,) if is_other else ()


def recreated(
    operations: Sequence[Operation], view: BoardView | None
) -> tuple[tuple[Operation, ...], tuple[Mapping[int, int], ...]]:
    """The operations with new local ids for what they create, and the mappings of ids.

    Cards of the board that name a deleted one as their blocker name the recreated one instead.
    """
    by_kind: dict[Kind, dict[int, int]] = defaultdict(dict)
    for operation in operations:
        if operation.creates is not None:
            by_kind[operation.subject.kind][operation.creates] = new_local_id()
    # By kind, because ids from the service repeat between kinds.
    revived = tuple(Revived(kind, ids) for kind, ids in by_kind.items())
    for ids in revived:
        operations = [operation.renamed(ids) for operation in operations]
    blocked = _blocked_again(view, by_kind["task"]) if view is not None else {}
    result: list[Operation] = []
    for operation in operations:
        result.append(operation)
        # Before later operations, which may be about the same relations.
        result += blocked.get(operation.creates, ())
    return tuple(result), revived


def _blocked_again(view: BoardView, ids: Mapping[int, int]) -> Mapping[int | None, list[Operation]]:
    by_blocker: defaultdict[int | None, list[Operation]] = defaultdict(list)
    for task in view.blocked_by(ids.keys()):
        for blocker in task.blockers:
            if blocker.id in ids:
                new = replace(blocker, id=ids[blocker.id])
                by_blocker[new.id] += (
                    change.remove_blocker(task, blocker),
                    change.add_blocker(task, new),
                )
    return by_blocker


def archived_words(step: UndoStep, undo: Sequence[Operation]) -> str:
    """What undoing a step only archives of what the step created, in words; empty if nothing."""
    created = {(operation.subject.kind, operation.creates) for operation in step.operations}
    words = [
        f"{_CREATED[operation.subject.kind]} is archived, not deleted."
        for operation in undo
        if operation.subject in created and operation.subject.id > 0 and _archives(operation)
    ]
    return " ".join(dict.fromkeys(words))


def _archives(operation: Operation) -> bool:
    archives_board = change.is_edit(operation, "archived_at", "board")
    return archives_board or isinstance(operation, change.ArchiveStage | change.ArchiveTask)
