"""Merges responses about boards into the cache and into memory.

A response is written to the cache and then merged in memory; only what other programs wrote is read
from the cache. Both go in slices, so that the event loop is never blocked for long.
"""

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from types import MappingProxyType

from tui.model.board import BoardView
from tui.model.task import Task
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.runtime.slices import Slicer
from tui.store.cache.board_writer import LISTED, BoardWriter, new_or_changed
from tui.store.cache.revisions import ListRequest
from tui.store.core import Core
from tui.store.documents.shapes import Document
from tui.store.operations.base import ReplyPart
from tui.store.views.board_state import BoardState, MergeResult, Truth
from tui.store.views.boards import BoardViews

_SLICE = 128
_FEW = 200


class BoardUpdates:
    """Updates cache and memory from responses, and redraws."""

    def __init__(self, core: Core, boards: BoardViews) -> None:
        self.boards = boards
        self._state = boards.state
        self._loop_cache = core.loop_cache
        self._cache = core.cache
        self._disk = core.disk
        self._assembler = boards.assembler
        self._boards_revision = 0

    async def load(self, board_id: int) -> BoardView | None:
        """Load a board into memory; None if it is not cached."""
        if board_id < 0:
            return self.boards.view(board_id)
        state = self._state(board_id)
        # A loaded board does not wait for the lock: a reply that is being merged holds it, and a
        # submit must not be delayed by that.
        if self.boards.truth(board_id) is None:
            async with state.lock:
                # Another caller may have loaded it while this one waited for the lock.
                if state.truth is None and await self._read_truth(board_id, state):
                    self.boards.redraw(board_id)
        return state.view if state.truth is not None else None

    async def is_cached(self, board_id: int) -> bool:
        """Whether a board is in memory or in the cache."""
        if self.boards.truth(board_id) is not None:
            return True
        return await self._disk.run(self._cache.board, board_id) is not None

    async def catch_up(self, board_id: int) -> bool:
        """Merge what other programs wrote to the cache; returns whether the board differs."""
        state = self._state(board_id)
        async with state.lock:
            is_anything_read = state.truth is not None or state.revision > 0
            return is_anything_read and await self._follow(board_id, state)

    async def catch_up_boards(self) -> None:
        """Merge what other programs wrote to the list of boards."""
        revision = await self._disk.run(self._cache.revisions.summaries)
        if revision not in (0, self._boards_revision):
            self._boards_revision = revision
            self.boards.reload_list()

    async def _follow(self, board_id: int, state: BoardState) -> bool:
        written = await self._disk.run(
            self._cache.revisions.changes, board_id, state.revision, _FEW
        )
        if written is not None and not (written.tasks or written.gone or written.frame):
            state.revision = written.revision
            return False
        # Not loaded yet, too much was written since, or another file: the whole board is read.
        if state.truth is None or written is None:
            await self._read_truth(board_id, state)
            return True
        state.revision = written.revision
        tasks = filter(None, map(self._assembler.task, written.tasks))
        return await self._merge(state.truth, tasks, written.gone, written.frame)

    async def _take_written(self, state: BoardState, writer: BoardWriter) -> bool:
        if state.truth is None:
            return False
        different = await self._merge(state.truth, writer.tasks, writer.gone, writer.frame)
        # Without other writers, memory has everything up to the writer's last revision. Otherwise
        # what they wrote is read from the cache.
        if writer.is_alone:
            state.revision = writer.revision
            return different
        return await self._follow(writer.board_id, state) or different

    async def _merge(
        self, truth: Truth, tasks: Iterable[Task], gone: Iterable[int], frame: Document | None
    ) -> bool:
        # Nothing is drawn between the slices, so the board never shows half of a reply.
        slicer = Slicer()
        different = frame is not None and truth.reframe(self._assembler.empty_view(frame))
        for task_id in gone:
            different |= truth.drop(task_id)
        for count, task in enumerate(tasks, start=1):
            different |= truth.put(task)
            if count % _SLICE == 0:
                await slicer.yield_if_over()
        return different

    async def _read_truth(self, board_id: int, state: BoardState) -> bool:
        # If the cache was lost, memory stays as it is. It is read again once it is back, since
        # deletions before that are not recorded in the new file.
        cached = await self._disk.run(self._cached_truth, board_id)
        if cached is not None:
            state.truth, state.revision = cached
        return state.truth is not None

    def _cached_truth(self, board_id: int) -> tuple[Truth, int] | None:
        # Runs on the disk thread, where what is drawn of a large board is unpacked and counted too.
        whole = self._cache.whole(board_id, INPUT_PRIORITY.block_after_input)
        if whole is None:
            return None
        frame = self._assembler.empty_view(whole.board)
        truth = Truth(frame, whole.newest_id, whole.lanes)
        truth.view.tally()
        for lane in whole.lanes.values():
            for chunk in lane.chunks[:1]:
                chunk.unpack()
        return truth, whole.revision

    def revision(self) -> int:
        """The number of the last write to the cache; later writes have higher ones."""
        return self._loop_cache.revision()

    async def replace_boards(self, documents: Sequence[Document], asked_at: int) -> None:
        """Store the list of boards that was requested at that revision."""
        await self._disk.run(self._cache.put_board_summaries, documents, asked_at)
        await self.catch_up_boards()
        for board_id in self.boards.known_ids():
            if await self.catch_up(board_id):
                self.boards.redraw(board_id)

    def begin_reload(self, board_id: int) -> None:
        """Start recording the tasks that replies change; the fetch is older than these."""
        state = self._state(board_id)
        state.touched.clear()
        state.asked_at_frame = state.frame_replies
        state.asked_at_revision = self.revision()

    def was_touched(self, board_id: int) -> bool:
        """Whether a reply changed anything since `begin_reload`."""
        state = self._state(board_id)
        return bool(state.touched) or state.frame_replies != state.asked_at_frame

    def frame_replies(self, board_id: int) -> int:
        """How many replies have changed the board, its stages, labels or fields so far."""
        return self._state(board_id).frame_replies

    def without_old_labels(self, board_id: int, task: Document, asked_at: int) -> Document:
        """A task as it was requested at so many `frame_replies`, without its labels if these grew.

        A reply that changed or deleted a label since has done so on the cards, too.
        """
        if asked_at == self.frame_replies(board_id):
            return task
        return {name: value for name, value in task.items() if name != "labels"}

    async def update_frame(
        self, document: Document, asked_at: int | None, *, with_tasks: bool = False
    ) -> bool:
        """Store a board with its stages and labels; returns whether it looks different.

        It is left as it is if there were more `frame_replies` than `asked_at`, when it was
        requested: these are newer. Labels on its tasks are updated too, unless the tasks were just
        fetched (`with_tasks`).
        """
        board_id = int(document["id"])
        state = self._state(board_id)
        async with state.lock:
            # A reply may have been merged while this waited for the lock.
            if asked_at is not None and asked_at != state.frame_replies:
                return False
            writer = BoardWriter(self._cache, board_id, state.revision)
            await self._disk.run(writer.put_frame, document, with_tasks=with_tasks)
            different = await self._take_written(state, writer)
        if writer.lists_boards:
            await self.catch_up_boards()
        return different

    async def replace_tasks(self, board_id: int, documents: list[Document]) -> MergeResult:
        """Store all active tasks of a board; returns what is different.

        The list is emptied in slices, because freeing thousands of tasks in one step delays key
        presses.
        """
        state = self._state(board_id)
        async with state.lock:
            request = ListRequest(board_id, state.asked_at_revision)
            newer = await self._newer(request, state)
            writer = BoardWriter(self._cache, board_id, state.revision)
            # Tasks that replies created since the request are not in the list, and must not be
            # removed.
            present = set(state.touched)
            while documents:
                part = documents[:_SLICE]
                del documents[:_SLICE]
                present.update(task["id"] for task in part)
                # Checked for each slice: replies keep coming in while the list is written.
                untouched = [task for task in part if task["id"] not in state.touched]
                await self._disk.run(writer.put_tasks, untouched, request)
                if state.truth is None:  # the board is read from the cache at the end instead
                    writer.tasks.clear()
                await INPUT_PRIORITY.yield_to_input()
            gone = await self._disk.run(self._cache.cards.ids, board_id) - present
            await self._disk.run(writer.forget_tasks, gone, request)
            if state.truth is None:
                different = await self._read_truth(board_id, state)
            else:
                different = await self._take_written(state, writer)
            return MergeResult(different, tuple(writer.changed), bool(newer))

    async def _newer(self, request: ListRequest, state: BoardState) -> set[int]:
        # The user's own changes are in the cache from their replies; only others' writes count.
        written = await self._disk.run(self._cache.revisions.written_after, *request)
        return written - state.touched

    async def update_tasks(
        self,
        board_id: int,
        documents: Sequence[Document],
        gone: Collection[int],
        reported: Collection[int],
    ) -> MergeResult:
        """Merge tasks that changed since `begin_reload`, and remove others.

        All that were `reported` count as outdated if they were written since, also those that were
        the same in the cache when it was compared.
        """
        state = self._state(board_id)
        async with state.lock:
            request = ListRequest(board_id, state.asked_at_revision)
            newer = await self._newer(request, state)
            writer = BoardWriter(self._cache, board_id, state.revision)
            untouched = [task for task in documents if task["id"] not in state.touched]
            await self._disk.run(writer.merge_tasks, untouched, request)
            cached_gone = (
                await self._disk.run(self._cache.cards.among, board_id, gone) if gone else set()
            )
            await self._disk.run(writer.forget_tasks, cached_gone - state.touched, request)
            is_outdated = not cached_gone.union(reported).isdisjoint(newer | state.touched)
            different = await self._take_written(state, writer)
            return MergeResult(different, tuple(writer.changed), is_outdated)

    async def new_or_changed(self, documents: Sequence[Document]) -> list[Document]:
        """The tasks that differ from the cached ones."""
        return await self._disk.run(new_or_changed, self._cache, documents)

    async def apply_reply(self, board_id: int, parts: Sequence[ReplyPart]) -> None:
        """Merge the parts of a reply, about the board and around its tasks."""
        async with self.merging(board_id, parts) as writer:
            await self.write_reply(writer, parts)
            await self.draw_reply(writer)

    def in_known_order(self, board_id: int, parts: Sequence[ReplyPart]) -> Sequence[ReplyPart]:
        """The parts of a reply to what moves no card, with the positions that are known.

        Others of the stage may have new ones, too, if the service renumbered it or somebody moved
        them: a list of tasks has all of these, and cards are in order only among such.
        """
        truth = self.boards.truth(board_id)
        if truth is None:
            return parts
        return [_at_known_place(truth, part) for part in parts]

    @asynccontextmanager
    async def merging(
        self, board_id: int, parts: Sequence[ReplyPart]
    ) -> AsyncIterator[BoardWriter]:
        """Lock a board while a reply is merged with `write_reply` and `draw_reply`."""
        state = self._state(board_id)
        # Marked before waiting for the lock: a reload that holds it skips these tasks from now on.
        state.touched.update(part.id for part in parts if part.kind == "task")
        is_frame_changed = any(part.kind == "board" or part.kind in LISTED for part in parts)
        state.frame_replies += is_frame_changed
        async with state.lock:
            writer = BoardWriter(self._cache, board_id, state.revision)
            yield writer
        if writer.lists_boards:
            await self.catch_up_boards()
        for part in parts:
            if part.kind == "board" and part.document is None:
                self.boards.forget(part.id)

    async def write_reply(self, writer: BoardWriter, parts: Sequence[ReplyPart]) -> None:
        """Write a reply to the cache."""
        await self._disk.run(writer.keep_reply, parts)

    async def draw_reply(
        self, writer: BoardWriter, renamed: Mapping[int, int] = MappingProxyType({})
    ) -> None:
        """Merge what was written in memory and draw it; `renamed` are newly assigned ids.

        An accepted change has to be removed from the queue right before, without a pause in
        between, so that it is never drawn twice or missed.
        """
        if writer.lists_boards:
            self.boards.forget_list()
        state = self._state(writer.board_id)
        await self._take_written(state, writer)
        if writer.frame is None:
            self.boards.draw_accepted(writer.board_id, renamed, writer.tasks)
        else:
            self.boards.draw(writer.board_id)

    async def board_document(self, board_id: int) -> Document | None:
        """The cached board, with its stages and labels if it was ever opened."""
        whole = await self._disk.run(self._cache.board, board_id)
        if whole is not None:
            return whole
        summaries = await self._disk.run(self._cache.board_summaries)
        return next((summary for summary in summaries if summary.get("id") == board_id), None)


def _at_known_place(truth: Truth, part: ReplyPart) -> ReplyPart:
    document = part.document
    current = truth.task(part.id) if part.kind == "task" else None
    if document is None or current is None or "position" not in document:
        return part
    if document.get("stage_id", current.stage_id) != current.stage_id:
        return part
    return part._replace(document={**document, "position": current.position})
