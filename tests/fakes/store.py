"""A store for tests of screens: boards in memory, every request noted."""

from collections.abc import (
    AsyncIterator,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from tests.fakes.boards import NOW
from tui.client.capabilities import Feature
from tui.errors import CallboardError
from tui.model.board import Board, BoardView
from tui.model.comment import Thread
from tui.model.detail import TaskDetail
from tui.model.events.history import BoardHistory
from tui.model.events.remote_changes import RemoteChange
from tui.model.find import Found
from tui.model.lane import Chunk, Lane, Tally
from tui.model.people import Account
from tui.model.picture_names import KeptPicture
from tui.model.query.language import Query, QueryContext
from tui.model.query.matching import filtered
from tui.model.relations import NO_RELATIONS, Relations, related
from tui.model.task import Task
from tui.model.work.agent_log import AgentChange
from tui.store.events import (
    BoardChanged,
    BoardsChanged,
    DetailChanged,
    OperationRefused,
    PendingChange,
    PendingState,
    Reversal,
    StatusChanged,
    StoreEvent,
    SyncStatus,
    Undone,
    UndoNeedsConfirmation,
    UnseenChanged,
)
from tui.store.operations import Edit, MoveTask, Operation
from tui.store.protocol import FoundCards, Pause, Resolution
from tui.store.remote import Remote


class FakeStore:
    """Applies operations at once and remembers what it was asked.

    `older` are details that `older_comments` and `older_activities` bring, `sources` the raw texts
    of descriptions and comments by their ids, `found` what can be found, `unread` the comments not
    seen yet, `pictures` the bytes of pictures by their ids, `tallies` those of `others`.
    """

    def __init__(self, *views: BoardView, details: Iterable[TaskDetail] = ()) -> None:
        self.details = {detail.task.id: detail for detail in details}
        self.older: dict[int, TaskDetail] = {}
        self.followed: tuple[int, ...] = ()
        self.sources: dict[int, str] = {}
        self.unread: frozenset[int] = frozenset()
        self.pictures: dict[int, bytes] = {}
        self.archived: tuple[Task, ...] = ()
        self.histories: dict[int, BoardHistory] = {}
        self.found: tuple[Found, ...] = ()
        self.kept_pictures: dict[Path, KeptPicture] = {}
        self._details_before: list[dict[int, TaskDetail]] = []
        self._details_after: list[dict[int, TaskDetail]] = []
        self.tallies: dict[int, Tally] = {}
        self.me = Account()
        self.is_read_only = False
        self.missing: set[Feature] = set()
        self.offered: set[Feature] = set()
        self.views = {view.board.id: view for view in views}
        self._has_blockers = any(task.blockers for task in self._tasks())
        self.others: tuple[Board, ...] = ()
        self.submitted: list[Operation] = []
        self.steps: list[tuple[Operation, ...]] = []
        self.asked: list[str] = []
        self.failure: CallboardError | None = None
        self.remote: Remote | None = None
        self.kept: list[PendingChange] = []
        self.lost: tuple[str, ...] = ()
        self.drafts: dict[int, str] = {}
        self.depending: dict[int, int] = {}
        self.arrived: set[int] = set()
        self.marks: dict[int, RemoteChange] = {}
        self.differs: UndoNeedsConfirmation | None = None
        self.now = SyncStatus(checked_at=NOW.astimezone())
        self.of_boards: dict[int, SyncStatus] = {}
        """How boards stand that are not as `now` says."""
        self._before: list[tuple[BoardView, tuple[Operation, ...]]] = []
        self._after: list[tuple[BoardView, tuple[Operation, ...]]] = []
        self.agents_did: list[AgentChange] = []
        self.reversals: dict[str, Reversal] = {}
        self.origin = ""
        self._listeners: list[Callable[[StoreEvent], None]] = []

    def offers(self, feature: Feature) -> bool | None:
        return False if feature in self.missing else True if feature in self.offered else None

    async def service(self) -> Remote:
        if self.remote is not None:
            return self.remote
        raise self.failure or CallboardError("There is no service behind this store.")

    async def agent_changes(self, since: datetime) -> Sequence[AgentChange]:
        return [change for change in self.agents_did if change.at >= since]

    async def agent_reversal(
        self, agent: str, since: datetime, board_ids: Collection[int], by_others: Mapping[int, str]
    ) -> Reversal:
        del since, board_ids, by_others
        return self.reversals.get(agent, Reversal())

    async def submit_reversal(self, agent: str, reversal: Reversal) -> None:
        self.reversals.pop(agent)
        await self.submit(*reversal.operations)

    def act_as(self, origin: str) -> None:
        self.origin = origin

    async def archived_tasks(self, board_id: int) -> tuple[Task, ...]:
        return tuple(task for task in self.archived if task.board_id == board_id)

    async def everything(self) -> AsyncIterator[Sequence[Found]]:
        for one in self.found:
            yield [one]

    async def tasks_of_archived_stage(self, board_id: int, stage_id: int) -> tuple[Task, ...]:
        del board_id, stage_id
        return ()

    def moves(self) -> list[MoveTask]:
        """The moves of cards that were submitted."""
        return [operation for operation in self.submitted if isinstance(operation, MoveTask)]

    def notify(self, event: StoreEvent) -> None:
        """Tell every listener."""
        for listener in tuple(self._listeners):
            listener(event)

    def news(self, view: BoardView, **renamed: int) -> None:
        """The service says that a board looks like this now."""
        self.views[view.board.id] = view
        self.notify(BoardChanged(view.board.id, {int(k[1:]): v for k, v in renamed.items()}))

    def refuse(self, operation: Operation, reason: str) -> None:
        """The service refuses a change."""
        waiting = PendingChange(
            len(self.kept) + 1,
            operation.board_id,
            operation,
            PendingState.REFUSED,
            NOW.astimezone(),
            reason=reason,
        )
        self.kept.append(waiting)
        self.now = self.now._replace(refused=len(self.kept))
        self.notify(OperationRefused(waiting))

    def subscribe(self, listener: Callable[[StoreEvent], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def boards(self) -> tuple[Board, ...]:
        return (*(view.board for view in self.views.values()), *self.others)

    def board(self, board_id: int) -> BoardView | None:
        return self.views.get(board_id)

    async def load_board(self, board_id: int) -> BoardView | None:
        return self.views.get(board_id)

    async def tally(self, board_id: int) -> Tally | None:
        view = self.views.get(board_id)
        return self.tallies.get(board_id) if view is None else view.tally()

    async def comments(self, board_id: int) -> Mapping[int, Thread]:
        return {
            task_id: detail.comments or ()
            for task_id, detail in self.details.items()
            if detail.task.board_id == board_id
        }

    async def history(self, board_id: int, task_id: int | None = None) -> BoardHistory:
        del task_id
        return self.histories.get(board_id, BoardHistory(board_id))

    async def read_history(self, board_id: int, since: datetime) -> None:
        self.asked.append(f"history of {board_id} since {since:%Y-%m-%d}")
        if self.failure is not None:
            raise self.failure

    async def read_archived(self, board_id: int, since: datetime) -> None:
        self.asked.append(f"archived of {board_id} since {since:%Y-%m-%d}")

    def status(self, board_id: int | None = None) -> SyncStatus:
        return self.of_boards.get(board_id or 0, self.now)

    def pending(self, board_id: int | None = None) -> tuple[PendingChange, ...]:
        return tuple(each for each in self.kept if board_id in (None, each.board_id))

    async def open_board(self, board_id: int, *, after: Pause | None = None) -> None:
        del after
        self.asked.append(f"open {board_id}")
        for board in self.others:
            if board.id == board_id:  # it is empty
                self.others = tuple(other for other in self.others if other is not board)
                self.news(BoardView(board))

    async def close_board(self) -> None:
        self.asked.append("close")

    async def follow(self, board_ids: Sequence[int], *, by: str = "") -> None:
        del by
        self.followed = tuple(board_ids)

    def relations(self) -> Relations:
        # As in the store, boards on which no card names another cost nothing.
        return related(self._tasks()) if self._has_blockers else NO_RELATIONS

    def _tasks(self) -> Iterator[Task]:
        lanes = (lane for view in self.views.values() for lane in view.tasks.values())
        for lane in lanes:
            # Cards that are packed are not looked at, as boards unpack what is in sight.
            chunks = lane.chunks if isinstance(lane, Lane) else (Chunk(tuple(lane)),)
            for chunk in chunks:
                if not chunk.is_packed:
                    yield from chunk.tasks

    async def find_cards(
        self, query: Query, board_ids: Sequence[int], now: datetime, within: Collection[int]
    ) -> FoundCards:
        views = [self.views[board_id] for board_id in board_ids if board_id in self.views]
        about = QueryContext.of(views, self.me, now, self.marks, relations=self.relations())
        found = (filtered(view, query, about) for view in views if view.board.id in within)
        missing = tuple(board_id for board_id in within if board_id not in self.views)
        return FoundCards(tuple(found), missing, about)

    async def count_cards(
        self, query: Query, board_ids: Sequence[int], now: datetime, within: Collection[int]
    ) -> Mapping[int, int]:
        found = await self.find_cards(query, board_ids, now, within)
        return {view.board.id: sum(1 for _ in view.all_tasks()) for view in found.views}

    async def submit(self, *operations: Operation) -> None:
        if self.failure is not None:
            raise self.failure
        board_id = operations[0].board_id
        is_about_boards = all(operation.subject.kind == "board" for operation in operations)
        if not is_about_boards and board_id not in self.views:
            raise CallboardError("This board has not been loaded yet, so nothing was changed.")
        self.submitted.extend(operations)
        self._has_blockers |= any(isinstance(one, Edit) and one.blocker for one in operations)
        self.steps.append(operations)
        if is_about_boards:
            self._submit_to_list(operations)
            return
        for board_id in dict.fromkeys(operation.board_id for operation in operations):
            own = tuple(one for one in operations if one.board_id == board_id)
            self._before.append((self.views[board_id], own))
            view = self.views[board_id]
            for operation in own:
                view = operation.apply(view)
            self.views[board_id] = view
            self._draw_details(own)
            self.news(view)

    async def undo(self, board_id: int, *, force: bool = False) -> Undone | None:
        self._may_differ(force=force)
        if not self._before:
            return None
        view, operations = self._before.pop()
        self._after.append((self.views[board_id], operations))
        self._undo_details()
        self.news(view)
        return Undone(operations[0].describe(), operations)

    async def redo(self, board_id: int, *, force: bool = False) -> Undone | None:
        self._may_differ(force=force)
        if not self._after:
            return None
        view, operations = self._after.pop()
        self._before.append((self.views[board_id], operations))
        self._redo_details()
        self.news(view)
        return Undone(operations[0].describe(), operations)

    async def board_of_last(self, stack: Literal["undo", "redo"]) -> int | None:
        steps = self._before if stack == "undo" else self._after
        return steps[-1][1][0].board_id if steps else None

    async def refresh(self, board_id: int | None = None, *, only_changes: bool = False) -> None:
        del only_changes
        self.asked.append(f"refresh {board_id}")
        if self.failure is not None:
            raise self.failure

    async def retry(self, pending_id: int, *, force: bool = False) -> None:
        self.asked.append(f"retry {pending_id}{' even so' if force else ''}")

    async def discard(self, pending_id: int) -> bool:
        self.asked.append(f"discard {pending_id}")
        if self.failure is not None:
            raise self.failure
        self.kept = [each for each in self.kept if each.id != pending_id]
        self.notify(StatusChanged(0))
        return pending_id not in self.arrived

    def count_dependants(self, pending_id: int) -> int:
        return self.depending.get(pending_id, 0)

    async def resolve(self, pending_id: int, how: Resolution, text: str | None = None) -> None:
        if self.failure is not None:
            raise self.failure
        self.asked.append(f"resolve {pending_id} {how} {text}")
        self.kept = [each for each in self.kept if each.id != pending_id]
        self.notify(StatusChanged(0))

    def merge_draft(self, pending_id: int) -> str | None:
        return self.drafts.get(pending_id)

    def changed_by_others(self, board_id: int) -> Mapping[int, RemoteChange]:
        del board_id
        return self.marks

    def others_did(self, *news: RemoteChange, board_id: int = 1) -> None:
        """Somebody else changed cards."""
        self.marks = {**self.marks, **{one.task_id: one for one in news}}
        self.notify(UnseenChanged(board_id, news))

    async def mark_seen(self, board_id: int, task_ids: Collection[int] | None = None) -> None:
        if task_ids is None:
            self.asked.append(f"left {board_id}")
            return
        self.marks = {key: one for key, one in self.marks.items() if key not in task_ids}
        self.asked += [f"looked at {task_id}" for task_id in task_ids]
        self.notify(UnseenChanged(board_id))

    def set_visible(self, *, is_visible: bool) -> None:
        self.asked.append(f"seen {is_visible}")

    def losses(self) -> tuple[str, ...]:
        return self.lost

    async def acknowledge_losses(self) -> None:
        self.lost = ()
        self.notify(StatusChanged(None))

    def suspend(self) -> None:
        self.asked.append("suspend")

    def _may_differ(self, *, force: bool) -> None:
        if self.differs is not None and not force:
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
        self.notify(BoardsChanged())

    def detail_news(self, detail: TaskDetail) -> None:
        """The service says that a task looks like this now."""
        self.details[detail.task.id] = detail
        self.notify(DetailChanged(detail.task.board_id, detail.task.id))

    def _draw_details(self, operations: Sequence[Operation]) -> None:
        """Draw what was submitted; a card that it adds has nothing around it."""
        self._details_before.append(dict(self.details))
        view = self.views[operations[0].board_id]
        for operation in operations:
            task = None if operation.creates is None else view.task(operation.creates)
            if task is not None:
                self.details[task.id] = TaskDetail(task, groups=(), comments=())
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

    async def mark_comments_read(self, task_id: int) -> None:
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
