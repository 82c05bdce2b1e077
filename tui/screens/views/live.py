"""The cards of views for a screen: found in the cache, and kept up to date while it is open.

A view is shown from the cache alone; then its boards are asked for changes and followed. Actions
of cards work on boards in memory, so those of the chosen cards are loaded before an action runs.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import Protocol

from textual.worker import WorkType

from tui.actions.host import ErrorsSaid, Host
from tui.errors import CallboardError
from tui.model.board import Board
from tui.model.people import Role
from tui.model.task import Task
from tui.model.work.saved_view import SavedView
from tui.runtime.key_queue import await_worker
from tui.screens.board_lines import status_of
from tui.screens.views.results import ViewResults
from tui.store.clock import few_at_once
from tui.store.events import (
    BoardChanged,
    BoardsChanged,
    CacheWritten,
    StatusChanged,
    StoreEvent,
    SyncStatus,
    UnseenChanged,
)
from tui.text.dates import local

_MOST_FOLLOWED = 30
_FRESH_SECONDS = 60


class ViewHost(Host, Protocol):
    """A screen that shows the cards of a view."""

    is_behind: bool
    """Whether another screen is in front."""

    @property
    def views_wanted(self) -> Sequence[SavedView]:
        """The views whose cards are wanted, the one that is shown first."""

    @property
    def boards_in_sight(self) -> Iterable[int]:
        """The boards of the cards that are shown, the first one first."""

    @property
    def chosen_tasks(self) -> Sequence[Task]:
        """The chosen cards."""

    def show_again(self) -> None:
        """Show what was found."""

    def draw_bar(self) -> None:
        """Show how far boards are loaded."""


class LiveViews:
    """Finds the cards of a screen's views again when they change; `follower` names the screen."""

    def __init__(self, host: ViewHost, follower: str) -> None:
        self.results = ViewResults(host.context.store)
        self.progress = ""
        """How far boards are loaded that are not in the cache yet."""
        self._host = host
        self._store = host.context.store
        self._follower = follower
        self._loaded: set[int] = set()
        self._followed: tuple[int, ...] = ()
        self._me = host.context.store.me
        self._are_all_stale = False
        self._is_looking = False

    @property
    def _current(self) -> SavedView:
        return self._host.views_wanted[0]

    async def load(self) -> None:
        """Show what is cached, and ask for changes in the background."""
        self._me = self._store.me
        await self._look()
        asking: WorkType[None] = self._ask_for_changes
        self._host.run_worker(asking, group="refresh", exclusive=True)

    def all_are_stale(self) -> None:
        """All boards are asked for changes when it loads next, also those just checked."""
        self._are_all_stale = True
        self.results.note()

    async def end(self) -> None:
        """Follow the boards no longer."""
        await self._store.follow((), by=self._follower)

    async def _look(self) -> None:
        """Find what may have changed in the view that is shown, then count that of the others."""
        if self._is_looking:
            return
        self._is_looking = True
        try:
            # While this waits, other boards may change, or another view be opened.
            while True:
                if self.results.is_due(self._current):
                    await self.results.look(self._current, self._host.context.now())
                    self._host.show_again()
                elif uncounted := list(filter(self.results.is_uncounted, self._host.views_wanted)):
                    # One view at a time, so that keys come in between.
                    await self.results.look_for_count(uncounted[0], self._host.context.now())
                    self._host.draw_bar()
                else:
                    return
        finally:
            self._is_looking = False

    async def _ask_for_changes(self) -> None:
        now, are_all, self._are_all_stale = self._host.context.now(), self._are_all_stale, False
        stale = []
        for board in self.results.boards_of(self._current):
            checked = self._store.status(board.id).checked_at
            is_old = checked is None or (now - local(checked)).total_seconds() > _FRESH_SECONDS
            # The service does not know a board with a local id yet.
            if board.id > 0 and (are_all or is_old):
                stale.append(board)
        started = 0

        async def fetch(board: Board) -> None:
            nonlocal started
            started += 1
            if board.id in self.results.missing(self._current):
                self.progress = f"loading {started} of {len(stale)} boards"
                self._host.draw_bar()
            await self._store.refresh(board.id, only_changes=True)
            if board.id in self.results.missing(self._current):
                self.results.note([board.id])
                await self._look()

        try:
            with ErrorsSaid(self._host, in_background=True):
                await few_at_once(fetch, stale)
            await self._follow()
        finally:
            self.progress = ""
            self._host.draw_bar()

    async def _follow(self) -> None:
        # Those with the first rows are the first to be told of changes.
        shown = dict.fromkeys(board_id for board_id in self._host.boards_in_sight if board_id > 0)
        others = dict.fromkeys(board.id for board in self.results.boards_of(self._current))
        wanted = tuple(dict.fromkeys([*shown, *others]))[:_MOST_FOLLOWED]
        if {*wanted} != {*self._followed}:
            self._followed = wanted
            await self._store.follow(wanted, by=self._follower)

    def hear(self, event: StoreEvent) -> None:
        """Look again at what an event of the store may have changed."""
        if isinstance(event, BoardChanged | UnseenChanged):
            if isinstance(event, BoardChanged) and event.renamed:
                self._loaded = {event.renamed.get(board_id, board_id) for board_id in self._loaded}
            self._look_soon([event.board_id])
        elif isinstance(event, CacheWritten):
            self._look_soon(event.board_ids)
        elif isinstance(event, BoardsChanged):
            self._look_soon(None)
        elif isinstance(event, StatusChanged) and self._me != self._store.me:
            self._me = self._store.me
            self._look_soon(None)

    def _look_soon(self, board_ids: Collection[int] | None) -> None:
        self.results.note(board_ids)
        # A screen that is covered looks when it is in front again.
        if not self._host.is_behind:
            looking: WorkType[None] = self._look
            self._host.run_worker(looking, group="look", exclusive=False)

    @property
    def sync_status(self) -> SyncStatus:
        """How the boards of the view stand."""
        boards = self.results.boards_of(self._current)
        return status_of(self._store, [board.id for board in boards])

    @property
    def role(self) -> Role:
        """The user's role on the boards of the chosen cards."""
        # Not from the boards in memory, which would read one at each step.
        chosen = {task.board_id for task in self._host.chosen_tasks}
        cards = self.results.cards(self._current) or ()
        roles = [view.board.role_of(self._store.me) for view in cards if view.board.id in chosen]
        return min(roles, default=Role.MANAGER)

    def run_with_boards(self, run: Callable[[], None]) -> None:
        """Run an action of the chosen cards once their boards are in memory."""
        needed = {task.board_id for task in self._host.chosen_tasks} - self._loaded
        if not needed:
            run()
            return

        async def load() -> None:
            for board_id in needed:
                with suppress(CallboardError):
                    if await self._store.load_board(board_id) is not None:
                        self._loaded.add(board_id)
            run()

        worker = self._host.run_worker(load, group="boards", exclusive=False)
        await_worker(self._host.app, self._host, worker)
