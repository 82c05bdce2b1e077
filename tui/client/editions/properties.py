"""Sets properties of tasks where services deviate from the specification (4.3).

The result is read back unless the response proves it, and nothing is sent twice without reading
back in between. A closed task stays closed. The specification says that the list of assignees is
set, deployed services toggle each person in it; it specifies a boolean for watching, they expect
the words start and stop. Which variant a service understands is learnt only from a successful
change.
"""

import asyncio
from collections.abc import Callable, Collection
from datetime import datetime
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from tui.client.answers import Changed
from tui.client.capabilities import Assigning, Feature, Watching
from tui.client.client import Client
from tui.client.documents import Document
from tui.client.editions.forms import Form, Forms
from tui.client.errors import ApiError, NotStored, ServerFault
from tui.client.service import not_offered
from tui.client.site_time import WALL_FORMAT
from tui.client.values import as_wall_time

_CLOSED = "closed"
_MOST_ROUNDS = 4


class CheckedProperties(Client):
    """Sets dates, assignees and watching, and reads them back."""

    forms: Forms

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Weak references: a lock lives as long as a call holds it or waits for it.
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def assign(self, board_id: int, task_id: int, person_ids: Collection[int]) -> Document:
        """Make exactly these people the assignees of a task; returns the current task.

        May be repeated after a lost response. Calls for one task wait for each other. Raises
        `ServerFault` with the current assignees if the service does something else.
        """
        people = list(dict.fromkeys(person_ids))
        # Two calls at once could both send the same person, which toggles them back.
        async with self._turns.setdefault(task_id, asyncio.Lock()):
            task = await self.task(board_id, task_id)
            semantics = self.service.capabilities.assigning
            # Several rounds: one may show what a list means, and others may assign in between.
            for _ in range(_MOST_ROUNDS):
                present = _assigned(task)
                if present == set(people):
                    break
                # While its meaning is unknown, the difference: a service that sets it shows that by
                # its reply, and is sent the whole list next.
                value = people if semantics is Assigning.SETS else sorted(present ^ set(people))
                changed = await self._put_and_see(
                    board_id,
                    task_id,
                    "assignees",
                    value,
                    is_done=partial(_has_other_assignees, present),
                    is_proved=lambda task: "assignees" in task,
                )
                task = changed.task
                semantics = _evidence(present, set(value), _assigned(task)) or semantics
            if _assigned(task) != set(people):
                names = [
                    user.get("display_name") or user.get("user_login") or f"user {user['ID']}"
                    for user in task.get("assignees", [])
                ]
                assigned_now = ", ".join(names) or "no one"
                raise ServerFault(
                    f"The service did not assign these people; assigned now: {assigned_now}.",
                    hint="Nothing else was changed; assign them again, or one after another.",
                    details=f"task {task['id']}: assignees {sorted(_assigned(task))}",
                )
            self.service.learn(assigning=semantics)
            return task

    async def watch(self, board_id: int, task_id: int, *, on: bool) -> Document:
        """Start or stop watching; returns the current task.

        If a service ignores one variant the other is sent. Deployed services make all assignees
        watch, whatever is sent: that is learnt too. If a service does not report who watches, no
        check is made. Raises `NotOffered` if the user is assigned and the service keeps assignees
        watching, `ServerFault` if neither variant takes effect.
        """
        task = await self.task(board_id, task_id)
        if task.get("is_watching") is on:
            return task
        user_id = self.service.capabilities.user_id
        is_own = any(user_id in {None, person} for person in _assigned(task))
        if is_own and not on:
            self.service.require(Feature.UNWATCHING_OWN)

        def is_set(task: Document) -> bool:
            return task.get("is_watching") is on

        async def send(form: Form) -> Document:
            words = "start" if on else "stop"
            changed = await self._put_and_see(
                board_id,
                task_id,
                "is_watching",
                words if form["watching"] is Watching.WORDS else on,
                is_done=is_set,
                is_proved=is_set,
            )
            # None means that the service does not report it, which is believed.
            if changed.task.get("is_watching") not in {on, None}:
                state = "do not watch" if on else "watch"
                raise NotStored(
                    f"The service was asked, but you still {state} this.",
                    details=f"task {changed.task['id']}: is_watching {not on}",
                )
            return changed.task

        try:
            # Of the two, words do less harm where they are not understood.
            return await self.forms.accepted(
                [{"watching": Watching.WORDS}, {"watching": Watching.BOOLEAN}], send
            )
        except NotStored as error:
            if on or not is_own:
                raise
            # Without an id the task may be somebody else's, from which nothing may be learnt.
            if user_id is not None:
                self.service.learn_features({Feature.UNWATCHING_OWN: False})
            raise not_offered(Feature.UNWATCHING_OWN) from error

    async def _set_date(
        self, board_id: int, task_id: int, name: str, when: datetime | None
    ) -> Changed:
        """Set a date. Raises `ServerFault` if the service stores another one."""
        value = self._site_time(name, when)
        wall = as_wall_time(value)
        # What a document has then: a time on the user's clock.
        stored = None if wall is None else f"{self.service.site.to_person(wall):{WALL_FORMAT}}"
        # The recent edition reopens a closed task whose due date is set.
        was_closed = False
        if name == "due_at":
            was_closed = (await self.task(board_id, task_id)).get("status") == _CLOSED
        # Never proved by the reply, which echoes the date that was sent.
        changed = await self._put_and_see(
            board_id, task_id, name, value, is_done=lambda task: task.get(name) == stored
        )
        if (date := changed.task.get(name)) != stored:
            raise ServerFault(
                f"The service stored another date: it has {date or 'no date'} now.",
                hint="Set the date again.",
                details=f"task {task_id}: {name}",
            )
        if was_closed and changed.task.get("status") != _CLOSED:
            changed = await self._put(board_id, task_id, "status", _CLOSED)
        return changed

    async def _put_and_see(
        self,
        board_id: int,
        task_id: int,
        name: str,
        value: object,
        *,
        is_done: Callable[[Document], bool],
        is_proved: Callable[[Document], bool] = lambda _: False,
    ) -> Changed:
        # Sets one property, and reads the task again unless the reply proves the result. An error
        # after which it `is_done` is ignored.
        try:
            changed = await self._put(board_id, task_id, name, value)
        except ApiError as error:
            if error.status is None or not error.may_have_happened:
                raise
            task = await self.task(board_id, task_id)
            if not is_done(task):
                raise
            return Changed(task)
        if is_proved(changed.task):
            return changed
        return changed._replace(task=await self.task(board_id, task_id))


def _assigned(task: Document) -> set[int]:
    return {user["ID"] for user in task.get("assignees", [])}


def _has_other_assignees(assigned: set[int], task: Document) -> bool:
    return _assigned(task) != assigned


def _evidence(previous: set[int], sent: set[int], after: set[int]) -> Assigning | None:
    """What the list sent must have meant; None if it could be either, or neither."""
    if (after == sent) == (after == previous ^ sent):
        return None
    return Assigning.SETS if after == sent else Assigning.TOGGLES
