"""Setting one property of a task, where services do something else than they are told.

The rule it keeps: a date that was written is read again, because the reply may only repeat what was
sent; a task that was closed is closed afterwards too. Properties that can make a task disappear are
never sent.
"""

from collections.abc import Collection
from datetime import datetime

from tui.client.dialect.assigning import Assignment
from tui.client.dialect.changed import Changed
from tui.client.dialect.memory import Memory
from tui.client.dialect.site_time import WALL_FORMAT, SiteTime, read_wall
from tui.client.dialect.task_reading import TaskReading
from tui.client.dialect.watching import Watches
from tui.client.errors import ApiError, Refused, ServerFault
from tui.client.records import TaskRecord
from tui.client.records.values import as_flag
from tui.client.resources.tasks import Tasks

LAST_YEAR = 2038
"""Services store later dates as no date at all."""
DATES = frozenset({"due_at", "started_at", "remind_at"})
_NEVER_SENT = frozenset({"type", "parent_id", "board_id", "last_completed_at"})
_CLOSED = "closed"


class Properties:
    """Sets properties of tasks (4.3, PUT)."""

    def __init__(
        self,
        tasks: Tasks,
        reading: TaskReading,
        memory: Memory,
        site: SiteTime,
        *,
        people: Assignment,
        watches: Watches,
    ) -> None:
        self._tasks = tasks
        self._reading = reading
        self._memory = memory
        self._site = site
        self._people = people
        self._watches = watches

    async def set(self, board_id: int, task_id: int, name: str, value: object) -> Changed:
        """Set a property by its name in the interface, as the service wants to hear it.

        Dates are `YYYY-MM-DD HH:MM:SS` on the person's wall, None or empty for none; assignees are
        user ids, `is_watching` is a boolean. Raises `ValueError` for the properties that have
        calls of their own or can make a task disappear, `Refused`, `NotThere`, `NotAllowed`.
        """
        if name in _NEVER_SENT:
            raise ValueError(f"{name} is never set: there are other calls for that")
        if name == "assignees" and isinstance(value, Collection):
            return await self._people.assign(board_id, task_id, [*value])
        if name == "is_watching":
            return await self._watches.watch(board_id, task_id, bool(as_flag(value)))
        if name in DATES:
            return await self.set_date(board_id, task_id, name, _date(value))
        return Changed.by(await self._tasks.update(board_id, task_id, name, value))

    async def set_date(
        self, board_id: int, task_id: int, name: str, when: datetime | None
    ) -> Changed:
        """Set `due_at`, `started_at` or `remind_at`, naive, on the person's wall; None for none.

        A closed task stays closed. Raises `Refused`, before anything is sent, for a year that
        services cannot keep; `ServerFault` if the service keeps another date.
        """
        wall = None if when is None else self._site.to_site(when)
        if when is not None and wall is not None and max(when.year, wall.year) > LAST_YEAR:
            raise _too_late(name, when)
        value = None if wall is None else wall.strftime(WALL_FORMAT)
        if self._memory.is_trusted:
            return Changed.by(await self._tasks.update(board_id, task_id, name, value))
        was_closed = name == "due_at" and await self._is_closed(board_id, task_id)
        now = await self._write(board_id, task_id, name, value)
        if _kept(now.task, name) != wall:
            raise _kept_another(now.task, name)
        if was_closed and now.task.status != _CLOSED:
            closed = await self._tasks.update(board_id, task_id, "status", _CLOSED)
            now = now.then(Changed.by(closed))
        return now

    async def _write(self, board_id: int, task_id: int, name: str, value: str | None) -> Changed:
        """Write a date, and read what the service made of it."""
        wanted = read_wall(value)
        try:
            said = Changed.by(await self._tasks.update(board_id, task_id, name, value))
        except ApiError as error:
            if error.status is None or not error.may_have_happened:
                raise
            found = Changed(await self._reading.get(board_id, task_id))
            if _kept(found.task, name) != wanted:
                raise
            return found
        return said.then(Changed(await self._reading.get(board_id, task_id)))

    async def _is_closed(self, board_id: int, task_id: int) -> bool:
        return (await self._reading.get(board_id, task_id)).status == _CLOSED


def _date(value: object) -> datetime | None:
    if value is None or value == "":
        return None
    when = value if isinstance(value, datetime) else read_wall(value)
    if when is None:
        raise Refused(
            "This is not a date that can be sent.",
            hint="Nothing was sent.",
            params={"value": "must be a date such as 2026-12-01 17:00:00"},
        )
    return when.replace(tzinfo=None, microsecond=0)


def _kept(task: TaskRecord, name: str) -> datetime | None:
    value: datetime | None = getattr(task, name)
    return value


def _too_late(name: str, when: datetime) -> Refused:
    return Refused(
        f"The service cannot keep a date in {when.year}; the last year it can keep is {LAST_YEAR}.",
        hint="Nothing was sent.",
        params={name: f"must be before {LAST_YEAR + 1}"},
    )


def _kept_another(task: TaskRecord, name: str) -> ServerFault:
    kept = _kept(task, name)
    now = "no date" if kept is None else kept.strftime(WALL_FORMAT)
    return ServerFault(
        f"The service did not keep the date it was given; it has {now} now.",
        hint="Set the date again.",
        details=f"task {task.id}: {name}",
    )
