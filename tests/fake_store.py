"""A store for tests of screens: boards in memory, every request noted."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from tui.client.capabilities import Feature
from tui.errors import CallboardError
from tui.model.board import Board, BoardView
from tui.model.detail import TaskDetail
from tui.model.news import CardNews
from tui.model.people import Account
from tui.model.picture_names import KeptPicture
from tui.store.events import (
    BoardChanged,
    BoardsChanged,
    DetailChanged,
    NewsHeard,
    OperationRefused,
    StatusChanged,
    StoreEvent,
    SyncStatus,
    UndoAsks,
    Waiting,
    WaitingState,
)
from tui.store.operations import Operation
from tui.store.protocol import Pause, Resolution


class FakeStore:
    """Applies operations at once and remembers what it was asked.

    `older` are details that `older_comments` and `older_activities` bring, `sources` the raw texts
    of descriptions and comments by their ids, `unread` the comments not seen yet, `pictures` the
    bytes of pictures by their ids.
    """

    def __init__(self, *views: BoardView, details: Iterable[TaskDetail] = ()) -> None:
        self.details = {detail.task.id: detail for detail in details}
        self.older: dict[int, TaskDetail] = {}
        self.sources: dict[int, str] = {}
        self.unread: frozenset[int] = frozenset()
        self.pictures: dict[int, bytes] = {}
        self.kept_pictures: dict[Path, KeptPicture] = {}
        self._details_before: list[dict[int, TaskDetail]] = []
        self._details_after: list[dict[int, TaskDetail]] = []
        self.me = Account()
        self.missing: set[Feature] = set()
        self.views = {view.board.id: view for view in views}
        self.others: tuple[Board, ...] = ()
        self.submitted: list[Operation] = []
        self.steps: list[tuple[Operation, ...]] = []
        self.asked: list[str] = []
        self.failure: CallboardError | None = None
        self.kept: list[Waiting] = []
        self.drafts: dict[int, str] = {}
        self.depending: dict[int, int] = {}
        self.arrived: set[int] = set()
        self.marks: dict[int, CardNews] = {}
        self.differs: UndoAsks | None = None
        self.now = SyncStatus(checked_at=datetime(2026, 11, 20, 9, 0, tzinfo=UTC))
        self._before: list[BoardView] = []
        self._after: list[BoardView] = []
        self._listeners: list[Callable[[StoreEvent], None]] = []

    def offers(self, feature: Feature) -> bool | None:
        return False if feature in self.missing else None

    def tell(self, event: StoreEvent) -> None:
        """Tell every listener."""
        for listener in tuple(self._listeners):
            listener(event)

    def news(self, view: BoardView, **renamed: int) -> None:
        """The service says that a board looks like this now."""
        self.views[view.board.id] = view
        self.tell(BoardChanged(view.board.id, {int(k[1:]): v for k, v in renamed.items()}))

    def refuse(self, operation: Operation, reason: str) -> None:
        """The service refuses a change."""
        waiting = Waiting(
            len(self.kept) + 1,
            operation.board_id,
            operation,
            WaitingState.REFUSED,
            datetime(2026, 11, 20, 9, 0, tzinfo=UTC),
            reason=reason,
        )
        self.kept.append(waiting)
        self.now = self.now._replace(refused=len(self.kept))
        self.tell(OperationRefused(waiting))

    def subscribe(self, listener: Callable[[StoreEvent], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def boards(self) -> tuple[Board, ...]:
        return (*(view.board for view in self.views.values()), *self.others)

    def board(self, board_id: int) -> BoardView | None:
        return self.views.get(board_id)

    def status(self, board_id: int | None = None) -> SyncStatus:
        del board_id
        return self.now

    def waiting(self, board_id: int | None = None) -> tuple[Waiting, ...]:
        return tuple(each for each in self.kept if board_id in (None, each.board_id))

    async def open_board(self, board_id: int, *, after: Pause | None = None) -> None:
        del after
        self.asked.append(f"open {board_id}")

    async def close_board(self) -> None:
        self.asked.append("close")

    async def submit(self, *operations: Operation) -> None:
        if self.failure is not None:
            raise self.failure
        self.submitted.extend(operations)
        self.steps.append(operations)
        if all(operation.subject.kind == "board" for operation in operations):
            self._submit_to_list(operations)
            return
        board_id = operations[0].board_id
        self._before.append(self.views[board_id])
        view = self.views[board_id]
        for operation in operations:
            view = operation.apply(view)
        self.views[board_id] = view
        self._draw_details(operations)
        self.news(view)

    async def undo(self, board_id: int, *, even_so: bool = False) -> str | None:
        self._may_differ(even_so=even_so)
        if not self._before:
            return None
        self._after.append(self.views[board_id])
        self._undo_details()
        self.news(self._before.pop())
        return "the last change"

    async def redo(self, board_id: int, *, even_so: bool = False) -> str | None:
        self._may_differ(even_so=even_so)
        if not self._after:
            return None
        self._before.append(self.views[board_id])
        self._redo_details()
        self.news(self._after.pop())
        return "the last change"

    async def refresh(self, board_id: int | None = None) -> None:
        self.asked.append(f"refresh {board_id}")
        if self.failure is not None:
            raise self.failure

    async def retry(self, waiting_id: int, *, even_so: bool = False) -> None:
        self.asked.append(f"retry {waiting_id}{' even so' if even_so else ''}")

    async def discard(self, waiting_id: int) -> bool:
        self.asked.append(f"discard {waiting_id}")
        if self.failure is not None:
            raise self.failure
        self.kept = [each for each in self.kept if each.id != waiting_id]
        self.tell(StatusChanged(0))
        return waiting_id not in self.arrived

    def depending_on(self, waiting_id: int) -> int:
        return self.depending.get(waiting_id, 0)

    async def resolve(self, waiting_id: int, how: Resolution, text: str | None = None) -> None:
        if self.failure is not None:
            raise self.failure
        self.asked.append(f"resolve {waiting_id} {how} {text}")
        self.kept = [each for each in self.kept if each.id != waiting_id]
        self.tell(StatusChanged(0))

    def merge_draft(self, waiting_id: int) -> str | None:
        return self.drafts.get(waiting_id)

    def changed_by_others(self, board_id: int) -> Mapping[int, CardNews]:
        del board_id
        return self.marks

    def others_did(self, *news: CardNews, board_id: int = 1) -> None:
        """Somebody else changed cards."""
        self.marks = {**self.marks, **{one.task_id: one for one in news}}
        self.tell(NewsHeard(board_id, news))

    async def looked_at(self, board_id: int, task_id: int) -> None:
        self.marks = {key: one for key, one in self.marks.items() if key != task_id}
        self.asked.append(f"looked at {task_id}")
        self.tell(NewsHeard(board_id))

    async def left_board(self, board_id: int) -> None:
        self.asked.append(f"left {board_id}")

    def seen(self, *, is_seen: bool) -> None:
        self.asked.append(f"seen {is_seen}")

    def _may_differ(self, *, even_so: bool) -> None:
        if self.differs is not None and not even_so:
            raise self.differs
        self.differs = None

    def _submit_to_list(self, operations: tuple[Operation, ...]) -> None:
        """Draw changes of boards themselves."""
        boards = tuple(view.board for view in self.views.values())
        for operation in operations:
            boards = operation.apply_boards(boards)
        there = {board.id: board for board in boards}
        for board in boards:
            view = self.views.get(board.id, BoardView(board))
            self.views[board.id] = replace(view, board=board)
        self.views = {key: view for key, view in self.views.items() if key in there}
        self.tell(BoardsChanged())

    def detail_news(self, detail: TaskDetail) -> None:
        """The service says that a task looks like this now."""
        self.details[detail.task.id] = detail
        self.tell(DetailChanged(detail.task.board_id, detail.task.id))

    def _draw_details(self, operations: Sequence[Operation]) -> None:
        """Draw what was submitted."""
        self._details_before.append(dict(self.details))
        for detail in list(self.details.values()):
            drawn = detail
            for operation in operations:
                drawn = operation.apply_detail(drawn)
            if drawn != detail:
                self.detail_news(drawn)

    def _undo_details(self) -> None:
        """Take back what was drawn last."""
        if self._details_before:
            self._details_after.append(self.details)
            self.details = self._details_before.pop()

    def _redo_details(self) -> None:
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
