"""The boards in memory, between the cache and the screens.

The rule it keeps: what the service says is written to the cache first and then becomes the truth
in memory, and whatever is drawn is that truth with the pending operations on top.
"""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from tui.model.board import Board, BoardView
from tui.model.task import Task
from tui.store.assemble import Assembler, lanes
from tui.store.cache import Cache, KeptBoardDocuments
from tui.store.disk import DiskThread
from tui.store.listeners import Listeners
from tui.store.operations.base import Operation
from tui.store.projection import drawn_also, project
from tui.store.protocol import BoardChanged, BoardsChanged
from tui.store.queue import Queue
from tui.store.remote import Document
from tui.store.slices import Turns, each
from tui.store.truth import Truth

_SLICE = 128
_FEW = 200


@dataclass(slots=True)
class KeptBoard:
    """One board in memory.

    `sketch` is what the first paint shows until the `truth` is there; `touched` are the tasks the
    service spoke of since a reload began, which the reload therefore knows less about; `version`
    is that of the cache file when the truth was read, which other programs may write to.
    """

    sketch: BoardView | None = None
    truth: Truth | None = None
    drawn: BoardView | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    touched: set[int] = field(default_factory=set)
    synced_at: str = ""
    version: int = 0


class Shelf:
    """Every board that was looked at or has changes on their way.

    `glance` is a connection for the short reads of the event loop, `cache` that of the disk
    thread; `read_ahead` is what has been read already for the first paint of a board.
    """

    def __init__(
        self,
        *,
        glance: Cache,
        read_ahead: Mapping[int, KeptBoardDocuments],
        cache: Cache,
        disk: DiskThread,
        queue: Queue,
        listeners: Listeners,
    ) -> None:
        self._glance = glance
        self._read_ahead = dict(read_ahead)
        self._cache = cache
        self._disk = disk
        self._queue = queue
        self._listeners = listeners
        self._assembler = Assembler()
        self._kept: dict[int, KeptBoard] = {}
        self._boards: tuple[Board, ...] | None = None
        self._version = 0

    def boards(self) -> tuple[Board, ...]:
        """The boards known, newest first."""
        if self._boards is None:
            made = (self._assembler.board(each) for each in self._glance.board_summaries())
            self._boards = tuple(board for board in made if board is not None)
        return self._boards

    def view(self, board_id: int) -> BoardView | None:
        """A board as drawn; the first tasks of each stage if no more is in memory yet."""
        kept = self._keep(board_id)
        if kept.drawn is None:
            kept.sketch = self._sketch(board_id)
            self.draw(board_id)
        return kept.drawn

    def truth(self, board_id: int) -> Truth | None:
        """The service's last word on a board, if it is whole in memory."""
        return self._keep(board_id).truth

    def synced_at(self, board_id: int) -> str:
        """The service's own time of when a board was last asked for; empty if it named none."""
        return self._keep(board_id).synced_at

    def _sketch(self, board_id: int) -> BoardView | None:
        first = self._read_ahead.pop(board_id, None) or self._glance.first_paint(board_id)
        frame = None if first is None else self._assembler.empty_view(first.board)
        if first is None or frame is None:
            return None
        made = (self._assembler.task(document) for document in first.tasks)
        by_stage = lanes(task for task in made if task is not None)
        return replace(
            frame,
            tasks={stage.id: by_stage.get(stage.id, ()) for stage in frame.stages},
            complete=False,
            totals=first.totals,
        )

    def draw(self, board_id: int) -> None:
        """Project a board again."""
        kept = self._keep(board_id)
        base = kept.truth.view if kept.truth is not None else kept.sketch
        kept.drawn = None if base is None else project(base, self._queue.drawn(board_id))

    def draw_also(self, board_id: int, operations: Sequence[Operation]) -> None:
        """Draw operations that were just submitted."""
        kept = self._keep(board_id)
        if kept.drawn is None:
            self.draw(board_id)
        else:
            kept.drawn = drawn_also(kept.drawn, operations)

    def announce(self, board_id: int, renamed: Mapping[int, int] | None = None) -> None:
        """Tell everyone that a board looks different."""
        self._listeners.tell(BoardChanged(board_id, renamed or {}))

    async def load(self, board_id: int) -> BoardView | None:
        """Bring a board into memory whole; None if the cache does not know it."""
        kept = self._keep(board_id)
        async with kept.lock:
            if kept.truth is None:
                kept.version = await self._disk.run(self._cache.version)
                kept.truth = await self._truth_from_cache(board_id)
                if kept.truth is not None:
                    self.draw(board_id)
                    self.announce(board_id)
        return kept.drawn if kept.truth is not None else None

    async def _truth_from_cache(self, board_id: int) -> Truth | None:
        document = await self._disk.run(self._cache.board, board_id)
        frame = None if document is None else self._assembler.empty_view(document)
        if frame is None:
            return None
        newest_id = await self._disk.run(self._cache.newest_task_id, board_id)
        slices = self._cache.whole(board_id, _SLICE)
        truth = Truth(frame, newest_id)
        turns = Turns()
        while bodies := await self._disk.run(next, slices, None):
            for task in await each(bodies, self._task_from_body, turns):
                if task is not None:
                    truth.append(task)
        return truth

    def _task_from_body(self, body: str) -> Task | None:
        return self._assembler.task(json.loads(body))

    async def absorb_boards(self, documents: Sequence[Document]) -> None:
        """Take over the list of boards."""
        version = await self._disk.run(self._cache.version)
        shared, self._version = version != self._version, version
        if await self._disk.run(self._cache.put_board_summaries, documents) or shared:
            self._boards = None
            self._listeners.tell(BoardsChanged())

    async def absorb_board_summary(self, document: Document) -> None:
        """Take over one board of the list."""
        if await self._disk.run(self._cache.put_board_summary, document):
            self._boards = None
            self._listeners.tell(BoardsChanged())

    async def forget_board(self, board_id: int) -> None:
        """The board is gone."""
        await self._disk.run(self._cache.forget_board, board_id)
        self._kept.pop(board_id, None)
        self._boards = None
        self._listeners.tell(BoardsChanged())

    def begin_reload(self, board_id: int) -> None:
        """What is touched from here on is newer than what the reload will bring."""
        self._keep(board_id).touched.clear()

    async def absorb_frame(self, document: Document) -> bool:
        """Take over a board and its stages; says whether it looks different."""
        board_id = int(document["id"])
        kept = self._keep(board_id)
        async with kept.lock:
            await self._disk.run(self._cache.put_board, document)
            kept.synced_at = str(document.get("synced_at") or "")
            frame = self._assembler.empty_view(document)
            if frame is None or kept.truth is None:
                return False
            return kept.truth.reframe(frame)

    async def absorb_all_tasks(self, board_id: int, documents: Sequence[Document]) -> bool:
        """Take over all active tasks of a board; says whether it looks different."""
        kept = self._keep(board_id)
        async with kept.lock:
            changed: list[Document] = []
            present: set[int] = set()
            version = await self._disk.run(self._cache.version)
            shared, kept.version = version != kept.version, version
            for start in range(0, len(documents), _SLICE):
                part = documents[start : start + _SLICE]
                present.update(task["id"] for task in part)
                news = [task for task in part if task["id"] not in kept.touched]
                changed += await self._disk.run(self._cache.put_tasks, news)
            present |= kept.touched
            gone = await self._disk.run(self._forget_all_but, board_id, present)
            if kept.truth is None or shared or len(changed) + len(gone) > _FEW:
                kept.truth = await self._truth_from_cache(board_id)
                return True
            return self._merge(kept.truth, changed, gone)

    def _forget_all_but(self, board_id: int, present: set[int]) -> list[int]:
        gone = sorted(self._cache.active_task_ids(board_id) - present)
        for task_id in gone:
            self._cache.forget_task(task_id)
        return gone

    def _merge(self, truth: Truth, changed: Iterable[Document], gone: Iterable[int]) -> bool:
        different = False
        for document in changed:
            task = self._assembler.task(document)
            if task is not None:
                different |= truth.put(task)
        for task_id in gone:
            different |= truth.drop(task_id)
        return different

    async def keep_reply(self, board_id: int, task_id: int, document: Document | None) -> None:
        """Put a reply into the cache, so that the outbox may forget what it answers.

        Were it the other way round, a program killed between the two would at first paint the
        board as it was before.
        """
        if document is None:
            await self._disk.run(self._cache.forget_task, task_id)
        else:
            await self._disk.run(self._cache.merge_task, {"board_id": board_id, **document})

    async def absorb_task(self, board_id: int, document: Document) -> None:
        """Take over one task as it was read."""
        await self.absorb_reply(board_id, int(document["id"]), document, settle=lambda: None)

    async def absorb_reply(
        self,
        board_id: int,
        task_id: int,
        document: Document | None,
        settle: Callable[[], None],
    ) -> None:
        """Take over one task from a reply, None if it is gone.

        `settle` takes the operation out of the queue at the very moment its effect becomes the
        truth, so that it is never drawn twice nor missed.
        """
        kept = self._keep(board_id)
        kept.touched.add(task_id)
        async with kept.lock:
            if document is None:
                await self._disk.run(self._cache.forget_task, task_id)
            else:
                document = await self._disk.run(
                    self._cache.merge_task, {"board_id": board_id, **document}
                )
            settle()
            if kept.truth is not None:
                news = [] if document is None else [document]
                self._merge(kept.truth, news, [task_id] if document is None else [])
            self.draw(board_id)

    def checked_at(self, board_id: int) -> datetime | None:
        """When a board was last fetched whole, maybe by an earlier start of the program."""
        return self._glance.checked_at(board_id)

    async def note_checked(self, board_id: int, moment: datetime) -> None:
        """A board was fetched whole."""
        await self._disk.run(self._cache.set_checked_at, board_id, moment)

    async def task_document(self, task_id: int) -> Document | None:
        """A task as the service last said it."""
        return await self._disk.run(self._cache.task, task_id)

    def _keep(self, board_id: int) -> KeptBoard:
        return self._kept.setdefault(board_id, KeptBoard())
