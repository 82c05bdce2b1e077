"""Fetches the sections around a task: subtasks, comments, field values, activities.

Each is a request of its own, so that a failure costs that section only. What an edition does not
offer is remembered with the reason. Known older pages of comments are fetched again with the newest
one, because comments on any page may be edited or deleted.
"""

from collections.abc import Awaitable, Callable, Sequence
from math import inf

from tui.client.errors import ApiError, BadAddress, NotOffered, TlsFailed, WrongCredentials
from tui.model.detail import Part
from tui.store.cache.file import Cache
from tui.store.cache.sections import Kind
from tui.store.documents.flat import by_field, flat, ungrouped
from tui.store.documents.shapes import Document
from tui.store.files.disk import DiskThread
from tui.store.remote import Remote
from tui.store.views.task_state import TaskState

_PAGES_AGAIN = 10
_NO_CONNECTION = (BadAddress, TlsFailed, WrongCredentials)
_Tell = Callable[[TaskState], None]


class DetailRequests:
    """Fetches sections and stores them; `tell` is called after each."""

    def __init__(self, cache: Cache, disk: DiskThread, tell: _Tell) -> None:
        self._cache = cache
        self._disk = disk
        self._tell = tell

    async def everything(self, state: TaskState, remote: Remote) -> None:
        """Fetch subtasks, the newest comments, field values, and activities if they were opened.

        Raises `ApiError` if the service cannot be reached; sections fetched before that stay.
        """
        questions: list[tuple[Part, Callable[[TaskState, Remote], Awaitable[None]]]] = [
            (Part.SUBTASKS, self._subtasks),
            (Part.COMMENTS, self._comments),
            (Part.VALUES, self._values),
        ]
        if Part.ACTIVITIES in state.known:
            questions.append((Part.ACTIVITIES, self._activities))
        for part, question in questions:
            try:
                await question(state, remote)
            except ApiError as error:
                if error.is_passing or isinstance(error, _NO_CONNECTION):
                    raise
                state.mark_missing(part, error.message, for_good=isinstance(error, NotOffered))
            await self._keep(state)
            self._tell(state)

    async def _subtasks(self, state: TaskState, remote: Remote) -> None:
        answer = await remote.subtask_groups(state.board_id, state.task_id)
        groups, subtasks = ungrouped(answer, state.task_id)
        state.take("subtask_group", groups)
        state.take("subtask", subtasks)
        state.mark_available(Part.SUBTASKS)

    async def _values(self, state: TaskState, remote: Remote) -> None:
        values = by_field(await remote.field_values(state.board_id, state.task_id))
        state.take("field_value", values)
        state.mark_available(Part.VALUES)

    async def _comments(self, state: TaskState, remote: Remote) -> None:
        # Known older pages are fetched again; those further down when the user asks for them.
        end: float = inf
        for number in range(1, _PAGES_AGAIN):
            end = await self._take_page(state, remote, "comment", number, below=end)
            state.mark_available(Part.COMMENTS)
            await self._keep(state)
            self._tell(state)
            if state.oldest("comment") >= end:
                return

    async def _activities(self, state: TaskState, remote: Remote) -> None:
        await self._take_page(state, remote, "activity", 1)
        state.mark_available(Part.ACTIVITIES)

    async def older(self, state: TaskState, remote: Remote, part: Part) -> None:
        """Fetch older comments or activities until a page brings some, or there are none.

        Deletions move items to earlier pages, so a page may hold nothing new. Activities are not
        fetched before they are asked for.
        """
        kind: Kind = "comment" if part is Part.COMMENTS else "activity"
        number, count = state.next_page(kind), len(state.of(kind))
        if part is Part.ACTIVITIES and part not in state.known:
            await self._activities(state, remote)
        else:
            while part not in state.whole and len(state.of(kind)) == count:
                await self._take_page(state, remote, kind, number, below=state.oldest(kind))
                number += 1
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
        state.unsaved.clear()
        try:
            await self._disk.run(self._cache.write, [*writes, state.known_section()])
        except BaseException:
            state.unsaved |= {(write.kind, write.id) for write in writes}
            raise
