"""What every group of endpoints shares: a session, and how to take an answer apart.

The rule it keeps: what must be in an answer is there or the answer is nonsense; a success without
the thing that was written is never shown as one.
"""

from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import ValidationError

from tui.client.endpoints import Route
from tui.client.errors import Nonsense
from tui.client.http.bodies import Body
from tui.client.http.session import Query
from tui.client.progress import ProgressListener
from tui.client.records import Part, TaskRecord
from tui.client.records.values import as_text
from tui.client.resources.caller import Caller
from tui.client.resources.listing import read_listing

P = TypeVar("P", bound=Part)


@dataclass(frozen=True, slots=True)
class TaskAnswer:
    """A task as it is after a call, and every other task the service says has changed.

    `last_updated` is the site's time, as the service wrote it; only a move tells it.
    """

    task: TaskRecord
    updated_tasks: list[TaskRecord] = field(default_factory=list)
    skipped: tuple[str, ...] = ()
    last_updated: str | None = None


class Resource:
    """A group of endpoints, asked through one session."""

    def __init__(self, session: Caller) -> None:
        self._session = session

    async def _ask(
        self,
        route: Route,
        *,
        query: Query | None = None,
        body: Body | None = None,
        progress: ProgressListener | None = None,
    ) -> dict[str, Any]:
        """Make a call whose answer is an object; a call without content answers an empty one."""
        value = await self._session.call(route, query=query, body=body, progress=progress)
        if value is None and not route.is_safe:
            return {}
        if not isinstance(value, dict):
            raise _without(route, "an object")
        return value

    async def _ask_rows(self, route: Route, *, body: Body) -> object:
        """Make a call whose answer is an array, or the object an array may come as."""
        value = await self._session.call(route, body=body)
        has_gaps = isinstance(value, dict) and all(name.isdigit() for name in value)
        if not (isinstance(value, list) or has_gaps):
            raise _without(route, "an array")
        return value

    def _one(self, route: Route, answer: dict[str, Any], kind: type[P], *names: str) -> P:
        """The record in an answer, under the first of `names` that holds one.

        Raises `Nonsense` if none does.
        """
        for name in names:
            try:
                return kind.model_validate(answer.get(name))
            except ValidationError:
                continue
        raise _without(route, names[0])

    async def _task_answer(self, route: Route, answer: dict[str, Any]) -> TaskAnswer:
        """The task in an answer, with the other tasks that it says have changed."""
        task = self._one(route, answer, TaskRecord, "task")
        updated = await read_listing(answer.get("updatedTasks"), TaskRecord)
        return TaskAnswer(
            task, updated.records, updated.skipped, as_text(answer.get("last_updated"))
        )


def member(route: Route, answer: dict[str, Any], name: str) -> object:
    """A member that an answer must have, an array or the object an array may come as.

    Raises `Nonsense` if it is not there: an empty list would look like a deletion.
    """
    value = answer.get(name)
    if not isinstance(value, (list, dict)):
        raise _without(route, name)
    return value


def _without(route: Route, name: str) -> Nonsense:
    return Nonsense(
        "The service sent an answer that is not understood.",
        details=f"{route}: no {name} in the answer",
        may_have_happened=not route.is_safe,
    )
