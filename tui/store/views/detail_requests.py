"""Asking the service for what stands around a task.

Every part is asked for by itself, so that one that is missing costs itself only. What an edition
does not offer is remembered with the reason and shown as such. Pages of comments that are known are
asked for again with the newest one, because somebody may have answered, edited or deleted a comment
on any of them.
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


class Asking:
    """Fetches the parts of details and keeps them; `tell` is called after each."""

    def __init__(self, cache: Cache, disk: DiskThread, tell: _Tell) -> None:
        self._cache = cache
        self._disk = disk
        self._tell = tell

    async def everything(self, kept: TaskState, remote: Remote) -> None:
        """Ask for subtasks, the newest comments, values, and activities if they were asked for.

        Raises `ApiError` if the service cannot be reached; what came until then stays.
        """
        questions: list[tuple[Part, Callable[[TaskState, Remote], Awaitable[None]]]] = [
            (Part.SUBTASKS, self._subtasks),
            (Part.COMMENTS, self._comments),
            (Part.VALUES, self._values),
        ]
        if Part.ACTIVITIES in kept.known:
            questions.append((Part.ACTIVITIES, self.activities))
        for part, question in questions:
            try:
                await question(kept, remote)
            except ApiError as error:
                if error.is_passing or isinstance(error, _NO_CONNECTION):
                    raise
                kept.missing(part, error.message, for_good=isinstance(error, NotOffered))
            await self._disk.run(self._cache.write, [kept.state()])
            self._tell(kept)

    async def _subtasks(self, kept: TaskState, remote: Remote) -> None:
        answer = await remote.subtask_groups(kept.board_id, kept.task_id)
        groups, subtasks = ungrouped(answer, kept.task_id)
        kept.take("subtask_group", groups)
        kept.take("subtask", subtasks)
        kept.offered(Part.SUBTASKS)
        await self._keep(kept)

    async def _comments(self, kept: TaskState, remote: Remote) -> None:
        page = await remote.comments(kept.board_id, kept.task_id, 1)
        documents = flat(page.documents, kept.task_id)
        end = kept.take_newest("comment", documents, is_last=page.is_last)
        await self._keep(kept)
        self._tell(kept)
        await self._older_comments_again(kept, remote, end)

    async def _older_comments_again(self, kept: TaskState, remote: Remote, end: int) -> None:
        """Ask once more for the older pages that are here, below the thread `end`.

        What happened on pages further down than this goes is heard when they are asked for.
        """
        number = 2
        while kept.oldest("comment") < end and number < _PAGES_AGAIN:
            page = await remote.comments(kept.board_id, kept.task_id, number)
            documents = flat(page.documents, kept.task_id)
            is_last = page.is_last or not documents
            end = kept.take_again("comment", documents, below=end, is_last=is_last)
            number += 1
            await self._keep(kept)
            self._tell(kept)

    async def _values(self, kept: TaskState, remote: Remote) -> None:
        kept.take("field_value", by_field(await remote.field_values(kept.board_id, kept.task_id)))
        kept.offered(Part.VALUES)
        await self._keep(kept)

    async def activities(self, kept: TaskState, remote: Remote) -> None:
        """Ask for the newest page of activities."""
        page = await remote.activities(kept.board_id, kept.task_id, 1)
        kept.take_newest("activity", page.documents, is_last=page.is_last)
        await self._keep(kept)

    async def older(self, kept: TaskState, remote: Remote, part: Part) -> None:
        """Ask for older comments or activities until some come, or there are none.

        Deletions move what follows onto earlier pages, so the page that is due may be known.
        """
        kind: Kind = "comment" if part is Part.COMMENTS else "activity"
        number = kept.next_page(kind)
        while part not in kept.whole:
            if part is Part.COMMENTS:
                page = await remote.comments(kept.board_id, kept.task_id, number)
                documents = flat(page.documents, kept.task_id)
            else:
                page = await remote.activities(kept.board_id, kept.task_id, number)
                documents = page.documents
            is_last = page.is_last or not documents
            if kept.take_older(kind, documents, is_last=is_last):
                break
            number += 1
        await self._keep(kept)
        await self._disk.run(self._cache.write, [kept.state()])
        self._tell(kept)

    async def _keep(self, kept: TaskState) -> None:
        """Have the cache know what memory knows."""
        writes = kept.unsaved_writes(self._cache.number)
        kept.unsaved.clear()
        try:
            await self._disk.run(self._cache.write, writes)
        except BaseException:
            kept.unsaved |= {(write.kind, write.id) for write in writes}
            raise
