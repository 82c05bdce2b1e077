"""Who works on a task: exactly the right people, whatever the list that is sent means.

The specification says that the list sets the assignees; deployed services toggle each person in it.

The rule it keeps: it begins with reading and ends with comparing. Nothing is ever sent twice
without a look in between, and which way a service understands is learnt only from a case that came
out right.
"""

import asyncio
from collections.abc import Collection
from dataclasses import replace
from weakref import WeakValueDictionary

from tui.client.capabilities import Assigning
from tui.client.dialect.changed import Changed
from tui.client.dialect.memory import Memory
from tui.client.dialect.task_reading import TaskReading
from tui.client.errors import ApiError, ServerFault
from tui.client.records import TaskRecord
from tui.client.resources.tasks import Tasks

_MOST_ROUNDS = 4


class Assignment:
    """Makes some people, and nobody else, the assignees of a task (4.3)."""

    def __init__(self, tasks: Tasks, reading: TaskReading, memory: Memory) -> None:
        self._tasks = tasks
        self._reading = reading
        self._memory = memory
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def assign(self, board_id: int, task_id: int, wanted: Collection[int]) -> Changed:
        """End with exactly `wanted` (user ids) assigned; returns the task as it is then.

        After a reply was lost, just call it again. Calls for one task take turns, each with a look
        of its own. Raises `ServerFault`, which says who is assigned now, if the service does
        something else whatever it is told; `Refused`, `NotThere`.
        """
        turn = self._turns.setdefault(task_id, asyncio.Lock())
        async with turn:
            return await self._assign(board_id, task_id, list(dict.fromkeys(wanted)))

    async def _assign(self, board_id: int, task_id: int, people: list[int]) -> Changed:
        if self._memory.is_trusted:
            return Changed.by(await self._tasks.update(board_id, task_id, "assignees", people))
        now = Changed(await self._reading.get(board_id, task_id))
        semantics = self._memory.capabilities.assigning
        for _ in range(_MOST_ROUNDS):
            present = _assigned(now.task)
            if present == set(people):
                self._learn(semantics)
                return now
            value = people if semantics is Assigning.SETS else sorted(present ^ set(people))
            now = now.then(await self._send(board_id, task_id, value, present))
            semantics = _evidence(present, set(value), _assigned(now.task)) or semantics
        if _assigned(now.task) != set(people):
            raise _not_as_wanted(now.task)
        self._learn(semantics)
        return now

    async def _send(
        self, board_id: int, task_id: int, value: list[int], before: set[int]
    ) -> Changed:
        """Send a list of people; the task in what comes back knows its assignees.

        A fault that changed who is assigned is an answer like any other: the next round goes on.
        """
        try:
            answer = await self._tasks.update(board_id, task_id, "assignees", value)
        except ApiError as error:
            if error.status is None or not error.may_have_happened:
                raise
            task = await self._reading.get(board_id, task_id)
            if _assigned(task) == before:
                raise
            return Changed(task)
        if "assignees" in answer.task.model_fields_set:
            return Changed.by(answer)
        return Changed.by(answer).then(Changed(await self._reading.get(board_id, task_id)))

    def _learn(self, semantics: Assigning | None) -> None:
        known = self._memory.capabilities
        self._memory.learn(replace(known, assigning=semantics))


def _assigned(task: TaskRecord) -> set[int]:
    return {user.id for user in task.assignees}


def _evidence(before: set[int], sent: set[int], after: set[int]) -> Assigning | None:
    """What a list that was sent must have meant; None if it can have meant either, or neither."""
    if (after == sent) == (after == before ^ sent):
        return None
    return Assigning.SETS if after == sent else Assigning.TOGGLES


def _not_as_wanted(task: TaskRecord) -> ServerFault:
    names = [user.display_name or user.user_login or f"user {user.id}" for user in task.assignees]
    now = ", ".join(names) or "nobody"
    return ServerFault(
        f"The service did not assign the people it was asked to; assigned now: {now}.",
        hint="Nothing else was changed; assign them again, or one after another.",
        details=f"task {task.id}: assignees {sorted(_assigned(task))}",
    )
