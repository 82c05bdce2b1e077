"""Opened tasks with everything around them, between the cache and the screens.

What is known is shown at once and asked for behind the scenes; what the service says is kept in the
cache and drawn with the pending changes on top. A few tasks that were opened last stay in memory.
"""

import asyncio
import logging
import sqlite3
from collections import OrderedDict
from collections.abc import Iterable

from tui.client.errors import ApiError
from tui.model.detail import Part, TaskDetail
from tui.model.task import Task
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.store import operations as change
from tui.store.clock import in_background
from tui.store.core import Core
from tui.store.documents.assemble import Assembler
from tui.store.documents.assemble_detail import typed_comment
from tui.store.documents.shapes import Document
from tui.store.events import BoardChanged, DetailChanged, StoreEvent
from tui.store.operations.base import News, Subject
from tui.store.views.board_updates import BoardUpdates
from tui.store.views.detail_requests import DetailRequests
from tui.store.views.projection import projected
from tui.store.views.task_state import TaskState

logger = logging.getLogger(__name__)

_REMEMBERED = 16
_MISTAKE = "Asking about a task stopped by a mistake of this program; no change was lost."


class Details:
    """What is known of the opened task and of those that were opened before it."""

    def __init__(self, core: Core, updates: BoardUpdates) -> None:
        self._boards = updates.boards
        self._updates = updates
        self._cache = core.cache
        self._disk = core.disk
        self._queue = core.queue
        self._connection = core.connection
        self._health = core.health
        self._listeners = core.listeners
        self._assembler = Assembler()
        self._requests = DetailRequests(core.cache, core.disk, self._tell)
        self._states: OrderedDict[int, TaskState] = OrderedDict()
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
        state = self._states.get(self._queue.renames.get(task_id, task_id))
        return None if state is None else self._drawn(state)

    def around(self, task_id: int | None) -> TaskDetail | None:
        """The detail of a task, or that in which it is a subtask, if one is in memory."""
        if task_id is None:
            return None
        own = self.detail(task_id)
        if own is not None:
            return own
        for state in self._states.values():
            if task_id in state.of("subtask") or state.task_id == self._opened or task_id < 0:
                detail = self._drawn(state)
                if detail is not None and detail.find(task_id) is not None:
                    return detail
        return None

    async def description_source(self, task_id: int) -> str:
        """The description of a task or subtask as it is stored, HTML, with what is on its way."""
        in_parent = (state.of("subtask").get(task_id) for state in self._states.values())
        document = next((one for one in in_parent if one is not None), None)
        if document is None:
            document = await self._disk.run(self._cache.task, task_id)
        pending = self._pending_text(Subject("task", task_id))
        if pending is not None:
            return pending
        if document is None:
            return self._drawn_description(task_id)
        return str(document.get("description") or "")

    async def comment_source(self, task_id: int, comment_id: int) -> str:
        """What was typed into a comment or reply, with people mentioned as `@login`."""
        document: Document | None = await self._disk.run(
            self._cache.sections.find, "comment", comment_id, task_id
        )
        pending = self._pending_text(Subject("comment", comment_id))
        if pending is not None:
            return pending
        return "" if document is None else typed_comment(document)

    def _pending_text(self, subject: Subject) -> str | None:
        """The description, or what a comment says, after the last change of it that is drawn."""
        drawn = (entry.operation for entry in self._queue.about(subject) if entry.is_drawn)
        if subject.kind == "task":
            texts = [one.text for one in change.edits(drawn, "description")]
        else:
            sayings = change.CreateComment | change.EditComment
            texts = [one.text for one in drawn if isinstance(one, sayings)]
        return texts[-1] if texts else None

    def _drawn_description(self, task_id: int) -> str:
        """That of a task that the service does not have yet, such as a copy."""
        around = self.around(task_id)
        found = None if around is None else around.find(task_id)
        for board_id in self._boards.in_memory():
            view = self._boards.view(board_id)
            found = found or (None if view is None else view.task(task_id))
        return "" if found is None else found.description

    async def open_task(self, board_id: int, task_id: int) -> None:
        """Show what is known of a task, and ask for the rest behind the scenes."""
        task_id = self._queue.renames.get(task_id, task_id)
        self._opened = task_id
        state = self._states.pop(task_id, None)
        if state is None:
            state = TaskState(board_id, task_id, saved_in=self._cache.number)
            document = await self._disk.run(self._known_document, task_id)
            state.load(document, await self._disk.run(self._cache.sections.of_task, task_id))
        self._states[task_id] = state
        while len(self._states) > _REMEMBERED:
            self._states.popitem(last=False)
        self._tell(state)
        self._ask_soon(state)

    def _known_document(self, task_id: int) -> Document | None:
        """A task, or a subtask as it was last seen in its parent."""
        found = self._cache.sections.find("subtask", task_id)
        return self._cache.task(task_id) or found

    def close_task(self) -> None:
        """No task is looked at any more."""
        self._opened = None

    def connected(self) -> None:
        """The service is there from now on."""
        state = self._states.get(self._opened) if self._opened is not None else None
        if state is not None:
            self._ask_soon(state)

    async def refresh(self, task_id: int) -> None:
        """Ask for an opened task now; problems are told by the board's status."""
        state = self._states.get(self._queue.renames.get(task_id, task_id))
        remote = self._connection.remote
        if state is None or remote is None or state.task_id < 0:
            return
        await INPUT_PRIORITY.pause_after_input()
        async with self._one_at_a_time:
            state.touched.clear()
            try:
                document = await remote.task(state.board_id, state.task_id)
                await self._updates.absorb(state.board_id, [News("task", state.task_id, document)])
                state.take_task(document, self._assembler)
                self._tell(state)
                await self._requests.everything(state, remote)
            except (ApiError, sqlite3.Error) as error:
                logger.info("Asking about task %s failed: %s", state.task_id, error)
                self._health.failed(state.board_id, str(error))

    async def older_comments(self, task_id: int) -> None:
        """Ask for the comments before those that are known. Raises `CallboardError`."""
        await self._older(task_id, Part.COMMENTS)

    async def older_activities(self, task_id: int) -> None:
        """Ask for what was done, or what was done before that. Raises `CallboardError`."""
        await self._older(task_id, Part.ACTIVITIES)

    async def _older(self, task_id: int, part: Part) -> None:
        state = self._states.get(self._queue.renames.get(task_id, task_id))
        if state is None or state.task_id < 0:
            return
        remote = await self._connection.required()
        async with self._one_at_a_time:
            state.touched.clear()
            if part is Part.ACTIVITIES and part not in state.known:
                await self._requests.activities(state, remote)
                self._tell(state)
            else:
                await self._requests.older(state, remote, part)

    def take(self, news: Iterable[News]) -> list[TaskState]:
        """Take what a reply says into memory, at the moment the operation leaves the queue.

        News of a task are taken for the opened task itself and for subtasks. Returns what is to be
        told; a board that looks different tells it as well.
        """
        return [
            state
            for one in news
            for state in tuple(self._states.values())
            if state.take_news(one, self._assembler)
        ]

    def hear(self, news: Iterable[News]) -> None:
        """Take what the service says into memory, and tell of it."""
        for state in self.take(news):
            self._tell(state)

    def _drawn(self, state: TaskState) -> TaskDetail | None:
        """The truth with what is on its way on top of it; made anew only if one of them changed."""
        card = self._card(state)
        truth = state.detail(card, self._assembler)
        revision, old = self._queue.revision, state.ground
        is_same = old is not None and old[0] is card and old[1] is state.assembled
        if old is None or not is_same or old[2] != revision:
            state.ground = (card, state.assembled, revision)
            entries = self._queue.of(state.board_id)
            state.drawn = None if truth is None else projected(truth, entries)
        return state.drawn

    def _card(self, state: TaskState) -> Task | None:
        """The card as drawn; as the service last said it, if it is drawn no more.

        A subtask that the service does not have yet is as it is drawn in its parent.
        """
        drawn = self._boards.view(state.board_id)
        card = None if drawn is None else drawn.task(state.task_id)
        return card or self._true_card(state) or self._new_subtask(state.task_id)

    def _new_subtask(self, task_id: int) -> Task | None:
        if task_id >= 0:
            return None
        told = (state.told.find(task_id) for state in self._states.values() if state.told)
        return next((task for task in told if task is not None), None)

    def _true_card(self, state: TaskState) -> Task | None:
        truth = self._boards.truth(state.board_id)
        return None if truth is None else truth.view.task(state.task_id)

    def _tell(self, state: TaskState) -> None:
        """Tell everyone if an opened task looks different."""
        detail = self._drawn(state)
        if detail != state.told:
            state.told = detail
            self._listeners.notify(DetailChanged(state.board_id, state.task_id))

    def tell_all_again(self) -> None:
        """Tell of every opened task, since who is reading them is known now."""
        for task_id in tuple(self._states):
            self.tell_again(task_id)

    def tell_again(self, task_id: int) -> None:
        """Tell of an opened task that is shown differently for a reason outside of it."""
        state = self._states.get(task_id)
        if state is not None:
            self._listeners.notify(DetailChanged(state.board_id, state.task_id))

    def _heard(self, event: StoreEvent) -> None:
        """A board looks different, and so may the opened task on it."""
        if not isinstance(event, BoardChanged):
            return
        for old, new in event.renamed.items():
            self._rename(old, new)
        state = None if self._opened is None else self._states.get(self._opened)
        if state is not None and state.board_id == event.board_id:
            self._tell(state)
            if self._is_stale(state):
                self._ask_soon(state)

    def _rename(self, old: int, new: int) -> None:
        for state in self._states.values():
            state.board_id = new if state.board_id == old else state.board_id
        renamed = self._states.pop(old, None)
        if self._opened == old:
            self._opened = new
        if renamed is not None:
            renamed.task_id = new
            renamed.save_all()
            renamed.known.update(part for part in Part if part is not Part.ACTIVITIES)
            renamed.told = None
            self._states[new] = renamed

    def _is_stale(self, state: TaskState) -> bool:
        """Whether the card says that something is new since everything was asked for."""
        card = self._true_card(state)
        return card is not None and state.seen != (card.updated_at, card.comments_count)

    def _ask_soon(self, state: TaskState) -> None:
        is_asking = state.task_id in self._work and not self._work[state.task_id].done()
        if self._connection.remote is None or state.task_id < 0 or is_asking:
            return
        self._work[state.task_id] = in_background(
            self.refresh(state.task_id), lambda: self._health.failed(state.board_id, _MISTAKE)
        )
