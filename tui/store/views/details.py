"""Opened tasks with everything around them, between the cache and the screens.

What is known is shown at once and asked for behind the scenes; what the service says goes into the
cache first and is drawn with the pending changes on top. A few tasks that were opened last stay in
memory.
"""

import asyncio
import logging
import sqlite3
from collections import OrderedDict
from collections.abc import Iterable

from tui.client.errors import ApiError
from tui.model.detail import Part, TaskDetail
from tui.model.ids import Kind
from tui.model.task import Task
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.store.cache.sections import Kind as SectionKind
from tui.store.clock import in_background
from tui.store.core import Core
from tui.store.documents.assemble import Assembler
from tui.store.documents.shapes import Document
from tui.store.events import BoardChanged, DetailChanged, StoreEvent
from tui.store.operations.base import News, Operation
from tui.store.views.boards import Shelf
from tui.store.views.detail_requests import Asking
from tui.store.views.projection import projected
from tui.store.views.task_state import TaskState

logger = logging.getLogger(__name__)

_REMEMBERED = 16
_MISTAKE = "Asking about a task stopped by a mistake of this program; no change was lost."
_SECTIONS: dict[Kind, SectionKind] = {
    "subtask_group": "subtask_group",
    "comment": "comment",
    "field_value": "field_value",
    "task": "subtask",
}


class Details:
    """What is known of the opened task and of those that were opened before it."""

    def __init__(self, core: Core, shelf: Shelf) -> None:
        self._shelf = shelf
        self._cache = core.cache
        self._disk = core.disk
        self._queue = core.queue
        self._connection = core.connection
        self._health = core.health
        self._listeners = core.listeners
        self._assembler = Assembler()
        self._asking = Asking(core.cache, core.disk, self._tell)
        self._kept: OrderedDict[int, TaskState] = OrderedDict()
        self._told: dict[int, TaskDetail | None] = {}
        self._opened: int | None = None
        self._one_at_a_time = asyncio.Lock()
        self._work: dict[int, asyncio.Task[None]] = {}
        self._end = core.listeners.subscribe(self._heard)

    async def aclose(self) -> None:
        """Stop asking."""
        self._end()
        work = tuple(self._work.values())
        for one in work:
            one.cancel()
        await asyncio.gather(*work, return_exceptions=True)

    def detail(self, task_id: int) -> TaskDetail | None:
        """An opened task with pending changes applied; None if it was not opened lately."""
        kept = self._kept.get(self._queue.renames.get(task_id, task_id))
        return None if kept is None else self._drawn(kept)

    def around(self, task_id: int | None) -> TaskDetail | None:
        """The detail of a task, or that in which it is a subtask, if one is in memory."""
        if task_id is None:
            return None
        own = self.detail(task_id)
        if own is not None:
            return own
        for kept in self._kept.values():
            if task_id in kept.of("subtask") or kept.task_id == self._opened or task_id < 0:
                detail = self._drawn(kept)
                if detail is not None and detail.find(task_id) is not None:
                    return detail
        return None

    def subtask_document(self, task_id: int) -> Document | None:
        """A subtask as the service last said it, if a task it was in is in memory."""
        found = (kept.of("subtask").get(task_id) for kept in self._kept.values())
        return next((document for document in found if document is not None), None)

    async def open_task(self, board_id: int, task_id: int) -> None:
        """Show what is known of a task, and ask for the rest behind the scenes."""
        task_id = self._queue.renames.get(task_id, task_id)
        self._opened = task_id
        kept = self._kept.pop(task_id, None)
        if kept is None:
            kept = TaskState(board_id, task_id, saved_in=self._cache.number)
            document = await self._disk.run(self._known_document, task_id)
            kept.load(document, await self._disk.run(self._cache.sections.of_task, task_id))
        self._kept[task_id] = kept
        while len(self._kept) > _REMEMBERED:
            forgotten, _ = self._kept.popitem(last=False)
            self._told.pop(forgotten, None)
        self._tell(kept)
        self._ask_soon(kept)

    def _known_document(self, task_id: int) -> Document | None:
        """A task, or a subtask as it was last seen in its parent."""
        found = self._cache.sections.find("subtask", task_id)
        return self._cache.task(task_id) or found

    def close_task(self) -> None:
        """No task is looked at any more."""
        self._opened = None

    def connected(self) -> None:
        """The service is there from now on."""
        kept = self._kept.get(self._opened) if self._opened is not None else None
        if kept is not None:
            self._ask_soon(kept)

    async def refresh(self, task_id: int) -> None:
        """Ask for an opened task now; problems are told by the board's status."""
        kept = self._kept.get(self._queue.renames.get(task_id, task_id))
        remote = self._connection.remote
        if kept is None or remote is None or kept.task_id < 0:
            return
        await INPUT_PRIORITY.pause_after_input()
        async with self._one_at_a_time:
            kept.touched.clear()
            try:
                document = await remote.task(kept.board_id, kept.task_id)
                await self._shelf.absorb(kept.board_id, [News("task", kept.task_id, document)])
                kept.take_task(document, self._assembler)
                self._tell(kept)
                await self._asking.everything(kept, remote)
            except (ApiError, sqlite3.Error) as error:
                logger.info("Asking about task %s failed: %s", kept.task_id, error)
                self._health.failed(kept.board_id, str(error))

    async def older_comments(self, task_id: int) -> None:
        """Ask for the comments before those that are known. Raises `CallboardError`."""
        await self._older(task_id, Part.COMMENTS)

    async def older_activities(self, task_id: int) -> None:
        """Ask for what was done, or what was done before that. Raises `CallboardError`."""
        await self._older(task_id, Part.ACTIVITIES)

    async def _older(self, task_id: int, part: Part) -> None:
        kept = self._kept.get(self._queue.renames.get(task_id, task_id))
        if kept is None or kept.task_id < 0:
            return
        remote = await self._connection.required()
        async with self._one_at_a_time:
            kept.touched.clear()
            if part is Part.ACTIVITIES and part not in kept.known:
                await self._asking.activities(kept, remote)
                self._tell(kept)
            else:
                await self._asking.older(kept, remote, part)

    def take(self, news: Iterable[News]) -> list[TaskState]:
        """Take what a reply says into memory, at the moment the operation leaves the queue.

        News of a task are taken for the opened task itself and for subtasks. Returns what is to be
        told; a board that looks different tells it as well.
        """
        return [
            kept
            for one in news
            for kept in tuple(self._kept.values())
            if kept.take_news(one, self._assembler)
        ]

    def hear(self, news: Iterable[News]) -> None:
        """Take what the service says into memory, and tell of it."""
        for kept in self.take(news):
            self._tell(kept)

    async def document(self, operation: Operation) -> Document | None:
        """What an operation changes, as the service last said it, if it is of a task's detail."""
        kind, subject_id = operation.subject
        section = _SECTIONS.get(kind)
        if section is None:
            return None
        task_id = operation.task_id if kind == "field_value" else None
        return await self._disk.run(self._cache.sections.find, section, subject_id, task_id)

    async def newest_id(self, kind: Kind) -> int:
        """The highest id known of comments, groups or subtasks, on any board; else 0."""
        section = _SECTIONS.get(kind)
        return (
            0 if section is None else await self._disk.run(self._cache.sections.newest_id, section)
        )

    def _drawn(self, kept: TaskState) -> TaskDetail | None:
        """The truth with what is on its way on top of it; made anew only if one of them changed."""
        card = self._card(kept)
        truth = kept.detail(card, self._assembler)
        revision, old = self._queue.revision, kept.ground
        is_same = old is not None and old[0] is card and old[1] is kept.assembled
        if old is None or not is_same or old[2] != revision:
            kept.ground = (card, kept.assembled, revision)
            entries = self._queue.of(kept.board_id)
            kept.drawn = None if truth is None else projected(truth, entries)
        return kept.drawn

    def _card(self, kept: TaskState) -> Task | None:
        """The card as drawn; as the service last said it, if it is drawn no more.

        A subtask that the service does not have yet is as it is drawn in its parent.
        """
        drawn = self._shelf.view(kept.board_id)
        card = None if drawn is None else drawn.task(kept.task_id)
        return card or self._true_card(kept) or self._new_subtask(kept.task_id)

    def _new_subtask(self, task_id: int) -> Task | None:
        if task_id >= 0:
            return None
        told = (detail.find(task_id) for detail in self._told.values() if detail is not None)
        return next((task for task in told if task is not None), None)

    def _true_card(self, kept: TaskState) -> Task | None:
        truth = self._shelf.truth(kept.board_id)
        return None if truth is None else truth.view.task(kept.task_id)

    def _tell(self, kept: TaskState) -> None:
        """Tell everyone if an opened task looks different."""
        detail = self._drawn(kept)
        if detail != self._told.get(kept.task_id):
            self._told[kept.task_id] = detail
            self._listeners.tell(DetailChanged(kept.board_id, kept.task_id))

    def tell_all_again(self) -> None:
        """Tell of every opened task, since who is reading them is known now."""
        for task_id in tuple(self._kept):
            self.tell_again(task_id)

    def tell_again(self, task_id: int) -> None:
        """Tell of an opened task that is shown differently for a reason outside of it."""
        kept = self._kept.get(task_id)
        if kept is not None:
            self._listeners.tell(DetailChanged(kept.board_id, kept.task_id))

    def _heard(self, event: StoreEvent) -> None:
        """A board looks different, and so may the opened task on it."""
        if not isinstance(event, BoardChanged):
            return
        for old, new in event.renamed.items():
            self._rename(old, new)
        kept = None if self._opened is None else self._kept.get(self._opened)
        if kept is not None and kept.board_id == event.board_id:
            self._tell(kept)
            if self._is_stale(kept):
                self._ask_soon(kept)

    def _rename(self, old: int, new: int) -> None:
        for kept in self._kept.values():
            kept.board_id = new if kept.board_id == old else kept.board_id
        kept_task = self._kept.pop(old, None)
        if self._opened == old:
            self._opened = new
        if kept_task is not None:
            kept_task.task_id = new
            kept_task.save_all()
            kept_task.known.update(part for part in Part if part is not Part.ACTIVITIES)
            self._kept[new] = kept_task
            self._told.pop(old, None)

    def _is_stale(self, kept: TaskState) -> bool:
        """Whether the card says that something is new since everything was asked for."""
        card = self._true_card(kept)
        return card is not None and kept.seen != (card.updated_at, card.comments_count)

    def _ask_soon(self, kept: TaskState) -> None:
        is_asking = kept.task_id in self._work and not self._work[kept.task_id].done()
        if self._connection.remote is None or kept.task_id < 0 or is_asking:
            return
        self._work[kept.task_id] = in_background(
            self.refresh(kept.task_id), lambda: self._health.failed(kept.board_id, _MISTAKE)
        )
