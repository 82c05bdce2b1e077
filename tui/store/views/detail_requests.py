"""Fetches the sections around a task: subtasks, comments, field values, activities.

Each is a request of its own, so that a failure costs that section only. What an edition does not
offer is remembered with the reason. Known older pages of comments are fetched again with the newest
one, because comments on any page may be edited or deleted.
"""

from collections.abc import Awaitable, Callable

from tui.client.errors import ApiError, BadAddress, NotOffered, TlsFailed, WrongCredentials
from tui.model.detail import Part
from tui.store.cache.file import Cache
from tui.store.cache.sections import Kind
from tui.store.documents.flat import by_field, flat, ungrouped
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
            questions.append((Part.ACTIVITIES, self.activities))
        for part, question in questions:
            try:
                await question(state, remote)
            except ApiError as error:
                if error.is_passing or isinstance(error, _NO_CONNECTION):
                    raise
                state.mark_missing(part, error.message, for_good=isinstance(error, NotOffered))
            await self._disk.run(self._cache.write, [state.known_section()])
            self._tell(state)

    async def _subtasks(self, state: TaskState, remote: Remote) -> None:
        answer = await remote.subtask_groups(state.board_id, state.task_id)
        groups, subtasks = ungrouped(answer, state.task_id)
        state.take("subtask_group", groups)
        state.take("subtask", subtasks)
        state.mark_available(Part.SUBTASKS)
        await self._keep(state)

    async def _comments(self, state: TaskState, remote: Remote) -> None:
        page = await remote.comments(state.board_id, state.task_id, 1)
        documents = flat(page.documents, state.task_id)
        end = state.take_newest("comment", documents, is_last=page.is_last)
        await self._keep(state)
        self._tell(state)
        await self._older_comments_again(state, remote, end)

    async def _older_comments_again(self, state: TaskState, remote: Remote, end: int) -> None:
        """Fetch the known older pages again, below the thread `end`.

        Pages further down are fetched when the user asks for them.
        """
        number = 2
        while state.oldest("comment") < end and number < _PAGES_AGAIN:
            page = await remote.comments(state.board_id, state.task_id, number)
            documents = flat(page.documents, state.task_id)
            is_last = page.is_last or not documents
            end = state.take_again("comment", documents, below=end, is_last=is_last)
            number += 1
            await self._keep(state)
            self._tell(state)

    async def _values(self, state: TaskState, remote: Remote) -> None:
        state.take(
            "field_value", by_field(await remote.field_values(state.board_id, state.task_id))
        )
        state.mark_available(Part.VALUES)
        await self._keep(state)

    async def activities(self, state: TaskState, remote: Remote) -> None:
        """Fetch the newest page of activities."""
        page = await remote.activities(state.board_id, state.task_id, 1)
        state.take_newest("activity", page.documents, is_last=page.is_last)
        await self._keep(state)

    async def older(self, state: TaskState, remote: Remote, part: Part) -> None:
        """Fetch older comments or activities until a page brings some, or there are none.

        Deletions move items to earlier pages, so a page may hold nothing new.
        """
        kind: Kind = "comment" if part is Part.COMMENTS else "activity"
        number = state.next_page(kind)
        while part not in state.whole:
            if part is Part.COMMENTS:
                page = await remote.comments(state.board_id, state.task_id, number)
                documents = flat(page.documents, state.task_id)
            else:
                page = await remote.activities(state.board_id, state.task_id, number)
                documents = page.documents
            is_last = page.is_last or not documents
            if state.take_older(kind, documents, is_last=is_last):
                break
            number += 1
        await self._keep(state)
        await self._disk.run(self._cache.write, [state.known_section()])
        self._tell(state)

    async def _keep(self, state: TaskState) -> None:
        """Write what is unsaved to the cache."""
        writes = state.unsaved_writes(self._cache.number)
        state.unsaved.clear()
        try:
            await self._disk.run(self._cache.write, writes)
        except BaseException:
            state.unsaved |= {(write.kind, write.id) for write in writes}
            raise
