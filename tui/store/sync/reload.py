"""Bringing boards, and the list of boards, up to date with the service.

A board is asked for by one at a time, and what was touched meanwhile by a reply is believed more
than the answer. What is asked is decided by `polling`.
"""

import asyncio
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from tui.client.documents import BoardNews
from tui.client.errors import ApiError, NotThere
from tui.store.cache.freshness import Cost, Known
from tui.store.connection import Health
from tui.store.core import Core
from tui.store.documents.shapes import Document, FirstPaint
from tui.store.events import Loading
from tui.store.remote import Remote
from tui.store.sync.polling import (
    is_behind_after,
    is_behind_after_activity,
    is_frame_outdated,
    is_to_be_fetched,
    restores_stages,
)
from tui.store.sync.remote_changes import Own, RemoteChangeTracker
from tui.store.views.board_state import Absorbed
from tui.store.views.board_updates import BoardUpdates
from tui.store.views.boards import Boards

_NEEDED = frozenset({"title", "status", "stage_id", "position", "labels", "assignees"})
_MOST_READ = 20
"""More tasks than this are not read one by one."""
_TASK_SIZE = 4_000
"""About how many bytes reading one task takes."""
_DRAWN = 40
"""How many tasks of each stage are drawn until all are there."""
_GROWTH = 1.3
"""How many times more tasks must be there than were when it was drawn last."""
_Place = tuple[float, int]


class Reloading:
    """Asks for boards and merges the answers into the truth. Errors are those of the remote."""

    def __init__(
        self, core: Core, updates: BoardUpdates, remote_changes: RemoteChangeTracker
    ) -> None:
        self._boards = updates.boards
        self._updates = updates
        self._freshness = core.freshness
        self._connection = core.connection
        self._health = core.health
        self._last_heard = core.last_heard
        self._remote_changes = remote_changes
        self._one_list_at_a_time = asyncio.Lock()
        self._one_at_a_time: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._with_brief_news: set[int] = set()

    def has_brief_news(self, board_id: int | None) -> bool:
        """Whether the service only tells what was touched on a board in the last minute."""
        return board_id in self._with_brief_news

    async def bring_up_to_date(self, board_id: int) -> bool:
        """Ask what changed, or for the whole board where need be; whether it looks different."""
        remote = await self._connection.required()
        async with self._one_at_a_time[board_id]:
            known = await self._known(board_id)
            if is_to_be_fetched(known):
                return await self._fetch(remote, board_id)
            return await self._hear(remote, board_id, known)

    async def reload(self, board_id: int) -> bool:
        """Fetch a board with all its tasks; says whether it looks different now."""
        remote = await self._connection.required()
        async with self._one_at_a_time[board_id]:
            return await self._fetch(remote, board_id)

    async def reload_unless_told(self, board_id: int, *, instead_of: int | None = None) -> None:
        """Learn what all tasks of a board are like now, by the shorter way.

        That is reading it whole, unless the service tells every change; nor is it where reading
        so many tasks one by one takes less.
        """
        known = await self._known(board_id)
        is_large = instead_of is not None and known.size > instead_of * _TASK_SIZE
        if known.is_complete or is_large:
            await self.bring_up_to_date(board_id)
        else:
            await self.reload(board_id)

    async def reload_frame(self, board_id: int) -> None:
        """Fetch a board with its stages and labels, without the tasks."""
        remote = await self._connection.required()
        frame = await remote.board(board_id)
        self._freshness.framed(board_id)
        self._show(board_id, different=await self._updates.absorb_frame(frame))

    async def _known(self, board_id: int) -> Known:
        is_cached = await self._updates.is_cached(board_id)
        return await self._freshness.known(board_id, is_cached=is_cached)

    async def reload_boards(self) -> None:
        """Fetch the list of boards, unless the service says that it is as it was."""
        remote = await self._connection.required()
        async with self._one_list_at_a_time:
            version = await remote.list_version()
            if version and version == await self._freshness.list_version():
                return
            asked_at = self._updates.revision()
            await self._updates.absorb_boards(await remote.boards(), asked_at)
            if version:
                await self._freshness.keep_list_version(version)

    async def _fetch(self, remote: Remote, board_id: int, synced_at: str = "") -> bool:
        with self._health.busy(board_id):
            asked_at = self._freshness.elapsed()
            was_known = self._freshness.checked_at(board_id) is not None
            known = await self._known(board_id)
            await self._updates.load(board_id)
            self._updates.begin_reload(board_id)
            own = self._remote_changes.begin_list(board_id)
            first = None if known.is_cached else _FirstLoad(board_id, self._boards, self._health)
            try:
                frame, tasks, size = await _board_and_tasks(remote, board_id, first)
            except BaseException:
                if first is not None:
                    first.stopped()
                raise
            cost = Cost(size, self._freshness.elapsed() - asked_at)
            different = await self._updates.absorb_frame(frame, with_tasks=True)
            absorbed = await self._updates.absorb_all_tasks(board_id, tasks)
            self._last_heard.saw(board_id)
            different |= absorbed.looks_different
            self._show(board_id, different=different)
            if first is not None:
                first.finished()
            truth = self._boards.truth(board_id)
            if was_known and truth is not None and absorbed.exchanged:
                await self._remote_changes.tell(truth.view, own, absorbed.exchanged, remote)
        moment = self._health.answered(board_id)
        synced_at = str(frame.get("synced_at") or synced_at)
        if absorbed.is_outdated or self._may_be_overtaken(board_id):
            synced_at = known.since or synced_at
        await self._freshness.fetched(board_id, asked_at, moment, synced_at, cost)
        if absorbed.is_outdated:
            self._freshness.behind.add(board_id)
        return different

    async def _hear(self, remote: Remote, board_id: int, known: Known) -> bool:
        """Ask what changed and take it over; whether the board looks different.

        A refusal is no trouble: it may mean that the time to ask from is too long ago.
        """
        asked_at = self._freshness.elapsed()
        self._updates.begin_reload(board_id)
        own = self._remote_changes.begin_list(board_id)
        try:
            news = await remote.news(board_id, known.since)
        except ApiError as error:
            self._remote_changes.not_listed(board_id, own)
            if error.status is None or error.is_passing or not known.may_reload:
                raise
            return await self._fetch(remote, board_id)
        if news is None:
            return await self._look_at_activity(remote, board_id, known, own)
        (self._with_brief_news.add if news.is_brief else self._with_brief_news.discard)(board_id)
        is_behind = is_behind_after(known, news)
        if is_behind and known.may_reload:
            self._remote_changes.not_listed(board_id, own)
            return await self._fetch(remote, board_id, news.synced_at)
        taken = await self._take(remote, known, news, board_id, own)
        if is_behind or taken.is_behind:
            self._freshness.behind.add(board_id)
        elif not (taken.is_outdated or self._may_be_overtaken(board_id)):
            await self._freshness.heard(board_id, asked_at, news)
            if news.is_complete:
                self._last_heard.saw(board_id)
        self._health.answered(board_id)
        return taken.looks_different

    async def _take(
        self, remote: Remote, known: Known, news: BoardNews, board_id: int, own: Own
    ) -> "_Taken":
        """Take over what is told, and read what is not told whole."""
        if news.has_changes is not False:
            await self._updates.load(board_id)
        frame = await self._frame_of(remote, known, news, board_id)
        changed = await self._updates.new_or_changed(news.tasks) if news.tasks else []
        if sum(not task.keys() >= _NEEDED for task in changed) > _MOST_READ:
            return _Taken(is_behind=True)
        tasks, gone = [], set(news.gone)
        for task in changed:
            try:
                is_whole = task.keys() >= _NEEDED
                tasks.append(task if is_whole else await remote.task(board_id, task["id"]))
            except NotThere:
                gone.add(task["id"])
        absorbed = Absorbed()
        if tasks or gone:
            absorbed = await self._updates.absorb_some_tasks(board_id, tasks, gone)
        different, is_behind = absorbed.looks_different, False
        if frame is not None:
            kept = await self._updates.board_document(board_id)
            is_behind |= not news.is_complete and restores_stages(kept, frame)
            different |= await self._updates.absorb_frame(frame)
        is_behind |= news.is_unexplained and not (different or own)
        self._show(board_id, different=different)
        truth = self._boards.truth(board_id)
        if truth is not None and absorbed.exchanged:
            await self._remote_changes.tell(truth.view, own, absorbed.exchanged, remote)
        elif not (news.tasks or news.gone):
            self._remote_changes.not_listed(board_id, own)
        return _Taken(different, is_behind, absorbed.is_outdated)

    async def _frame_of(
        self, remote: Remote, known: Known, news: BoardNews, board_id: int
    ) -> Document | None:
        """The board without its tasks as it is now; None if it did not change."""
        is_told = any(news.parts.values()) or news.is_frame_outdated
        if news.frame is not None or not (is_told or news.is_unexplained):
            return news.frame
        kept = await self._updates.board_document(board_id) or {}
        if not is_frame_outdated(known, news, kept):
            return None
        frame = await remote.board(board_id)
        self._freshness.framed(board_id)
        return frame

    async def _look_at_activity(
        self, remote: Remote, board_id: int, known: Known, own: Own
    ) -> bool:
        """Ask the service for the newest activity; whether the board looks different."""
        newest = await remote.newest_activity(board_id)
        different = False
        if is_behind_after_activity(known, newest, is_own=bool(own)):
            if not known.may_reload:
                self._freshness.behind.add(board_id)
                return False
            self._remote_changes.not_listed(board_id, own)
            different = await self._fetch(remote, board_id)
        await self._freshness.saw_activity(board_id, newest)
        self._health.answered(board_id)
        return different

    def _may_be_overtaken(self, board_id: int) -> bool:
        """Whether a reply came since the board was asked for, or is on its way.

        It counts as newer than the answer though it may be older, so what changed since the last
        answer is to be told again.
        """
        return self._updates.was_touched(board_id) or self._health.status(board_id).busy

    def _show(self, board_id: int, *, different: bool) -> None:
        if different:
            self._boards.redraw(board_id)


class _FirstLoad:
    """A board that is not known here yet: draws the first tasks of each stage while they come."""

    def __init__(self, board_id: int, boards: Boards, health: Health) -> None:
        self._board_id = board_id
        self._boards = boards
        self._health = health
        self._frame: Document = {}
        self._first: defaultdict[int, list[tuple[_Place, Document]]] = defaultdict(list)
        self._totals: Counter[int] = Counter()
        self._loading = Loading()
        self._next_at = 0.0
        self._health.loading(board_id, self._loading)

    def begin(self, frame: Document) -> None:
        """The board is there; it is drawn with its first tasks, for no column is empty for sure."""
        self._frame = frame

    def arrived(self, tasks: Sequence[Document], received: int) -> None:
        """These tasks came; with them so many bytes are there."""
        for task in tasks:
            self._keep(task)
        count = self._loading.tasks + len(tasks)
        self._loading = Loading(count, received)
        if count >= self._next_at:
            self._next_at = count * _GROWTH
            self._draw()
            self._health.loading(self._board_id, self._loading)

    def stopped(self) -> None:
        """No more will come."""
        self._health.loading(self._board_id, self._loading._replace(is_stopped=True))

    def finished(self) -> None:
        """All is there, and drawn."""
        self._health.loading(self._board_id, None)

    def _keep(self, task: Document) -> None:
        stage_id, position = task.get("stage_id"), task.get("position") or 0.0
        if stage_id is None:
            return
        self._totals[stage_id] += 1
        first = self._first[stage_id]
        insort(first, ((position, task["id"]), task), key=itemgetter(0))
        del first[_DRAWN:]

    def _draw(self) -> None:
        tasks = [task for first in self._first.values() for _, task in first]
        self._boards.draw_sketch(
            self._board_id, FirstPaint(self._frame, tuple(tasks), dict(self._totals))
        )


async def _board_and_tasks(
    remote: Remote, board_id: int, first: _FirstLoad | None
) -> tuple[Document, list[Document], int]:
    """A board, its tasks, and how many bytes these were; `first` draws what comes."""
    size = 0

    def arrived(tasks: Sequence[Document], received: int) -> None:
        nonlocal size
        size = received
        if first is not None:
            first.arrived(tasks, received)

    frame = await remote.board(board_id)
    if first is not None:
        first.begin(frame)
    return frame, await remote.tasks(board_id, arrived), size


class _Taken(NamedTuple):
    """What came of news: whether the board looks different, and whether it is behind still.

    News that are outdated for a task, of which a reply told meanwhile, are asked for again.
    """

    looks_different: bool = False
    is_behind: bool = False
    is_outdated: bool = False
