"""Finds news on boards, by comparing their views after events of the store.

The store marks cards that others changed. A mark may arrive after the change, so a change without
one is held for a few seconds; if none arrives, the user made it in another program.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.model.comment import Thread, newest
from tui.model.events.history import CLOCKS_DIFFER_BY
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.work.news import CardDifference, News, addressed, assigned, differences, due_soon
from tui.store.clock import Clock, SystemClock, sleep_or
from tui.store.events import BoardChanged, BoardsChanged, StatusChanged, StoreEvent, UnseenChanged
from tui.store.online.comments import latest
from tui.store.protocol import Store

_SETTLE = 0.5
_LOOK_EVERY = 30.0
_LOOK_SOON = 1.0
_HOLD = timedelta(seconds=3)
"""How long a change waits for the mark that says that others made it."""


class Change(NamedTuple):
    """A card that was changed: by others, or by the user in another program.

    `who` is empty if it is not known, and for the user's own changes.
    """

    difference: CardDifference
    who: str
    is_own: bool


class Batch(NamedTuple):
    """What is new on a board, whose current view is `view`."""

    view: BoardView
    changes: tuple[Change, ...] = ()
    news: tuple[News, ...] = ()


class _Held(NamedTuple):
    difference: CardDifference
    board_id: int
    at: datetime
    since: datetime
    """When the board still had its previous view."""
    is_pending: bool
    """Whether the user has a pending change to the card."""


class NewsReader:
    """Follows boards and calls `tell` with what is new.

    `now` is the wall clock of due dates. Boards are compared first with their `known` views, or
    with the first view that the service confirmed after the start.
    """

    def __init__(
        self,
        store: Store,
        board_ids: Callable[[], Sequence[int]],
        tell: Callable[[Batch], None],
        now: Callable[[], datetime],
        *,
        known: Iterable[BoardView] = (),
        clock: Clock | None = None,
    ) -> None:
        self._store = store
        self._board_ids = board_ids
        self._tell = tell
        self._now = now
        self._clock = clock or SystemClock()
        self._begun_at = self._clock.now()
        self._views = {view.board.id: view for view in known}
        self._looked_at = dict.fromkeys(self._views, self._begun_at)
        self._held: list[_Held] = []
        self._marks: dict[int, tuple[RemoteChange, datetime]] = {}
        self._due: set[str] = set()
        self._changed: set[int] = set()
        self._has_other_boards = True
        self._woken = asyncio.Event()

    async def run(self) -> None:
        """Follow the boards; never returns."""
        # First, so that no change during the first comparison is missed.
        end = self._store.subscribe(self._hear)
        self._has_other_boards, self._changed = True, set(self._board_ids())
        try:
            while True:
                if self._has_other_boards:
                    self._has_other_boards = False
                    await self._store.follow(self._board_ids())
                changed, self._changed = self._changed, set()
                for board_id in changed & set(self._board_ids()):
                    await self._compare(board_id)
                await self._release()
                self._look_at_due()
                pause = _LOOK_SOON if self._held else _LOOK_EVERY
                if await sleep_or(self._woken, pause, self._clock):
                    await self._clock.sleep(_SETTLE)
                # Events up to here have left their boards in `_changed`, which is taken next.
                self._woken.clear()
        finally:
            end()
            await self._store.follow(())

    def _hear(self, event: StoreEvent) -> None:
        if isinstance(event, BoardsChanged):
            self._has_other_boards = True
        elif isinstance(event, BoardChanged | StatusChanged | UnseenChanged):
            if event.board_id is None:
                return
            self._changed.add(event.board_id)
        else:
            return
        if isinstance(event, UnseenChanged):
            now = self._clock.now()
            self._marks |= {change.task_id: (change, now) for change in event.changes}
        self._woken.set()

    async def _compare(self, board_id: int) -> None:
        previous, now = self._views.get(board_id), self._clock.now()
        checked_at = self._store.status(board_id).checked_at
        # A cached view is no reference: what happened before the start would be news.
        if previous is None and (checked_at is None or checked_at < self._begun_at):
            return
        view = await self._store.load_board(board_id)
        if view is None or not view.complete or view is previous:
            return
        if previous is not None:
            since = self._looked_at[board_id]
            self._held += [
                _Held(difference, board_id, now, since, difference.task.id in view.pending)
                for difference in differences(previous, view)
            ]
        self._views[board_id], self._looked_at[board_id] = view, now

    async def _release(self) -> None:
        now = self._clock.now()
        # A mark may also come before its change, so it outlasts a held one.
        self._marks = {id_: mark for id_, mark in self._marks.items() if now - mark[1] < 2 * _HOLD}
        held, self._held = self._held, []
        by_board: dict[int, list[tuple[_Held, Change]]] = {}
        for item in held:
            change = self._change(item, now)
            if change is None:
                self._held.append(item)
            else:
                by_board.setdefault(item.board_id, []).append((item, change))
        for board_id, released in by_board.items():
            view, changes, news = self._views[board_id], list[Change](), list[News]()
            for item, change in released:
                if not change.is_own and change.difference.is_assigned_now(self._store.me):
                    news.append(assigned(change.difference.task, view, change.who))
                if not change.is_own and change.difference.new_comments > 0:
                    thread = await self._comments(board_id, change.difference.task.id)
                    since = item.since - CLOCKS_DIFFER_BY
                    news += addressed(change.difference, thread, since, view, self._store.me)
                    changes.append(self._with_author(change, thread))
                else:
                    changes.append(change)
            self._tell(Batch(view, tuple(changes), tuple(news)))

    def _change(self, held: _Held, now: datetime) -> Change | None:
        # None while it is not known yet who made it.
        difference, view = held.difference, self._views[held.board_id]
        task_id = difference.task.id
        if task_id in self._marks:
            return Change(difference, self._marks[task_id][0].who, is_own=False)
        is_alone = bool(view.people) and all(map(self._store.me.is_of, view.people))
        # In these cases no mark is to be expected.
        if held.is_pending or is_alone:
            return Change(difference, "", is_own=True)
        # If the same mark is there already, another program cannot tell that it was made again.
        mark = self._store.changed_by_others(held.board_id).get(task_id)
        is_marked = mark is not None and mark.kind in difference.kinds
        if not is_marked and now - held.at < _HOLD:
            return None
        # Cards that others removed have no mark.
        is_own = not is_marked and difference.kinds != (ChangeKind.GONE,)
        return Change(difference, "", is_own=is_own)

    async def _comments(self, board_id: int, task_id: int) -> Thread:
        try:
            return await latest(await self._store.service(), board_id, task_id)
        except CallboardError:  # the mark of the card says that there is something
            return ()

    def _with_author(self, change: Change, thread: Thread) -> Change:
        authors = [comment.author for comment in newest(thread, change.difference.new_comments)]
        other_authors = [
            author for author in authors if author is not None and not self._store.me.is_of(author)
        ]
        is_own = (
            bool(authors)
            and not other_authors
            and change.difference.kinds == (ChangeKind.COMMENTED,)
        )
        who = change.who or (other_authors[0].in_words if other_authors else "")
        return change._replace(who=who, is_own=is_own)

    def _look_at_due(self) -> None:
        for view in self._views.values():
            due = [
                item
                for item in due_soon(view, self._store.me, self._now())
                if item.key not in self._due
            ]
            if due:
                self._due |= {item.key for item in due}
                self._tell(Batch(view, news=tuple(due)))
