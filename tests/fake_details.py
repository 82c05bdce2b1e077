"""The part of the fake store that is about opened tasks."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tui.errors import CallboardError
from tui.model.detail import TaskDetail
from tui.model.picture_names import KeptPicture
from tui.store.events import DetailChanged, StoreEvent
from tui.store.operations import Operation


class FakeDetails:
    """Opened tasks in memory; operations are drawn on them at once.

    `older` are details that `older_comments` and `older_activities` bring, `sources` the raw texts
    of descriptions and comments by their ids, `unread` the comments not seen yet, `pictures` the
    bytes of pictures by their ids.
    """

    asked: list[str]

    def __init__(self, details: Iterable[TaskDetail] = ()) -> None:
        self.details = {detail.task.id: detail for detail in details}
        self.older: dict[int, TaskDetail] = {}
        self.sources: dict[int, str] = {}
        self.unread: frozenset[int] = frozenset()
        self.pictures: dict[int, bytes] = {}
        self.kept_pictures: dict[Path, KeptPicture] = {}
        self._details_before: list[dict[int, TaskDetail]] = []
        self._details_after: list[dict[int, TaskDetail]] = []

    def tell(self, event: StoreEvent) -> None:
        """Tell every listener; for the whole store."""
        raise NotImplementedError

    def detail_news(self, detail: TaskDetail) -> None:
        """The service says that a task looks like this now."""
        self.details[detail.task.id] = detail
        self.tell(DetailChanged(detail.task.board_id, detail.task.id))

    def draw_details(self, operations: Sequence[Operation]) -> None:
        """Draw what was submitted."""
        self._details_before.append(dict(self.details))
        for detail in list(self.details.values()):
            drawn = detail
            for operation in operations:
                drawn = operation.apply_detail(drawn)
            if drawn != detail:
                self.detail_news(drawn)

    def undo_details(self) -> None:
        """Take back what was drawn last."""
        if self._details_before:
            self._details_after.append(self.details)
            self.details = self._details_before.pop()

    def redo_details(self) -> None:
        """Draw again what was taken back."""
        if self._details_after:
            self._details_before.append(self.details)
            self.details = self._details_after.pop()

    def detail(self, task_id: int) -> TaskDetail | None:
        return self.details.get(task_id)

    async def open_task(self, board_id: int, task_id: int) -> None:
        self.asked.append(f"open task {task_id} of {board_id}")

    def close_task(self) -> None:
        self.asked.append("close task")

    async def refresh_task(self, task_id: int) -> None:
        self.asked.append(f"refresh task {task_id}")

    async def older_comments(self, task_id: int) -> None:
        self.asked.append(f"older comments of {task_id}")
        if task_id in self.older:
            self.detail_news(self.older[task_id])

    async def older_activities(self, task_id: int) -> None:
        self.asked.append(f"older activities of {task_id}")
        if task_id in self.older:
            self.detail_news(self.older[task_id])

    async def description_source(self, task_id: int) -> str:
        return self.sources.get(task_id, "")

    async def comment_source(self, task_id: int, comment_id: int) -> str:
        del task_id
        return self.sources.get(comment_id, "")

    def unread_comments(self, task_id: int) -> frozenset[int]:
        del task_id
        return self.unread

    async def comments_seen(self, task_id: int) -> None:
        self.asked.append(f"comments of {task_id} seen")

    async def keep_picture(self, path: Path) -> KeptPicture:
        if path not in self.kept_pictures:
            raise CallboardError(f"{path.name} cannot be read.")
        return self.kept_pictures[path]

    async def picture(
        self, task_id: int, image_id: int, progress: Callable[[int, int | None], None] | None = None
    ) -> bytes:
        del task_id, progress
        if image_id not in self.pictures:
            raise CallboardError("The picture cannot be had.")
        return self.pictures[image_id]
