"""What the store keeps of opened tasks beyond their cards, as sending and planning see it."""

from collections.abc import Iterable
from typing import Protocol

from tui.model.detail import TaskDetail
from tui.model.ids import Kind
from tui.store.operations.base import News, Operation
from tui.store.remote import Document


class Around(Protocol):
    """Subtasks, comments and values of opened tasks."""

    def around(self, task_id: int | None) -> TaskDetail | None:
        """The detail of a task, or that in which it is a subtask, if one is in memory."""
        ...

    def take(self, news: Iterable[News]) -> object:
        """Take what a reply says into memory, at the moment the operation leaves the queue."""
        ...

    def hear(self, news: Iterable[News]) -> None:
        """Take what the service says into memory, and tell of it."""
        ...

    async def document(self, operation: Operation) -> Document | None:
        """What an operation changes, as the service last said it, if it is of a task's detail."""
        ...

    async def newest_id(self, kind: Kind) -> int:
        """The highest id known of comments, groups or subtasks; else 0."""
        ...
