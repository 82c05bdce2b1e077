"""Sets single properties of tasks, correcting services that deviate from the specification (4.3).

The result is read back unless the response proves it, and nothing is sent twice without reading
back in between. A closed task stays closed. The specification says that the list of assignees is
set, deployed services toggle each person in it; it specifies a boolean for watching, they expect
the words start and stop. Which variant a service understands is learnt only from a successful
change. Properties that can make a task disappear are never sent.
"""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime
from functools import partial
from weakref import WeakValueDictionary

from tui.client.answers import Changed
from tui.client.capabilities import Assigning, Feature, Watching
from tui.client.endpoints import Endpoint
from tui.client.errors import ApiError, NotStored, Refused, ServerFault
from tui.client.records.tasks import TaskRecord
from tui.client.records.values import as_flag, as_wall_time
from tui.client.resources.tasks import Tasks
from tui.client.service import Form, Service, not_offered
from tui.client.site_time import WALL_FORMAT

LAST_YEAR = 2038
"""Services store later dates as no date."""
DATES = frozenset({"due_at", "started_at", "remind_at"})
_NEVER_SENT = frozenset({"type", "parent_id", "board_id", "last_completed_at"})
_CLOSED = "closed"
_MOST_ROUNDS = 4


class TaskProperties:
    """Sets properties of tasks, reading them back unless the service is trusted."""

    def __init__(self, service: Service, tasks: Tasks) -> None:
        self._service = service
        self._tasks = tasks
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def set(self, board_id: int, task_id: int, name: str, value: object) -> Changed:
        """Set a property by its name in the interface (4.3).

        `name` is one of title, description (HTML), status, priority, due_at, started_at, remind_at,
        assignees, crm_contact_id, is_watching, archived_at, reminder_type, settings, is_template.
        Dates are `YYYY-MM-DD HH:MM:SS` on the user's clock, None or empty for none; assignees are
        user ids, `is_watching` is a boolean. Raises `ValueError` for properties that have methods
        of their own or can make a task disappear.
        """
        if name in _NEVER_SENT:
            raise ValueError(f"{name} is never set: there are other calls for that")
        if name == "assignees" and isinstance(value, Collection):
            return await self.assign(board_id, task_id, [*value])
        if name == "is_watching":
            return await self.watch(board_id, task_id, bool(as_flag(value)))
        if name in DATES:
            return await self.set_date(board_id, task_id, name, _date(value))
        return await self._put(board_id, task_id, name, value)

    async def set_date(
        self, board_id: int, task_id: int, name: str, when: datetime | None
    ) -> Changed:
        """Set `due_at`, `started_at` or `remind_at`, naive, on the user's clock; None for none.

        A closed task stays closed. Raises `Refused`, before anything is sent, for a year that
        services cannot store; `ServerFault` if the service stores another date.
        """
        value: str | None = None
        if when is not None:
            wall = self._service.site.to_site(when)
            if max(when.year, wall.year) > LAST_YEAR:
                raise _too_late(name, when)
            value, when = wall.strftime(WALL_FORMAT), self._service.site.to_person(wall)
        if self._service.is_trusted:
            return await self._put(board_id, task_id, name, value)
        was_closed = False
        if name == "due_at":
            was_closed = (await self._tasks.get(board_id, task_id)).status == _CLOSED
        now = await self._put_and_see(
            board_id, task_id, name, value, is_done=lambda task: getattr(task, name) == when
        )
        if (kept := getattr(now.task, name)) != when:
            raise _kept_another(task_id, name, kept)
        if was_closed and now.task.status != _CLOSED:
            now = await self._put(board_id, task_id, "status", _CLOSED)
        return now

    async def assign(self, board_id: int, task_id: int, person_ids: Collection[int]) -> Changed:
        """Make exactly these people the assignees of a task; returns the current task.

        May be repeated after a lost response. Calls for one task wait for each other. Raises
        `ServerFault` with the current assignees if the service does something else.
        """
        turn = self._turns.setdefault(task_id, asyncio.Lock())
        async with turn:
            return await self._assign(board_id, task_id, list(dict.fromkeys(person_ids)))

    async def watch(self, board_id: int, task_id: int, on: bool) -> Changed:
        """Start or stop watching; returns the current task.

        If a service ignores one variant the other is sent. Deployed services make all assignees
        watch, whatever is sent: that is learnt too.

        If a service does not report who watches, no check is made. Raises `NotOffered` if the user
        is assigned and the service keeps assignees watching, `ServerFault` if neither variant takes
        effect.
        """
        known = self._service.capabilities.watching
        if self._service.is_trusted:
            value = _watching(known or Watching.BOOLEAN, on)
            return await self._put(board_id, task_id, "is_watching", value)
        now = Changed(await self._tasks.get(board_id, task_id))
        if now.task.is_watching is on:
            return now
        is_kept = not on and self._works_on(now.task)
        if is_kept:
            self._service.require(Feature.UNWATCHING_OWN)

        async def send(form: Form) -> Changed:
            now = await self._put_and_see(
                board_id,
                task_id,
                "is_watching",
                _watching(form["watching"], on),
                is_done=lambda task: task.is_watching is on,
                is_told=lambda task: task.is_watching is on,
            )
            if now.task.is_watching not in {on, None}:
                raise _without_effect(now)
            return now

        try:
            # Of the two, words do less harm where they are not understood.
            return await self._service.in_accepted_form(
                [{"watching": Watching.WORDS}, {"watching": Watching.BOOLEAN}], send
            )
        except NotStored as error:
            if not is_kept:
                raise
            if self._service.capabilities.user_id is not None:
                self._service.learn_features({Feature.UNWATCHING_OWN: False})
            raise not_offered(Feature.UNWATCHING_OWN) from error

    async def _assign(self, board_id: int, task_id: int, people: list[int]) -> Changed:
        if self._service.is_trusted:
            return await self._put(board_id, task_id, "assignees", people)
        now = Changed(await self._tasks.get(board_id, task_id))
        semantics = self._service.capabilities.assigning
        for _ in range(_MOST_ROUNDS):
            present = _assigned(now.task)
            if present == set(people):
                self._service.learn(assigning=semantics)
                return now
            value = people if semantics is Assigning.SETS else sorted(present ^ set(people))
            now = await self._put_and_see(
                board_id,
                task_id,
                "assignees",
                value,
                is_done=partial(_has_other_assignees, present),
                is_told=lambda task: "assignees" in task.model_fields_set,
            )
            semantics = _evidence(present, set(value), _assigned(now.task)) or semantics
        if _assigned(now.task) != set(people):
            raise _not_as_wanted(now.task)
        self._service.learn(assigning=semantics)
        return now

    def _works_on(self, task: TaskRecord) -> bool:
        """Whether the user is among the assignees.

        If the user is unknown, whether there are any.
        """
        user_id = self._service.capabilities.user_id
        return any(user_id in {None, one.id} for one in task.assignees)

    async def _put_and_see(
        self,
        board_id: int,
        task_id: int,
        name: str,
        value: object,
        *,
        is_done: Callable[[TaskRecord], bool],
        is_told: Callable[[TaskRecord], bool] = lambda _: False,
    ) -> Changed:
        """Set one property, and read the task again unless the reply has the result (`is_told`).

        An error after which it `is_done` is ignored.
        """
        try:
            said = await self._put(board_id, task_id, name, value)
        except ApiError as error:
            if error.status is None or not error.may_have_happened:
                raise
            found = await self._tasks.get(board_id, task_id)
            if not is_done(found):
                raise
            return Changed(found)
        if is_told(said.task):
            return said
        return replace(said, task=await self._tasks.get(board_id, task_id))

    async def _put(self, board_id: int, task_id: int, name: str, value: object) -> Changed:
        body = {"property": name, "value": value}
        answer = await self._service.ask(Endpoint.UPDATE_TASK, board_id, task_id, body=body)
        return await answer.changed()


def _date(value: object) -> datetime | None:
    if value is None or value == "":
        return None
    when = value if isinstance(value, datetime) else as_wall_time(value)
    if when is None:
        raise Refused(
            "This is not a date that can be sent.",
            hint="Nothing was sent.",
            params={"value": "must be a date such as 2026-12-01 17:00:00"},
        )
    return when.replace(tzinfo=None, microsecond=0)


def _too_late(name: str, when: datetime) -> Refused:
    return Refused(
        f"The service cannot store a date in {when.year}; the last possible year is {LAST_YEAR}.",
        hint="Nothing was sent.",
        params={name: f"must be before {LAST_YEAR + 1}"},
    )


def _kept_another(task_id: int, name: str, kept: datetime | None) -> ServerFault:
    now = "no date" if kept is None else kept.strftime(WALL_FORMAT)
    return ServerFault(
        f"The service stored another date: it has {now} now.",
        hint="Set the date again.",
        details=f"task {task_id}: {name}",
    )


def _assigned(task: TaskRecord) -> set[int]:
    return {user.id for user in task.assignees}


def _has_other_assignees(before: set[int], task: TaskRecord) -> bool:
    return _assigned(task) != before


def _evidence(before: set[int], sent: set[int], after: set[int]) -> Assigning | None:
    """What the list sent must have meant; None if it could be either, or neither."""
    if (after == sent) == (after == before ^ sent):
        return None
    return Assigning.SETS if after == sent else Assigning.TOGGLES


def _not_as_wanted(task: TaskRecord) -> ServerFault:
    names = [user.display_name or user.user_login or f"user {user.id}" for user in task.assignees]
    now = ", ".join(names) or "nobody"
    return ServerFault(
        f"The service did not assign these people; assigned now: {now}.",
        hint="Nothing else was changed; assign them again, or one after another.",
        details=f"task {task.id}: assignees {sorted(_assigned(task))}",
    )


def _watching(way: Watching, on: bool) -> str | bool:
    words = "start" if on else "stop"
    return words if way is Watching.WORDS else on


def _without_effect(now: Changed) -> NotStored:
    is_watching = now.task.is_watching
    return NotStored(
        f"The service was asked, but you still {'watch' if is_watching else 'do not watch'} this.",
        details=f"task {now.task.id}: is_watching {is_watching}",
    )
