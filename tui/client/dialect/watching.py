"""Watching a task: the specification wants a boolean, deployed services the words start and stop.

`is_watching` as it is read afterwards decides. A service that ignores one spelling is asked in the
other, and which one it understands is remembered. Deployed services make everybody who works on a
task watch it, and keep them watching whatever is sent: that is remembered too.
"""

from dataclasses import replace

from tui.client.capabilities import Feature, Watching
from tui.client.dialect.changed import Changed
from tui.client.dialect.feature_learning import not_offered
from tui.client.dialect.memory import Memory
from tui.client.dialect.task_reading import TaskReading
from tui.client.errors import ApiError, Refused, ServerFault
from tui.client.records import TaskRecord
from tui.client.resources.tasks import Tasks


class Watches:
    """Makes the person watch a task, or stop (4.3)."""

    def __init__(self, tasks: Tasks, reading: TaskReading, memory: Memory) -> None:
        self._tasks = tasks
        self._reading = reading
        self._memory = memory

    async def watch(self, board_id: int, task_id: int, on: bool) -> Changed:
        """End with the person watching, or not; returns the task as it is then.

        A service that does not tell whether somebody watches is believed. Raises `NotOffered` where
        the person works on the task and the service keeps those watching, `ServerFault` if neither
        spelling takes effect, `Refused`, `NotThere`, `NotAllowed`.
        """
        known = self._memory.capabilities.watching
        if self._memory.is_trusted:
            return await self._say(board_id, task_id, known or Watching.BOOLEAN, on)
        now = Changed(await self._reading.get(board_id, task_id))
        if now.task.is_watching is on:
            return now
        is_kept = not on and self._works_on(now.task)
        if is_kept and self._memory.capabilities.offers(Feature.UNWATCHING_OWN) is False:
            raise not_offered(Feature.UNWATCHING_OWN)
        refusal: Refused | None = None
        for way in _ways(known):
            try:
                now = now.then(await self._try(board_id, task_id, way, on))
            except Refused as error:
                refusal = error
                continue
            if now.task.is_watching is on:
                self._memory.learn(replace(self._memory.capabilities, watching=way))
            if now.task.is_watching in {on, None}:
                return now
        if refusal is None and is_kept:
            if self._memory.capabilities.user_id is not None:
                self._memory.learn_features({Feature.UNWATCHING_OWN: False})
            raise not_offered(Feature.UNWATCHING_OWN)
        raise refusal or _without_effect(now)

    def _works_on(self, task: TaskRecord) -> bool:
        """Whether the person is among the assignees; where it is unknown who they are, anybody."""
        user_id = self._memory.capabilities.user_id
        return any(user_id in {None, one.id} for one in task.assignees)

    async def _try(self, board_id: int, task_id: int, way: Watching, on: bool) -> Changed:
        """Say it, and read what came of it where the answer does not show it."""
        try:
            said = await self._say(board_id, task_id, way, on)
        except ApiError as error:
            if error.status is None or not error.may_have_happened:
                raise
            found = Changed(await self._reading.get(board_id, task_id))
            if found.task.is_watching is not on:
                raise
            return found
        if said.task.is_watching is on:
            return said
        return said.then(Changed(await self._reading.get(board_id, task_id)))

    async def _say(self, board_id: int, task_id: int, way: Watching, on: bool) -> Changed:
        words = "start" if on else "stop"
        value = words if way is Watching.WORDS else on
        return Changed.by(await self._tasks.update(board_id, task_id, "is_watching", value))


def _ways(known: Watching | None) -> list[Watching]:
    """The spellings in the order to try: the known one, or the one that does least harm."""
    return sorted(Watching, key=lambda way: (way is not known, way is Watching.BOOLEAN))


def _without_effect(now: Changed) -> ServerFault:
    is_watching = now.task.is_watching
    return ServerFault(
        f"The service was asked, but you still {'watch' if is_watching else 'do not watch'} this.",
        details=f"task {now.task.id}: is_watching {is_watching}",
    )
