"""Brings boards, and the list of boards, up to date with the service.

One request for a board at a time; documents changed by a reply while it was in flight are newer
than its response.

A service either reports changes since a time stamp of its own (`BoardChanges.synced_at`), or lists
what changed within the last minute, or reports nothing. A full fetch is made only for what these
reports cannot cover, and never takes more than 1 % of the time or 2 MB a minute. What to request is
decided by pure functions, at the end.
"""

import asyncio
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from tui.client.documents import BoardChanges
from tui.client.errors import ApiError, NotFound
from tui.store.cache.freshness import BoardFreshness, Cost, reload_pause
from tui.store.connection import StatusTracker
from tui.store.core import Core
from tui.store.documents.shapes import Document, FirstPaint, is_same
from tui.store.events import Loading
from tui.store.remote import Remote
from tui.store.sync.remote_changes import RemoteChangeTracker
from tui.store.views.board_state import MergeResult
from tui.store.views.board_updates import BoardUpdates
from tui.store.views.boards import BoardViews

_NEEDED = frozenset({"title", "status", "stage_id", "position", "labels", "assignees"})
_MOST_READ = 20
"""More changed tasks than this are not fetched one by one."""
_TASK_SIZE = 4_000
"""Estimated bytes of fetching one task."""
_DRAWN = 40
"""Tasks of each stage drawn during a first fetch."""
_GROWTH = 1.3
"""By which factor the tasks have to grow before they are drawn again."""
BRIEF_PAUSE = 45.0
"""The longest pause between two polls of a service that lists only the last minute."""
_LONGEST_GAP = 55.0
_LOOKS_BACK = 65.0
"""Seconds after which such a service no longer lists a change."""
_ROUTINE = 300.0
_ROUTINE_PAUSES = 10
"""How much rarer a full fetch is where a change is only possible rather than known."""
_DAY = 86_400.0
_COMPARED_OF_BOARDS = ("title", "description", "archived_at")
_Place = tuple[float, int]


class Reloading:
    """Fetches boards and merges the responses. Errors are those of the remote."""

    def __init__(
        self, core: Core, updates: BoardUpdates, remote_changes: RemoteChangeTracker
    ) -> None:
        self._connection = core.connection
        self._status = core.status_tracker
        self._freshness = core.freshness
        self._clock = core.clock
        self._last_seen = core.last_seen
        self._updates = updates
        self._boards = updates.boards
        self._remote_changes = remote_changes
        self._one_list_at_a_time = asyncio.Lock()
        self._one_at_a_time: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._has_brief_history: dict[int | None, bool] = {}

    def has_brief_history(self, board_id: int | None) -> bool:
        """Whether the service only lists changes within the last minute on this board."""
        return self._has_brief_history.get(board_id, False)

    async def sync_board(self, board_id: int, *, is_unchanged: bool = False) -> bool:
        """Fetch changes, or the whole board where necessary; returns whether it looks different.

        Changes need not be fetched if the service just said that the board `is_unchanged`.
        """
        remote = await self._connection.required()
        async with self._one_at_a_time[board_id]:
            # Read with the lock held: the request that held it may just have fetched the board.
            freshness = await self._freshness_of(board_id)
            if not is_unchanged:
                if is_to_be_fetched(freshness):
                    return await self._fetch(remote, board_id)
                return await self._fetch_changes(remote, board_id, freshness)
            unchanged = BoardChanges(freshness.since, is_complete=freshness.is_complete)
            await self._freshness.mark_synced(board_id, self._clock.elapsed(), unchanged)
            self._status.answered(board_id)
            return False

    async def reload(self, board_id: int) -> bool:
        """Fetch a board with all its tasks; returns whether it looks different."""
        remote = await self._connection.required()
        async with self._one_at_a_time[board_id]:
            return await self._fetch(remote, board_id)

    async def reload_unless_reported(self, board_id: int, *, instead_of: int | None = None) -> None:
        """Get all tasks of a board up to date by the cheaper way.

        That is a full fetch, unless the service reports every change or fetching that many single
        tasks takes less.
        """
        freshness = await self._freshness_of(board_id)
        is_large = instead_of is not None and freshness.size > instead_of * _TASK_SIZE
        if freshness.is_complete or is_large:
            await self.sync_board(board_id)
        else:
            await self.reload(board_id)

    async def reload_frame(self, board_id: int) -> None:
        """Fetch a board with its stages and labels, without the tasks."""
        remote = await self._connection.required()
        asked_at, different = -1, False
        # Once more if a reply came meanwhile, for which the response was left out as older.
        while asked_at != self._updates.frame_replies(board_id):
            asked_at = self._updates.frame_replies(board_id)
            frame = await remote.board(board_id)
            self._freshness.mark_frame_fetched(board_id)
            different |= await self._updates.update_frame(frame, asked_at)
        if different:
            self._boards.redraw(board_id)

    async def _freshness_of(self, board_id: int) -> BoardFreshness:
        is_cached = await self._updates.is_cached(board_id)
        return await self._freshness.known(board_id, is_cached=is_cached)

    async def reload_boards(self) -> None:
        """Fetch the list of boards, unless its version is unchanged."""
        remote = await self._connection.required()
        async with self._one_list_at_a_time:
            # Read before the list: a change between the two requests is fetched the next time.
            version = await remote.list_version()
            if version and version == await self._freshness.list_version():
                return
            # Boards written to the cache after this revision are newer than the response.
            asked_at = self._updates.revision()
            await self._updates.replace_boards(await remote.boards(), asked_at)
            if version:
                await self._freshness.keep_list_version(version)

    async def _fetch(self, remote: Remote, board_id: int, synced_at: str = "") -> bool:
        with self._status.busy(board_id):
            # Counted before the request: later changes of the user may be missing in the response.
            own = self._remote_changes.count_own(board_id)
            asked_at = self._clock.elapsed()
            was_known = self._freshness.checked_at(board_id) is not None
            freshness = await self._freshness_of(board_id)
            await self._updates.load(board_id)
            # Before the request: replies merged from now on may be newer than its response.
            self._updates.begin_reload(board_id)
            is_first = not freshness.is_cached  # then there is nothing newer to be kept
            frame_replies = None if is_first else self._updates.frame_replies(board_id)
            fetch = _Fetch(board_id, self._boards, self._status, is_first=is_first)
            frame, tasks = await fetch.read(remote)
            cost = Cost(fetch.size, self._clock.elapsed() - asked_at)
            different = await self._updates.update_frame(frame, frame_replies, with_tasks=True)
            merge = await self._updates.replace_tasks(board_id, tasks)
            self._last_seen.mark(board_id)
            different |= merge.looks_different
            if different:
                self._boards.redraw(board_id)
            fetch.tell(None)
            truth = self._boards.truth(board_id)
            if was_known and truth is not None and merge.changed:
                await self._remote_changes.publish(truth.view, merge.changed, remote)
            self._remote_changes.forget_own(board_id, own)
        moment = self._status.answered(board_id)
        synced_at = str(frame.get("synced_at") or synced_at)
        # Keeping the previous time stamp has the changes since then reported once more.
        if merge.is_outdated or self._may_be_overtaken(board_id):
            synced_at = freshness.since or synced_at
        await self._freshness.mark_fetched(board_id, asked_at, moment, synced_at, cost)
        # After `mark_fetched`, which takes the board out of `behind`.
        if merge.is_outdated:
            self._freshness.behind.add(board_id)
        return different

    async def _fetch_changes(
        self, remote: Remote, board_id: int, freshness: BoardFreshness
    ) -> bool:
        asked_at = self._clock.elapsed()
        asked = _Asked(
            self._remote_changes.count_own(board_id), self._updates.frame_replies(board_id)
        )
        self._updates.begin_reload(board_id)
        try:
            changes = await remote.changes_since(board_id, freshness.since)
        except ApiError as error:  # the time stamp may be too old
            # Services answer 500 to one older than a day, or of the future.
            if error.status is None or error.is_passing or not freshness.may_reload:
                raise
            return await self._fetch(remote, board_id)
        if changes is None:
            return await self._look_at_activity(remote, board_id, freshness, asked.own)
        self._has_brief_history[board_id] = changes.is_brief
        is_behind = is_behind_after(freshness, changes)
        if is_behind and freshness.may_reload:
            return await self._fetch(remote, board_id, changes.synced_at)
        update = await self._apply_changes(remote, freshness, changes, board_id, asked)
        if is_behind or update.is_behind:
            self._freshness.behind.add(board_id)
        elif not (update.is_outdated or self._may_be_overtaken(board_id)):
            await self._freshness.mark_synced(board_id, asked_at, changes)
            if changes.is_complete:
                self._last_seen.mark(board_id)
        self._status.answered(board_id)
        return update.looks_different

    async def _apply_changes(
        self,
        remote: Remote,
        freshness: BoardFreshness,
        changes: BoardChanges,
        board_id: int,
        asked: "_Asked",
    ) -> "_Update":
        if changes.has_changes is not False:
            await self._updates.load(board_id)
        frame = await self._frame_of(remote, freshness, changes, board_id)
        changed = await self._updates.new_or_changed(changes.tasks) if changes.tasks else []
        if sum(not task.keys() >= _NEEDED for task in changed) > _MOST_READ:
            return _Update(is_behind=True)
        tasks, gone = [], set(changes.gone)
        for task in changed:
            try:
                is_whole = task.keys() >= _NEEDED
                tasks.append(task if is_whole else await remote.task(board_id, task["id"]))
            except NotFound:  # deleted after the service listed it
                gone.add(task["id"])
        merge = MergeResult()
        if changes.tasks or gone:
            reported = [task["id"] for task in changes.tasks]
            merge = await self._updates.update_tasks(board_id, tasks, gone, reported)
        different, is_behind = merge.looks_different, False
        if frame is not None and self._updates.frame_replies(board_id) == asked.frame_replies:
            cached = await self._updates.board_document(board_id)
            is_behind |= not changes.is_complete and restores_stages(cached, frame)
            different |= await self._updates.update_frame(frame, asked.frame_replies)
        # The service says that something changed, but lists nothing. If nothing differs here, and
        # it is not a change of the user, only a full fetch can show it.
        is_behind |= changes.is_unexplained and not (different or asked.own)
        if different:
            self._boards.redraw(board_id)
        truth = self._boards.truth(board_id)
        if truth is not None and merge.changed:
            await self._remote_changes.publish(truth.view, merge.changed, remote)
        if changes.tasks or changes.gone:
            self._remote_changes.forget_own(board_id, asked.own)
        return _Update(different, is_behind, merge.is_outdated)

    async def _frame_of(
        self, remote: Remote, freshness: BoardFreshness, changes: BoardChanges, board_id: int
    ) -> Document | None:
        is_listed = any(changes.parts.values()) or changes.is_frame_outdated
        if changes.frame is not None or not (is_listed or changes.is_unexplained):
            return changes.frame
        cached = await self._updates.board_document(board_id) or {}
        if not is_frame_outdated(freshness, changes, cached):
            return None
        frame = await remote.board(board_id)
        self._freshness.mark_frame_fetched(board_id)
        return frame

    async def _look_at_activity(
        self, remote: Remote, board_id: int, freshness: BoardFreshness, own: int
    ) -> bool:
        newest, different = await remote.newest_activity(board_id), False
        is_behind = is_behind_after_activity(freshness, newest, is_own=own > 0)
        if is_behind and freshness.may_reload:
            different = await self._fetch(remote, board_id)
        else:
            self._remote_changes.forget_own(board_id, own)
        if is_behind and not freshness.may_reload:
            self._freshness.behind.add(board_id)
            return False
        await self._freshness.set_newest_activity(board_id, newest)
        self._status.answered(board_id)
        return different

    def _may_be_overtaken(self, board_id: int) -> bool:
        # What a reply brought while the request was in flight is kept, although it may be older
        # than the response: so the changes are requested again from the previous time stamp.
        return self._updates.was_touched(board_id) or self._status.status(board_id).busy


class _Fetch:
    """The fetch of a board with its tasks; `size` is the number of bytes so far.

    The first fetch of a board draws the first tasks of each stage as they arrive, so that no column
    is shown as empty meanwhile.
    """

    def __init__(
        self, board_id: int, boards: BoardViews, status: StatusTracker, *, is_first: bool
    ) -> None:
        self.size = 0
        self._board_id = board_id
        self._boards = boards
        self._status = status
        self._is_first = is_first
        self._frame: Document = {}
        self._first: defaultdict[int, list[tuple[_Place, Document]]] = defaultdict(list)
        self._totals: Counter[int] = Counter()
        self._loading = Loading()
        self._next_at = 0.0
        self.tell(self._loading)

    async def read(self, remote: Remote) -> tuple[Document, list[Document]]:
        """The board and its tasks; if it fails, what is drawn stays."""
        try:
            self._frame = await remote.board(self._board_id)
            return self._frame, await remote.tasks(self._board_id, self._arrived)
        except BaseException:  # also if it is cancelled: the progress would never end
            self.tell(self._loading._replace(is_stopped=True))
            raise

    def tell(self, loading: Loading | None) -> None:
        """Publish the progress of a first fetch; None once it is complete and drawn."""
        if self._is_first:
            self._status.loading(self._board_id, loading)

    def _arrived(self, tasks: Sequence[Document], received: int) -> None:
        self.size = received
        if not self._is_first:
            return
        for task in tasks:
            stage_id, position = task.get("stage_id"), task.get("position") or 0.0
            if stage_id is not None:
                self._totals[stage_id] += 1
                first = self._first[stage_id]
                insort(first, ((position, task["id"]), task), key=itemgetter(0))
                del first[_DRAWN:]
        count = self._loading.tasks + len(tasks)
        self._loading = Loading(count, received)
        if count >= self._next_at:
            self._next_at = count * _GROWTH
            documents = (task for first in self._first.values() for _, task in first)
            drawn = tuple(filter(None, map(self._boards.assembler.task, documents)))
            self._boards.draw_preview(
                self._board_id, FirstPaint(self._frame, drawn, dict(self._totals))
            )
            self.tell(self._loading)


class _Asked(NamedTuple):
    """How many changes of the user, and replies that changed the frame, there were at a request."""

    own: int
    frame_replies: int


class _Update(NamedTuple):
    """The result of merging reported changes.

    `is_outdated` if they include a task that a reply changed meanwhile: these changes are requested
    again.
    """

    looks_different: bool = False
    is_behind: bool = False
    is_outdated: bool = False


def is_to_be_fetched(freshness: BoardFreshness) -> bool:
    """Whether to fetch the board in full without asking for changes first."""
    if not freshness.is_cached or freshness.fetched is None:
        return True
    if freshness.is_behind and freshness.may_reload:
        return True
    # Now and then it is fetched without a known reason: reports may have missed something.
    if freshness.fetched >= _DAY and not freshness.is_complete:
        return True
    pause = max(_ROUTINE, _ROUTINE_PAUSES * reload_pause(freshness.size, freshness.seconds))
    return min(freshness.fetched, freshness.running) >= pause


def is_behind_after(freshness: BoardFreshness, changes: BoardChanges) -> bool:
    """Whether the board has, or may have, changes that this report does not list."""
    if freshness.is_behind or changes.must_reload:
        return True
    if changes.has_gone and not _is_deletion_known(freshness, changes):
        return True
    if changes.is_brief:
        return freshness.synced is None or freshness.synced > _LONGEST_GAP
    return not freshness.since


def is_behind_after_activity(freshness: BoardFreshness, newest: int, *, is_own: bool) -> bool:
    """The same decided by the id of the newest activity, where the service reports nothing else.

    `is_own` says that the user changed something.
    """
    return freshness.is_behind or (freshness.activity_id not in (0, newest) and not is_own)


def _is_deletion_known(freshness: BoardFreshness, changes: BoardChanges) -> bool:
    # A service that lists the last minute reports the same deletion for a minute. It is known if
    # the user deleted a task in that time, or if the board was fetched in full since.
    moments = (freshness.deleted, freshness.fetched if changes.is_brief else None)
    return any(moment is not None and moment < _LOOKS_BACK for moment in moments)


def is_frame_outdated(freshness: BoardFreshness, changes: BoardChanges, frame: Document) -> bool:
    """Whether to fetch a board without its tasks; `frame` is the cached one."""
    is_other = any(_differ(frame, name, listed) for name, listed in changes.parts.items())
    if is_other or changes.is_unexplained:
        return True
    was_fetched = freshness.frame_fetched is not None and freshness.frame_fetched < _LOOKS_BACK
    return changes.is_frame_outdated and not (changes.is_brief and was_fetched)


def _differ(frame: Document, name: str, listed: Sequence[Document]) -> bool:
    if name == "board":
        return any(
            board[field] != frame.get(field)
            for board in listed
            for field in _COMPARED_OF_BOARDS
            if field in board
        )
    cached = {part.get("id"): part for part in frame.get(name) or ()}
    return any(not is_same(cached.get(part.get("id")), part) for part in listed)


def restores_stages(cached: Document | None, reply: Document) -> bool:
    """Whether an archived stage is back, whose tasks are not in the cache."""
    if cached is None:
        return False
    stages = cached.get("stages") or ()
    # A stage that was not active before, although its id is not a new one, was archived.
    former = {stage["id"] for stage in stages if not stage.get("archived_at")}
    newest = max((stage["id"] for stage in stages), default=0)
    active = (stage["id"] for stage in reply.get("stages") or () if not stage.get("archived_at"))
    return any(stage_id not in former and stage_id <= newest for stage_id in active)
