"""A task after something was done to it, with what else the service says has changed.

`updatedTasks` of every answer is news for whoever keeps tasks: it holds all that was touched on
the board within the last minute, archived tasks too.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from tui.client.documents import Document, break_circles
from tui.client.endpoints import Endpoint, Route
from tui.client.records import TaskRecord
from tui.client.records.values import as_text
from tui.client.resources.listing import read_listing
from tui.client.service import Service, record
from tui.client.site_time import SiteTime

_OF_OTHERS = ("board", "stage")


@dataclass(frozen=True, slots=True)
class Changed:
    """A task as the service has it now.

    `news` are other tasks as they are now, each once; `last_updated` is the site's time of the
    change, as the service wrote it, where it told one; `skipped` names what could not be read.
    """

    task: TaskRecord
    news: tuple[TaskRecord, ...] = ()
    last_updated: str | None = None
    skipped: tuple[str, ...] = ()

    @classmethod
    def by(
        cls,
        task: TaskRecord,
        updated: Iterable[TaskRecord],
        last_updated: str | None = None,
        skipped: tuple[str, ...] = (),
    ) -> Self:
        """What an answer with a task and `updated` tasks says.

        The position is the one among the updated tasks, where it is told: the task itself comes
        with the number before it was rounded to be stored.
        """
        updated = tuple(updated)
        twin = next((one for one in updated if one.id == task.id), None)
        if twin is not None and "position" in twin.model_fields_set:
            task = task.model_copy(update={"position": twin.position})
        return cls(task, merged((), updated, without=task.id), last_updated, skipped)

    def then(self, later: "Changed") -> "Changed":
        """What was said up to a later answer: of two words on one task the later one holds."""
        return Changed(
            later.task,
            merged(self.news, later.news, without=later.task.id),
            later.last_updated or self.last_updated,
            self.skipped + later.skipped,
        )

    def and_news(self, tasks: Iterable[TaskRecord]) -> "Changed":
        """The same with more news."""
        news = merged(self.news, tasks, without=self.task.id)
        return Changed(self.task, news, self.last_updated, self.skipped)


def merged(
    earlier: Iterable[TaskRecord], later: Iterable[TaskRecord], *, without: int
) -> tuple[TaskRecord, ...]:
    """Tasks, each once and in its later form, but for one that is told elsewhere."""
    by_id = {task.id: task for task in (*earlier, *later)}
    by_id.pop(without, None)
    return tuple(by_id.values())


async def read_changed(route: Route, answer: dict[str, Any]) -> Changed:
    """The task in an answer, with the other tasks that it says have changed."""
    task = record(route, answer, TaskRecord, "task")
    updated = await read_listing(answer.get("updatedTasks"), TaskRecord)
    told = as_text(answer.get("last_updated"))
    return Changed.by(task, updated.records, told, updated.skipped)


async def read_task(service: Service, board_id: int, task_id: int) -> TaskRecord:
    """A task by itself. Some services refuse to tell of a subtask this way: see `Tasks.get`."""
    route = Endpoint.GET_TASK.at(board_id=board_id, task_id=task_id)
    return record(route, await service.ask(route), TaskRecord, "task")


def task_document(task: TaskRecord, site: SiteTime) -> Document:
    """A task with its times on the person's wall, without the board and stage that come with it."""
    document = site.localised(task.document())
    break_circles([document])
    return {name: value for name, value in document.items() if name not in _OF_OTHERS}
