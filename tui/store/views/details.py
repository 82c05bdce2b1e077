"""Opened tasks with their subtasks, comments and fields, as drawn.

Cached data is shown first and fetched again in the background, with pending changes applied. The
last few opened tasks stay in memory.

Subtasks, comments, field values and activities are requests of their own, so that a failure costs
that section only. What an edition does not offer is remembered with the reason. Known older pages
of comments are fetched again with the newest one, because comments on any page may be edited or
deleted.
"""

import asyncio
import logging
import sqlite3
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from math import inf

from tui.client.errors import ApiError, BadAddress, NotOffered, TlsFailed, WrongCredentials
from tui.model.blocked_by import described
from tui.model.detail import DetailPart, TaskDetail
from tui.model.task import Task
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.store import operations as change
from tui.store.cache.sections import Kind
from tui.store.clock import end_all, in_background
from tui.store.connection import ConnectionProblem, is_reached
from tui.store.core import Core
from tui.store.documents.assemble import Assembler
from tui.store.documents.assemble_detail import typed_comment
from tui.store.documents.flat import by_field, flat, ungrouped
from tui.store.documents.shapes import Document
from tui.store.events import BoardChanged, DetailChanged, StoreEvent
from tui.store.files.database import problem_of
from tui.store.operations.base import ReplyPart, Subject
from tui.store.remote import Remote
from tui.store.views.board_updates import BoardUpdates
from tui.store.views.projection import projected
from tui.store.views.task_state import TaskState

logger = logging.getLogger(__name__)

_REMEMBERED = 16
_PAGES_AGAIN = 10
_NO_CONNECTION = (BadAddress, TlsFailed, WrongCredentials)
_MISTAKE = ConnectionProblem(
    "Refreshing a card stopped because of an internal error; no change was lost.", is_reached=True
)


class Details:
    """The opened task, and those opened before it."""

    def __init__(self, core: Core, updates: BoardUpdates) -> None:
        self._boards = updates.boards
        self._updates = updates
        self._cache = core.cache
        self._disk = core.disk
        self._queue = core.queue
        self._connection = core.connection
        self._status_tracker = core.status_tracker
        self._listeners = core.listeners
        self._assembler = Assembler()
        self._states: OrderedDict[int, TaskState] = OrderedDict()
        self._opened: int | None = None
        self._one_at_a_time = asyncio.Lock()
        self._work: dict[int, asyncio.Task[None]] = {}
        self._end = core.listeners.subscribe(self._on_event)

    async def aclose(self) -> None:
        """Cancel background requests."""
        self._end()
        await end_all(self._work.values())

    def detail(self, task_id: int) -> TaskDetail | None:
        """An opened task with pending changes applied; None if it was not opened lately."""
        state = self._states.get(self._queue.current_id(task_id))
        return None if state is None else self._drawn(state)

    def detail_containing(self, task_id: int | None) -> TaskDetail | None:
        """The detail of a task, or of its parent if it is a subtask; None if not in memory."""
        if task_id is None:
            return None
        opened = self.detail(task_id)
        if opened is not None:
            return opened
        for state in self._states.values():
            if task_id in state.of("subtask") or state.task_id == self._opened or task_id < 0:
                detail = self._drawn(state)
                if detail is not None and detail.find(task_id) is not None:
                    return detail
        return None

    async def description_source(self, task_id: int) -> str:
        """The raw HTML description of a task or subtask, with pending changes."""
        in_parent = (state.of("subtask").get(task_id) for state in self._states.values())
        document = next((document for document in in_parent if document is not None), None)
        if document is None:
            document = await self._disk.run(self._cache.task, task_id)
        pending = self._pending_text(Subject("task", task_id))
        if pending is not None:
            return described(pending).text
        if document is None:
            return self._drawn_description(task_id)
        return described(str(document.get("description") or "")).text

    async def comment_source(self, task_id: int, comment_id: int) -> str:
        """The raw text of a comment or reply, with mentions as `@login`."""
        document: Document | None = await self._disk.run(
            self._cache.sections.find, "comment", comment_id, task_id
        )
        pending = self._pending_text(Subject("comment", comment_id))
        if pending is not None:
            return pending
        return "" if document is None else typed_comment(document)

    def _pending_text(self, subject: Subject) -> str | None:
        drawn = (entry.operation for entry in self._queue.of_subject(subject) if entry.is_drawn)
        if subject.kind == "task":
            texts = [edit.text for edit in drawn if change.is_edit(edit, "description")]
        else:
            comment_kinds = change.CreateComment | change.EditComment
            texts = [operation.text for operation in drawn if isinstance(operation, comment_kinds)]
        return texts[-1] if texts else None

    def _drawn_description(self, task_id: int) -> str:
        detail = self.detail_containing(task_id)
        task = None if detail is None else detail.find(task_id)
        for board_id in self._boards.in_memory():
            view = self._boards.view(board_id)
            task = task or (None if view is None else view.task(task_id))
        return "" if task is None else task.description

    async def open_task(self, board_id: int, task_id: int) -> None:
        """Load what is cached of a task, and fetch the rest in the background."""
        task_id = self._queue.current_id(task_id)
        self._opened = task_id
        state = self._states.pop(task_id, None)
        if state is None:
            state = TaskState(board_id, task_id, self._assembler, saved_in=self._cache.number)
            document = await self._disk.run(self._known_document, task_id)
            state.load(document, await self._disk.run(self._cache.sections.of_task, task_id))
        self._states[task_id] = state
        # The dictionary is in order of opening: the task that was opened longest ago goes first.
        while len(self._states) > _REMEMBERED:
            self._states.popitem(last=False)
        self._tell(state)
        self._ask_soon(state)

    def _known_document(self, task_id: int) -> Document | None:
        subtask = self._cache.sections.find("subtask", task_id)
        return self._cache.task(task_id) or subtask

    def close_task(self) -> None:
        """Stop refreshing the open task."""
        self._opened = None

    def connected(self) -> None:
        """Start fetching: there is a connection now."""
        state = self._states.get(self._opened) if self._opened is not None else None
        if state is not None:
            self._ask_soon(state)

    async def refresh(self, task_id: int) -> None:
        """Fetch an opened task now, or wait for the fetch in progress.

        Problems are in the status of its board.
        """
        state = self._states.get(self._queue.current_id(task_id))
        running = None if state is None else self._work.get(state.task_id)
        if running is not None and not running.done():
            await asyncio.wait([running])
        elif state is not None:
            await self._fetch(state)

    async def _fetch(self, state: TaskState) -> None:
        remote = self._connection.remote
        if remote is None or state.task_id < 0:
            return
        await INPUT_PRIORITY.pause_after_input()
        async with self._one_at_a_time:
            # What replies change from here on is newer than the responses to the requests below.
            state.touched.clear()
            state.is_task_touched = False
            try:
                asked_at = self._updates.frame_replies(state.board_id)
                document = await remote.task(state.board_id, state.task_id)
                document = self._updates.without_old_labels(state.board_id, document, asked_at)
                part = ReplyPart("task", state.task_id, document)
                parts = self._updates.in_known_order(state.board_id, [part])
                async with self._updates.merging(state.board_id, parts) as writer:
                    # A reply may have been merged while this waited for the lock of the board.
                    if not state.is_task_touched:
                        await self._updates.write_reply(writer, parts)
                        await self._updates.draw_reply(writer)
                if not state.is_task_touched:
                    state.take_task(document)
                self._tell(state)
                await self._fetch_sections(state, remote)
                state.mark_fetched()
            except (ApiError, sqlite3.Error) as error:
                logger.info("Asking about task %s failed: %s", state.task_id, error)
                problem = ConnectionProblem(problem_of(error), is_reached=is_reached(error))
                self._status_tracker.failed(state.board_id, problem)
                state.mark_fetched(problem.problem)
            self._tell(state)

    async def _fetch_sections(self, state: TaskState, remote: Remote) -> None:
        # Each is stored at once: if the connection fails, those before it stay.
        requests: list[tuple[DetailPart, Callable[[TaskState, Remote], Awaitable[None]]]] = [
            (DetailPart.SUBTASKS, self._subtasks),
            (DetailPart.COMMENTS, self._comments),
            (DetailPart.VALUES, self._values),
        ]
        if DetailPart.ACTIVITIES in state.known:
            requests.append((DetailPart.ACTIVITIES, self._activities))
        for part, request in requests:
            try:
                await request(state, remote)
            except ApiError as error:
                # The other sections would fail in the same way.
                if error.is_passing or isinstance(error, _NO_CONNECTION):
                    raise
                state.mark_missing(part, error.message, for_good=isinstance(error, NotOffered))
            await self._keep(state)
            self._tell(state)

    async def _subtasks(self, state: TaskState, remote: Remote) -> None:
        documents = await remote.subtask_groups(state.board_id, state.task_id)
        groups, subtasks = ungrouped(documents, state.task_id)
        state.take("subtask_group", groups)
        state.take("subtask", subtasks)
        state.mark_available(DetailPart.SUBTASKS)

    async def _values(self, state: TaskState, remote: Remote) -> None:
        values = by_field(await remote.field_values(state.board_id, state.task_id))
        state.take("field_value", values)
        state.mark_available(DetailPart.VALUES)

    async def _comments(self, state: TaskState, remote: Remote) -> None:
        # Known older pages are fetched again; those further down when the user asks for them.
        end: float = inf
        for number in range(1, _PAGES_AGAIN):
            end = await self._take_page(state, remote, "comment", number, below=end)
            state.mark_available(DetailPart.COMMENTS)
            await self._keep(state)
            self._tell(state)
            if state.oldest("comment") >= end:
                return

    async def _activities(self, state: TaskState, remote: Remote) -> None:
        await self._take_page(state, remote, "activity", 1)
        state.mark_available(DetailPart.ACTIVITIES)

    async def older_comments(self, task_id: int) -> None:
        """Fetch the next older page of comments. Raises `CallboardError`."""
        await self._older(task_id, DetailPart.COMMENTS)

    async def older_activities(self, task_id: int) -> None:
        """Fetch activities, or their next older page. Raises `CallboardError`."""
        await self._older(task_id, DetailPart.ACTIVITIES)

    async def _older(self, task_id: int, part: DetailPart) -> None:
        state = self._states.get(self._queue.current_id(task_id))
        if state is None or state.task_id < 0:
            return
        remote = await self._connection.required()
        async with self._one_at_a_time:
            state.touched.clear()
            kind: Kind = "comment" if part is DetailPart.COMMENTS else "activity"
            number, count = state.next_page(kind), len(state.of(kind))
            if part is DetailPart.ACTIVITIES and part not in state.known:  # fetched when asked for
                await self._activities(state, remote)
            else:
                # Deletions move items to earlier pages, so a page may hold nothing new. If several
                # do, the service ignores the number.
                for page in range(number, number + _PAGES_AGAIN):
                    if part in state.whole or len(state.of(kind)) > count:
                        break
                    await self._take_page(state, remote, kind, page, below=state.oldest(kind))
            await self._keep(state)
            self._tell(state)

    async def _take_page(
        self, state: TaskState, remote: Remote, kind: Kind, number: int, below: float = inf
    ) -> int:
        if kind == "comment":
            page = await remote.comments(state.board_id, state.task_id, number)
            documents: Sequence[Document] = flat(page.documents, state.task_id)
        else:
            page = await remote.activities(state.board_id, state.task_id, number)
            documents = page.documents
        is_last = page.is_last or not documents
        return state.take_page(kind, documents, is_last=is_last, below=below)

    async def _keep(self, state: TaskState) -> None:
        writes = state.unsaved_writes(self._cache.number)
        # Cleared before writing, as replies may add documents meanwhile; a failed write puts its
        # own back, also if it was cancelled.
        state.unsaved.clear()
        try:
            await self._disk.run(self._cache.write, [*writes, state.known_section()])
        except BaseException:
            state.unsaved |= {(write.kind, write.id) for write in writes}
            raise

    def take(self, parts: Iterable[ReplyPart]) -> list[TaskState]:
        """Merge reply parts in memory, in the step in which the operation leaves the queue.

        Parts about a task apply to the opened task and to subtasks. Returns the tasks to announce;
        a change of the board announces them as well.
        """
        return [
            state
            for part in parts
            for state in tuple(self._states.values())
            if state.apply_part(part)
        ]

    def apply(self, parts: Iterable[ReplyPart]) -> None:
        """Merge reply parts in memory, and notify listeners."""
        for state in self.take(parts):
            self._tell(state)

    def _drawn(self, state: TaskState) -> TaskDetail | None:
        card = self._card(state)
        truth = state.detail(card)
        revision, old = self._queue.revision, state.drawn_from
        # Identity is enough: cards and details are replaced whenever they change.
        is_same = old is not None and old[0] is card and old[1] is state.assembled
        if old is None or not is_same or old[2] != revision:
            state.drawn_from = (card, state.assembled, revision)
            entries = self._queue.of(state.board_id)
            state.drawn = None if truth is None else projected(truth, entries)
        return state.drawn

    def _card(self, state: TaskState) -> Task | None:
        # A card that a pending change hides is taken without pending changes, a subtask that is not
        # sent yet from its parent.
        drawn = self._boards.view(state.board_id)
        card = None if drawn is None else drawn.task(state.task_id)
        card = card or self._true_card(state)
        if card is not None or state.task_id >= 0:
            return card
        parents = [opened.announced for opened in self._states.values() if opened.announced]
        subtasks = (parent.find(state.task_id) for parent in parents)
        return next((subtask for subtask in subtasks if subtask is not None), None)

    def _true_card(self, state: TaskState) -> Task | None:
        truth = self._boards.truth(state.board_id)
        return None if truth is None else truth.task(state.task_id)

    def _tell(self, state: TaskState) -> None:
        detail = self._drawn(state)
        if detail != state.announced:
            state.announced = detail
            self._listeners.notify(DetailChanged(state.board_id, state.task_id))

    def notify_all(self) -> None:
        """Notify listeners of every opened task, as the user's account is known now."""
        for task_id in tuple(self._states):
            self.notify_again(task_id)

    def notify_again(self, task_id: int) -> None:
        """Notify listeners of an opened task whose unread comments changed."""
        state = self._states.get(task_id)
        if state is not None:
            self._listeners.notify(DetailChanged(state.board_id, state.task_id))

    def _on_event(self, event: StoreEvent) -> None:
        if not isinstance(event, BoardChanged):
            return
        for old, new in event.renamed.items():
            self._rename(old, new)
        state = None if self._opened is None else self._states.get(self._opened)
        if state is not None and state.board_id == event.board_id:
            self._tell(state)
            card = self._true_card(state)
            # The card shows that somebody changed the task, or commented on it, since it was
            # fetched.
            if card and state.card_when_fetched != (card.updated_at, card.comments_count):
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
            # Under its local id everything was known. That stays so, but for the activities, which
            # the service writes.
            renamed.known.update(part for part in DetailPart if part is not DetailPart.ACTIVITIES)
            renamed.announced = None
            self._states[new] = renamed

    def _ask_soon(self, state: TaskState) -> None:
        is_asking = state.task_id in self._work and not self._work[state.task_id].done()
        if self._connection.remote is None or state.task_id < 0 or is_asking:
            return
        self._work[state.task_id] = in_background(
            self._fetch(state),
            lambda: self._status_tracker.failed(state.board_id, _MISTAKE),
        )
