"""What a person last saw of what they set, which stays unless somebody else changed the same.

Only what one person alone touched is expected; what two people set at once is
decided by the store's own rules, and both must agree on it in the end. So a change that was asked
for and not taken back shows at the service, or waits with a reason.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tests.store.machine.ledger import Asked, Key, Ledger
from tests.store.machine.player import Player
from tui.model.detail import find_task
from tui.model.task import Task
from tui.store.events import PendingState
from tui.store.operations.base import Operation
from tui.store.operations.edit import Edit, is_edit
from tui.store.operations.members import SetRole
from tui.store.operations.moving import MoveTask
from tui.store.operations.tasks import CloneTask

Facts = Mapping[Key, Mapping[Any, Any]]
_SETTINGS = frozenset(
    {"assignees", "description", "due_at", "priority", "started_at", "status", "title"}
)
_GOING = frozenset(
    {
        "ArchiveTask",
        "ConvertToSubtask",
        "ConvertToTask",
        "MoveTask",
        "MoveTaskToBoard",
        "RestoreTask",
    }
)
_CLOSING = _GOING | {"due_at", "CreateTask"}
_BLOCKER = "blocked by "
"""What begins the name of whether one card blocks another."""
_KEPT = object()
"""The value of what is left as it was."""


class Seen(NamedTuple):
    """What somebody saw right after they asked for it; `value` is None where that is no matter."""

    asked: Asked
    task_id: int
    name: str
    value: object


class Expectations:
    """Everything that was seen, by what it is about.

    `dates_reopen` says whether the service reopens a closed task that gets a date.
    """

    def __init__(self, ledger: Ledger, *, dates_reopen: bool) -> None:
        self._ledger = ledger
        self._dates_reopen = dates_reopen
        self._seen: list[Seen] = []

    def note(self, player: Player, asked: Sequence[Asked]) -> None:
        """Look at what a person sees of what they just asked for."""
        for one in asked:
            task_id = one.operation.task_id
            if task_id is None:
                continue
            view = player.view
            task = None if view is None else find_task(view, player.detail, task_id)
            for name in _names(one.operation):
                value = None if task is None else self._value(one.operation, task, name)
                self._seen.append(Seen(one, task_id, name, value))

    def check_conflicts(self, players: Sequence[Player]) -> None:
        """Nobody is in conflict with a thing that nobody else has touched."""
        for player in players:
            for waiting in player.store.pending():
                if waiting.state is PendingState.CONFLICT:
                    subject = waiting.operation.subject
                    others = [one for one in self._ledger.asked if one.who != player.number]
                    assert any(
                        _real(players[one.who], one.operation.subject.id) == subject.id
                        or subject.id in one.operation.refers
                        for one in others
                    ), f"in conflict with nobody: {waiting}"

    def check(self, players: Sequence[Player], facts: Facts) -> None:
        """What was seen last is there, where nobody else touched it."""
        stuck = {
            (player.number, waiting.operation.task_id)
            for player in players
            for waiting in player.store.pending()
        }
        for (task_id, name), seen in self._by_thing(players).items():
            last = next((one for one in reversed(seen) if one.value is not _KEPT), seen[-1])
            there = facts.get(("task", task_id))
            if there is None or last.value in (None, _KEPT):
                continue
            if len({one.asked.who for one in seen}) > 1:
                continue
            who = last.asked.who
            if (who, task_id) in stuck or self._is_undecided(seen):
                continue
            if name == "stage_id" and ("stage", last.value) not in facts:
                continue
            if name == "assignees" and (
                self._has_removed_people() or self._is_copy(players, task_id)
            ):
                continue
            if name == "status" and self._has_other_stages():
                continue
            value = last.value
            if isinstance(value, frozenset):
                # A card may have been drawn with its local id while the reply was being stored.
                blockers = {_real(players[who], blocker_id) for blocker_id in value}
                value = int(name.removeprefix(_BLOCKER)) in blockers
            if isinstance(value, int) and not isinstance(value, bool):
                value = _real(players[who], value)
            assert _found(there, name) == value, (
                f"{name} of {task_id} is {_found(there, name)}, not {value}: {last}"
            )

    def _has_removed_people(self) -> bool:
        """Whether somebody was removed from a board, and so from its cards."""
        operations = (one.operation for one in self._ledger.asked)
        return any(isinstance(one, SetRole) and not one.role for one in operations)

    def _is_copy(self, players: Sequence[Player], task_id: int) -> bool:
        """Whether a task is a copy, which has the people that its source had when it was made."""
        return any(
            isinstance(one.operation, CloneTask)
            and _real(players[one.who], one.operation.task_id) == task_id
            for one in self._ledger.asked
        )

    def _has_other_stages(self) -> bool:
        """Whether somebody changed which stages close tasks."""
        return any(is_edit(one.operation, "status", "stage") for one in self._ledger.asked)

    def _value(self, operation: Operation, task: Task, name: str) -> object:
        """What is expected of this: a value, None if anything is, or `_KEPT`."""
        kind = _what(operation)
        if name == "status" and isinstance(operation, MoveTask) and operation.closes is not None:
            return task.status if operation.closes else _KEPT
        if name == "status" and kind == "due_at" and not self._dates_reopen:
            return _KEPT
        return _value(operation, task, name)

    def _is_undecided(self, seen: Sequence[Seen]) -> bool:
        """Whether some of it was given up, so that the rest may stand on something else."""
        return any(self._ledger.was_given_up(one.asked) for one in seen)

    def _by_thing(self, players: Sequence[Player]) -> dict[tuple[int, str], list[Seen]]:
        by_thing: defaultdict[tuple[int, str], list[Seen]] = defaultdict(list)
        for one in self._seen:
            by_thing[_real(players[one.asked.who], one.task_id), one.name].append(one)
        return by_thing


def _names(operation: Operation) -> list[str]:
    """What an operation tells about its task."""
    kind = _what(operation)
    names = [kind] if kind in _SETTINGS else []
    if isinstance(operation, Edit) and operation.blocker is not None and operation.blocker.id > 0:
        names.append(f"{_BLOCKER}{operation.blocker.id}")
    if kind in _GOING or kind == "CreateTask":
        names.append("stage_id")
    if kind in _CLOSING:
        names.append("status")
    return names


def _what(operation: Operation) -> str:
    """The field of a task that an edit sets, or else the kind of the operation."""
    if isinstance(operation, Edit) and operation.target.kind == "task":
        return str(operation.field)
    return type(operation).__name__


def _value(operation: Operation, task: Task, name: str) -> object:
    kind = _what(operation)
    if name == "status" and kind != "status":
        return None
    if name == "stage_id" and kind not in ("MoveTask", "CreateTask"):
        return None
    if name.startswith(_BLOCKER):
        return frozenset(one.id for one in task.blockers)
    if name == "assignees":
        return sorted(one.id for one in task.assignees)
    value: object = getattr(task, name)
    return "none" if value is None else value


def _found(there: Mapping[Any, Any], name: str) -> object:
    if name.startswith(_BLOCKER):
        return int(name.removeprefix(_BLOCKER)) in there["blockers"]
    value = there.get(name)
    return "none" if value is None else value


def _real(player: Player, some_id: int) -> int:
    return player.store._core.queue.renames.get(some_id, some_id)
