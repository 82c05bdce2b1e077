"""A task after something was done to it, with what else the service says has changed.

The rule it keeps: `updatedTasks` of every answer on the way is news for whoever keeps tasks; it
holds all that was touched on the board within the last minute, archived tasks too.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from tui.client.records import TaskRecord
from tui.client.resources.resource import TaskAnswer


@dataclass(frozen=True, slots=True)
class Changed:
    """A task as the service has it now.

    `news` are other tasks as they are now, each once; `last_updated` is the site's time of the
    change, as the service wrote it, where it told one.
    """

    task: TaskRecord
    news: tuple[TaskRecord, ...] = ()
    last_updated: str | None = None

    @classmethod
    def by(cls, answer: TaskAnswer) -> Self:
        """What an answer says.

        The position is the one among the updated tasks, where it is told: the task itself comes
        with the number before it was rounded to be stored.
        """
        task = answer.task
        twin = next((one for one in answer.updated_tasks if one.id == task.id), None)
        if twin is not None and "position" in twin.model_fields_set:
            task = task.model_copy(update={"position": twin.position})
        return cls(task, merged((), answer.updated_tasks, without=task.id), answer.last_updated)

    def then(self, later: "Changed") -> "Changed":
        """What was said up to a later answer: of two words on one task the later one holds."""
        return Changed(
            later.task,
            merged(self.news, later.news, without=later.task.id),
            later.last_updated or self.last_updated,
        )

    def and_news(self, tasks: Iterable[TaskRecord]) -> "Changed":
        """The same with more news."""
        return Changed(self.task, merged(self.news, tasks, without=self.task.id), self.last_updated)


def merged(
    earlier: Iterable[TaskRecord], later: Iterable[TaskRecord], *, without: int
) -> tuple[TaskRecord, ...]:
    """Tasks, each once and in its later form, but for one that is told elsewhere."""
    by_id = {task.id: task for task in (*earlier, *later)}
    by_id.pop(without, None)
    return tuple(by_id.values())
