"""A service with a task that has everything around it, and somebody who has opened it."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.store.fake_clock import FakeClock
from tests.store.party import Party
from tests.store.service import ANN, BOARD, ME, OPEN, Service, four_tasks
from tui.model.comment import Comment
from tui.model.custom_field import CustomField
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.task import Label, Person, Task

FIELD = CustomField(1, BOARD, "Customer")
ANN_MILLER = Person(ANN, "Ann Miller", "ann")


@dataclass(frozen=True, slots=True)
class Things:
    """The ids of what is there."""

    task: int
    other: int
    groups: tuple[int, int]
    subtasks: tuple[int, int, int]
    own: int
    foreign: int
    label: int
    unused: int


@cache
def furnished() -> tuple[bytes, Things]:
    """The database of a service with such a task, and what is there."""
    service = Service(four_tasks(), Path(), clock=FakeClock().now)
    things = _furnish(service)
    content = service.content()
    service.close()
    return content, things


def _furnish(service: Service) -> Things:
    """Give the first task subtasks in two groups, comments, labels, and a custom field's value."""
    task, other = (one["id"] for one in service.lane(OPEN)[:2])
    groups = (service.add_group(task, "Before")["id"], service.add_group(task, "After")["id"])
    first, second, third = (service.add_subtask(task, groups[0], one)["id"] for one in "XYZ")
    own = service.add_comment(task, "First\nSecond\nThird", by=ME)["id"]
    foreign = service.add_comment(task, "Well said", by=ANN)["id"]
    service.add_comment(task, "Indeed", by=ME, parent_id=foreign)
    label, unused = (service.add_label(title)["id"] for title in ("bug", "api"))
    service.attach_label(task, label)
    service.assign(task, [ME])
    service.add_field(FIELD.title)
    service.set_value(task, FIELD.id, "ACME")
    return Things(task, other, groups, (first, second, third), own, foreign, label, unused)


class Opened:
    """A person who looks at the furnished task."""

    def __init__(self, party: Party, things: Things) -> None:
        self.party = party
        self.things = things

    async def start(self) -> None:
        """Open the board and the task, and wait until everything is there."""
        await self.party.start()
        await self.party.store.open_task(BOARD, self.things.task)
        await self.party.until(lambda: self.detail.values is not None)

    @property
    def detail(self) -> TaskDetail:
        """The task as drawn."""
        detail = self.party.store.detail(self.things.task)
        if detail is None:
            raise LookupError(self.things.task)
        return detail

    @property
    def task(self) -> Task:
        """The task itself."""
        return self.detail.task

    @property
    def other(self) -> Task:
        """The card below it."""
        task = self.party.view.task(self.things.other)
        if task is None:
            raise LookupError(self.things.other)
        return task

    def subtask(self, number: int) -> Task:
        """One of its three subtasks."""
        subtask = self.detail.find(self.things.subtasks[number])
        if subtask is None:
            raise LookupError(number)
        return subtask

    def group(self, number: int) -> SubtaskGroup:
        """One of its two groups; the second has nothing in it."""
        group = self.detail.group(self.things.groups[number])
        if group is None:
            raise LookupError(number)
        return group

    def comment(self, comment_id: int) -> Comment:
        """A comment on it."""
        comment = self.detail.comment(comment_id)
        if comment is None:
            raise LookupError(comment_id)
        return comment

    def label(self, label_id: int) -> Label:
        """A label of the board."""
        label = self.party.view.label(label_id)
        if label is None:
            raise LookupError(label_id)
        return label

    def said(self) -> list[str]:
        """What is drawn of the comments, latest first."""
        return [comment.text for comment in self.detail.comments or ()]

    def titles(self, number: int) -> list[str]:
        """What is drawn in a group."""
        return [subtask.title for subtask in self.group(number).subtasks]
