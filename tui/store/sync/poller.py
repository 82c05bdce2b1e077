"""Polls the open board and the list of boards for remote changes.

Where the service can wait for the next change, that takes the place of the pause between two polls.
Polls are cheap where the service reports changes, less frequent while nothing changes or the
service does not respond, and paused while the program is not visible, once what was opened has been
read. Of several programs on one cache, one polls at a time and the others read its result. Followed
boards have pollers of their own, of which a few wait: each request that waits takes one of a few
connections. Durations are monotonic; time stamps sent back to the service are its own.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain
from pathlib import Path

from tui.client.capabilities import Feature
from tui.client.errors import REFUSALS, ApiError, NotOffered
from tui.store.cache.polling_turns import PollingTurns
from tui.store.cache.schema import BOARD_LIST, set_cache_aside
from tui.store.clock import end_all, in_background, sleep_or, unless
from tui.store.connection import ConnectionProblem
from tui.store.core import Core
from tui.store.events import CacheWritten
from tui.store.files.database import is_damage, is_whole
from tui.store.files.lease import identity
from tui.store.sync.delivery import Delivery
from tui.store.sync.reload import BRIEF_PAUSE, Reloading
from tui.store.views.board_updates import BoardUpdates

logger = logging.getLogger(__name__)

_MISTAKE = ConnectionProblem(
    "Polling stopped because of an internal error; no change was lost.", is_reached=True
)
_SLOW_SECONDS = 60.0
_AGAIN_SECONDS = 5.0
_QUIET_AFTER = 600.0
_BOARDS_EVERY = 60.0
_BOARDS_EVERY_BESIDE_A_BOARD = 300.0
_REST_PER_WORK = 20
_NEARLY = 0.8
_AT_ONCE = 2.0
_LONGEST_REST = 60.0
_LONGEST_WAIT = 30.0
_TOO_SOON = 1.0
"""A service that reports within these seconds that nothing has changed did not wait."""
_GAP = 0.25
_OWN_PAUSE = 1.0
_LONGEST_GAP = 5.0
_MOST_FRUITLESS = 10
_MOST_WAITING = 3
_LONGER = 30.0
"""The shortest pause of followed boards that are not waited for."""


class Poller:
    """Polls from the time the service is connected; `every` is the shortest pause in seconds.

    It also fills the cache again after that was damaged or replaced; `cache_identity` tells the
    file in use from one that took its place. The poller of a followed board is `beside` that of the
    open one: it claims polls under the same name and leaves the list of boards alone. Without
    `waits` it polls in intervals only.
    """

    def __init__(
        self,
        core: Core,
        updates: BoardUpdates,
        reloading: Reloading,
        delivery: Delivery,
        every: float,
        *,
        beside: "Poller | None" = None,
        waits: bool = True,
    ) -> None:
        self._is_beside = beside is not None
        self._waits = waits
        self._beside: dict[int, Poller] = {}
        self._followed: dict[str, Sequence[int]] = {}
        self._core = core
        self._connection = core.connection
        self._status = core.status_tracker
        self._clock = core.clock
        self._updates = updates
        self._reloading = reloading
        self._delivery = delivery
        self._turns: PollingTurns = (
            PollingTurns(core.cache, core.disk, core.clock) if beside is None else beside._turns  # noqa: SLF001  both are of this program
        )
        self._every = every
        self.cache_identity = identity(core.cache_path)
        self._shown: int | None = None
        self._wake = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None
        self._failures = 0
        self._asked_to_wait = 0.0
        self._is_cut_off = False
        self._last_work = 0.0
        self._is_seen = True
        self._is_pressing = False
        self._active_at = core.clock.elapsed()
        self._boards_at: float | None = None
        # The revision up to which it was told what other programs wrote; at first none is known.
        self._read_to = -1
        self._fruitless = 0
        self._changed_at = -_GAP

    def start(self) -> None:
        """Start polling."""
        for poller in self._beside.values():
            poller.start()
        self._poll_now()
        if self._loop is None:
            self._loop = in_background(self._poll(), self._stopped)

    async def aclose(self) -> None:
        """Stop polling."""
        await self._follow(())
        if self._loop is not None:
            await end_all([self._loop])
            self._loop = None
            with suppress(sqlite3.Error):  # then the others wait a few seconds
                await self._turns.release()

    def open(self, board_id: int | None) -> None:
        """Poll this board from now on, or none; one created here once it has been sent."""
        previous, self._shown = self._shown, board_id
        # A followed board that is open too is polled by this poller alone.
        for followed, poller in self._beside.items():
            if followed in (previous, board_id):
                poller.open(None if followed == board_id else followed)
        self.note_activity()
        self._poll_now()

    async def follow(self, board_ids: Sequence[int], *, by: str = "") -> None:
        """Poll these boards too, and no others but those that another `by` asked for.

        The first of them may wait for changes.
        """
        self._followed[by] = board_ids
        await self._follow([*dict.fromkeys(chain.from_iterable(self._followed.values()))])

    async def _follow(self, board_ids: Sequence[int]) -> None:
        ended = [self._beside.pop(board_id) for board_id in self._beside.keys() - set(board_ids)]
        for poller in ended:
            await poller.aclose()
        parts = self._core, self._updates, self._reloading, self._delivery
        for place, board_id in enumerate(board_ids):
            if board_id not in self._beside:
                waits = place < _MOST_WAITING
                every = self._every if waits else max(self._every, _LONGER)
                poller = Poller(*parts, every, beside=self, waits=waits)
                self._beside[board_id] = poller
                poller.set_visible(is_visible=self._is_seen)
                poller.open(None if board_id == self._shown else board_id)
                if self._loop is not None:
                    poller.start()

    @property
    def _opened(self) -> int | None:
        board_id = None if self._shown is None else self._core.queue.current_id(self._shown)
        return None if board_id is None or board_id < 0 else board_id

    def set_visible(self, *, is_visible: bool) -> None:
        """Pause polling while nothing is visible; poll immediately when visible again.

        What is opened meanwhile is read once all the same: a terminal, or a page of a browser, may
        be opened in the background.
        """
        for poller in self._beside.values():
            poller.set_visible(is_visible=is_visible)
        was_seen, self._is_seen = self._is_seen, is_visible
        if is_visible and not was_seen:
            self._poll_now()
        elif not is_visible:
            self._wake.set()

    def poll_soon(self) -> None:
        """Poll all boards now rather than after the pause, as the cached state may be old."""
        for poller in self._beside.values():
            poller.poll_soon()
        self._poll_now()

    def _poll_now(self) -> None:
        self._is_pressing = True
        self._wake.set()

    async def take_over(self) -> None:
        """The program that sent has ended, and may have been polling: poll in its place."""
        # If it was killed its claims are still there, and would hold up every other program.
        await self._turns.release_all()
        self.poll_soon()

    async def cache_was_damaged(self) -> None:
        """Set it aside, unless another program has done so, and reopen."""
        path = self._core.cache_path
        await self._core.disk.run(_set_damaged_aside, path, self._clock.now())
        await self.cache_was_replaced()

    async def cache_was_replaced(self) -> None:
        """Reopen the cache file, which may be a new one, and fetch everything in full."""
        logger.warning("The cache was replaced while in use; it will be rebuilt.")
        core, now = self._core, self._clock.now()
        await core.disk.run(core.cache.switch_to, core.cache_path, now)
        core.loop_cache.switch_to(core.cache_path, now)
        self.cache_identity = identity(core.cache_path)
        # The new file may be empty: what was fetched into the old one does not count.
        core.freshness.forget()
        self._boards_at = None
        self.poll_soon()
        self._delivery.nudge_all()

    async def read_other_programs(self) -> None:
        """Merge what other programs wrote to the cache."""
        await self._updates.catch_up_boards()
        for poller in (self, *self._beside.values()):
            if poller._opened is not None:  # noqa: SLF001  one of its own kind
                await self._read_other_poll(poller._opened)  # noqa: SLF001  as above
        revisions = self._core.cache.revisions
        self._read_to, board_ids = await self._core.disk.run(
            revisions.boards_written_after, self._read_to
        )
        # Another program also writes when it asked, and nothing had changed.
        if board_ids is None or board_ids:
            self._core.listeners.notify(CacheWritten(board_ids))

    def note_activity(self) -> None:
        """The user is active: poll at the shortest pause again."""
        self._active_at = self._clock.elapsed()

    async def refresh(self, board_id: int | None, *, only_changes: bool = False) -> None:
        """Poll a board or the list of boards now; problems are reported by the status.

        Cancels a request that hangs, unless `only_changes` are wanted. Raises `CallboardError` if
        there is no connection and none can be made.
        """
        if not only_changes:
            self._delivery.sender.stop_waiting()
        await self._connection.reconnect_if_failed()
        if self._connection.remote is None:
            self._wake.set()
            return
        self.note_activity()
        try:
            # A board that is not open here is asked for once: who has it open goes on waiting.
            if board_id is None or board_id == self._opened:
                await self._turns.take(board_id or BOARD_LIST, 0.0)
            if board_id is None:
                await self._poll_boards()
            else:
                update = self._reloading.sync_board if only_changes else self._reloading.reload
                if await update(board_id):
                    self.note_activity()
                await self._turns.answered(board_id)
        except (ApiError, sqlite3.Error) as error:
            await self._fail(board_id, error)
        else:
            self._failures = 0
            self._delivery.nudge_all()

    async def _poll(self) -> None:
        has_changed: bool | None = None
        while True:
            # Cleared before the poll: a wake-up during the poll ends the pause after it.
            self._wake.clear()
            if not self._is_seen and not self._is_pressing:
                await self._wake.wait()
                continue
            started, opened, has_turn = self._clock.elapsed(), self._opened, False
            # Likewise, what presses from now on needs a poll of its own.
            is_pressing, self._is_pressing = self._is_pressing, False
            try:
                if self._connection.remote is not None:
                    is_unchanged = has_changed is False and not is_pressing
                    has_turn = await self._poll_board(
                        opened, is_pressing=is_pressing, is_unchanged=is_unchanged
                    )
            except (ApiError, sqlite3.Error) as error:
                await self._fail(opened, error)
            else:
                if self._failures:
                    self._delivery.nudge_all()
                self._failures = 0
            self._last_work = self._clock.elapsed() - started
            waits = has_turn and self._is_seen
            has_changed = await self._wait_for_change(self._opened) if waits else None
            if has_changed is None:
                await sleep_or(self._wake, await self._rest(), self._clock)

    async def _rest(self) -> float:
        pause, opened, freshness = self._pause(), self._opened, self._core.freshness
        if self._failures or opened is None or opened not in freshness.behind:
            return pause
        # What only a full fetch can show is not left until the next poll.
        with suppress(sqlite3.Error):
            age = await freshness.known(opened, is_cached=True)
            return min(pause, max(age.seconds_to_reload, _AT_ONCE))
        return pause

    async def _wait_for_change(self, opened: int | None) -> bool | None:
        if opened is None or self._failures or self._is_pressing:
            return None
        try:
            has_changed = await self._awaited_change(opened)
            if self._wake.is_set():  # another program may wait in its place
                await self._turns.release()
        except NotOffered:
            return None
        except (ApiError, sqlite3.Error) as error:
            await self._fail(opened, error)
            return None
        return has_changed

    async def _awaited_change(self, board_id: int) -> bool | None:
        # Returns None if the service does not wait. Every change ends a wait, so after one the poll
        # is delayed a little: changes in quick succession are fetched together, and the user's own,
        # which also end a wait, are merged from their replies already.
        freshness = await self._core.freshness.known(board_id, is_cached=True)
        remote = self._connection.remote
        if remote is None or not self._can_wait or not freshness.since or freshness.is_behind:
            return None
        begun, settled = self._clock.elapsed(), self._status.settled[board_id]
        is_changed = await unless(self._wake, remote.wait_for_change(board_id, freshness.since))
        now = self._clock.elapsed()
        if is_changed is None:
            return True
        if not is_changed:
            self._fruitless = 0
            return None if now - begun < _TOO_SOON else False
        status = self._status.status(board_id)
        is_own = status.busy or status.pending or self._status.settled[board_id] != settled
        if is_own:
            self._fruitless = 0
            pause = _OWN_PAUSE
        else:
            # The gaps grow while nothing looks different, as a service might tell of changes all
            # the time; and they are as long as it took to merge the last change.
            gap = min(_GAP * 2.0**self._fruitless, _LONGEST_GAP)
            pause = self._changed_at + max(gap, self._last_work) - now
        if pause > 0:
            await sleep_or(self._wake, pause, self._clock)
        self._changed_at = self._clock.elapsed()
        return True

    @property
    def _can_wait(self) -> bool:
        return self._waits and self._connection.offers(Feature.WAITING_FOR_CHANGES) is True

    async def _poll_board(
        self, opened: int | None, *, is_pressing: bool, is_unchanged: bool
    ) -> bool:
        if not self._is_beside:
            await self._poll_boards_in_turn()
        if opened is None:
            return False
        # A program that waits for a change polls rarely, so its claim has to count for longer.
        within = _LONGEST_WAIT if self._can_wait else self._every * _NEARLY
        if is_pressing:
            within = min(within, _AT_ONCE)
        elif self._status.has_problem(opened):  # the other may have asked before that
            within = min(within, _AGAIN_SECONDS)
        if not await self._turns.take(opened, within):
            is_answered = await self._read_other_poll(opened)
            if is_pressing and not is_answered:  # the program that polled may have been killed
                self._is_pressing = True
            return False
        is_different = await self._reloading.sync_board(opened, is_unchanged=is_unchanged)
        is_fruitless = not (is_different or is_unchanged)
        self._fruitless = min(self._fruitless + 1, _MOST_FRUITLESS) if is_fruitless else 0
        if is_different:
            self.note_activity()
        await self._turns.answered(opened)
        return True

    async def _poll_boards_in_turn(self) -> None:
        every = _BOARDS_EVERY if self._opened is None else _BOARDS_EVERY_BESIDE_A_BOARD
        if self._boards_at is not None and self._clock.elapsed() - self._boards_at < every:
            return
        if await self._turns.take(BOARD_LIST, every * _NEARLY):
            await self._poll_boards()
        else:
            await self._updates.catch_up_boards()
            self._boards_at = self._clock.elapsed()

    async def _poll_boards(self) -> None:
        await self._reloading.reload_boards()
        self._boards_at = self._clock.elapsed()
        self._status.answered(None)

    async def _read_other_poll(self, board_id: int) -> bool:
        if await self._updates.catch_up(board_id):
            self.note_activity()
            self._updates.boards.redraw(board_id)
        last = await self._turns.last(board_id)
        problem = ConnectionProblem(last.problem, is_reached=last.is_reached)
        if self._status.merge_other_poll(board_id, last.answered_at, problem):
            self._delivery.nudge_all()
        asked_at, answered_at = last.asked_at, last.answered_at
        return asked_at is None or (answered_at is not None and answered_at >= asked_at)

    def _stopped(self) -> None:
        if self._opened is not None:
            self._status.failed(self._opened, _MISTAKE)

    async def _fail(self, board_id: int | None, error: ApiError | sqlite3.Error) -> None:
        logger.info("Asking for board %s failed: %s", board_id, error)
        if is_damage(error):
            await self.cache_was_damaged()
        if board_id is not None:
            with suppress(sqlite3.Error):  # the others will see it themselves
                problem = ConnectionProblem.of(error)
                await self._turns.failed(board_id, problem.problem, is_reached=problem.is_reached)
        self._failures += 1
        self._is_cut_off = not isinstance(error, REFUSALS)
        if self._is_cut_off:
            self._boards_at = None  # so that the next response ends it for every board
        asked_for = error.retry_after if isinstance(error, ApiError) else None
        self._asked_to_wait = min(asked_for or 0.0, _LONGEST_REST)
        self._status.failed_by(board_id, error)

    def _pause(self) -> float:
        if self._is_pressing:
            return _AT_ONCE
        is_quiet = self._clock.elapsed() - self._active_at >= _QUIET_AFTER
        has_problem = self._opened is not None and self._status.has_problem(self._opened)
        is_away = self._is_cut_off if self._failures else has_problem
        if is_away and not is_quiet:  # it may be repaired at any moment
            return max(min(_AGAIN_SECONDS, self._every), self._asked_to_wait)
        if self._failures:
            longest = max(_SLOW_SECONDS, self._every)
            return min(longest, self._every * 2.0 ** min(self._failures - 1, 10))
        pause = max(_SLOW_SECONDS, self._every) if is_quiet else self._every
        # A slow service is polled less often. The limit is for a machine that slept during a poll,
        # which then seems to have taken hours.
        pause = max(pause, min(_LONGEST_REST, _REST_PER_WORK * self._last_work))
        return min(pause, BRIEF_PAUSE) if self._reloading.has_brief_history(self._opened) else pause


def _set_damaged_aside(path: Path, now: datetime) -> None:
    # Another program may have replaced it already, and its new file is whole.
    if path.exists() and not is_whole(path):
        set_cache_aside(path, now)
