"""The store: cached boards, optimistic changes, and their synchronisation with the service.

It works from the cache alone; the service is connected later. No change is drawn before it is on
disk. Callers may go on using a local id after the service has assigned its own.
"""

import re
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Self, TypeVar

from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.model.comment import Thread
from tui.model.events.history import BoardHistory
from tui.model.lane import Tally
from tui.model.people import Account
from tui.model.picture_names import KeptPicture
from tui.model.relations import Relations
from tui.store.clock import Clock, SystemClock
from tui.store.connection import Reconnect
from tui.store.core import LAST_BOARD, WATCH_SECONDS, Core
from tui.store.events import (
    PendingChange,
    PendingState,
    Reversal,
    StatusChanged,
    Undone,
)
from tui.store.files.lease import process_state
from tui.store.operations.base import Operation
from tui.store.pictures import Uploads
from tui.store.protocol import Pause
from tui.store.remote import Remote
from tui.store.sharing import Sharing
from tui.store.wiring import Parts

if TYPE_CHECKING:
    from tui.model.work.agent_log import AgentChange

_DRAFTS_KEPT = timedelta(days=7)
Method = TypeVar("Method")
_PROFILE = r"[\w@-][\w@.-]*"


def _of(method: Callable[[Parts], Method]) -> cached_property[Method]:
    # A method of a part that is created when it is needed.
    return cached_property(lambda store: method(store._parts))  # noqa: SLF001  it is the store's


class LocalStore:
    """`tui.store.protocol.Store` on a cache and an outbox on disk.

    Methods that one part implements alone are attributes taken from that part. `messages` are
    notices about the opening for the user, such as that a damaged file was set aside.
    """

    follow = _of(lambda parts: parts.poller.follow)
    find_cards = _of(lambda parts: parts.card_search.find)
    count_cards = _of(lambda parts: parts.card_search.count)
    archived_tasks = _of(lambda parts: parts.lookup.archived_tasks)
    tasks_of_archived_stage = _of(lambda parts: parts.lookup.tasks_of_archived_stage)
    everything = _of(lambda parts: parts.lookup.everything)
    retry = _of(lambda parts: parts.changes.retry)
    discard = _of(lambda parts: parts.changes.discard)
    resolve = _of(lambda parts: parts.changes.resolve)
    board_of_last = _of(lambda parts: parts.changes.board_of_last)
    picture = _of(lambda parts: parts.pictures.content)

    def __init__(self, core: Core, poll_seconds: float) -> None:
        self._core = core
        self._parts = parts = Parts(core, poll_seconds)
        self._sharing = Sharing(core, parts)
        self.current_id = core.queue.current_id
        self.is_read_only = core.is_read_only
        self.status = core.status_tracker.status
        self.offers = core.connection.offers
        self.service = core.connection.required
        self.cannot_connect = core.connection.failed
        self.subscribe = core.listeners.subscribe
        self.suspend = core.lease.give_up
        self.boards = parts.boards.all
        self.changed_by_others = parts.unseen.of
        self.mark_seen = parts.unseen.clear
        self.detail = parts.details.detail
        self.close_task = parts.details.close_task
        self.refresh_task = parts.details.refresh
        self.older_comments = parts.details.older_comments
        self.older_activities = parts.details.older_activities
        self._uploads = Uploads(core.data_dir / "uploads")
        with suppress(sqlite3.Error):  # unused pictures may stay until the next start
            self._uploads.sweep(core.outbox.mentions, stored_before=core.clock.now() - _DRAFTS_KEPT)
        earlier = tuple(loss for loss in core.queue.losses if not loss.startswith(core.messages))
        self.messages = core.messages + earlier + _unreadable(core.queue.unreadable)
        self._last_board_id = core.last_board_id
        if self._last_board_id is not None:
            self._remember_freshness(self._last_board_id)

    @classmethod
    def open(
        cls,
        cache_dir: Path,
        data_dir: Path,
        profile: str,
        *,
        clock: Clock | None = None,
        jitter: Callable[[], float] | None = None,
        poll_seconds: float = 10.0,
        watch_seconds: float | None = WATCH_SECONDS,
        state_of: Callable[[int], str] = process_state,
        is_read_only: bool = False,
        origin: str = "",
    ) -> Self:
        """Open the files of a profile in `cache_dir/profile` and `data_dir/profile`.

        `poll_seconds` is the shortest pause between polls of the open board; `watch_seconds` how
        often the files are checked for changes by other programs, None if there are no other
        programs, and `state_of` looks at their processes. With `is_read_only` nothing can be
        changed, and nothing is sent. `origin` is noted with all changes: what makes them in place
        of the user.

        Raises `CallboardError` if the files cannot be used; they are left unchanged.
        """
        if not re.fullmatch(_PROFILE, profile):
            raise CallboardError(
                f"“{profile}” cannot be the name of a profile.",
                hint="Use letters, digits, dots and dashes.",
            )
        core = Core(
            data_dir / profile,
            cache_dir / profile,
            clock or SystemClock(),
            jitter or SystemRandom().random,
            watch_seconds=watch_seconds,
            state_of=state_of,
            is_read_only=is_read_only,
            origin=origin,
        )
        return cls(core, poll_seconds)

    async def aclose(self) -> None:
        """Stop, and close the files. Pending changes stay in the outbox."""
        # First what may still write, then the files, and last the lease: the next holder must read
        # final data.
        await self._sharing.aclose()
        await self._parts.poller.aclose()
        await self._parts.details.aclose()
        await self._parts.delivery.aclose()
        await self._parts.remote_changes.keep_own()
        self._core.disk.close()
        for file in (self._core.loop_cache, self._core.cache, self._core.outbox):
            file.close()
        self._core.lease.release()

    @property
    def is_connected(self) -> bool:
        """Whether there is a remote, even if it does not respond at the moment."""
        return self._core.connection.remote is not None

    def connect(self, remote: Remote, *, reconnect: Reconnect | None = None) -> None:
        """Start sending and polling with this remote.

        If it rejects the password, no requests are made until the user refreshes; then `reconnect`
        is called.
        """
        self._core.connection.connect(remote, reconnect)
        self._sharing.start()
        self._parts.poller.start()
        self._parts.details.connected()
        self._parts.delivery.wake_all()

    async def refresh(self, board_id: int | None = None, *, only_changes: bool = False) -> None:
        current = None if board_id is None else self.current_id(board_id)
        await self._parts.poller.refresh(current, only_changes=only_changes)

    def set_visible(self, *, is_visible: bool) -> None:
        self._parts.poller.set_visible(is_visible=is_visible)
        self._sharing.set_visible(is_visible=is_visible)

    @property
    def me(self) -> Account:
        return self._core.me

    def set_account(self, account: Account) -> None:
        """Set the user's account, whose changes from elsewhere are not remote changes."""
        if account == self.me:
            return
        self._core.me = account
        self._parts.details.notify_all()
        self._core.listeners.notify(StatusChanged(None))

    def board(self, board_id: int) -> BoardView | None:
        return self._parts.boards.view(self.current_id(board_id))

    async def load_board(self, board_id: int) -> BoardView | None:
        self._remember_freshness(self.current_id(board_id))
        return await self._parts.updates.load(self.current_id(board_id))

    def relations(self) -> Relations:
        return self._parts.relations.current()

    async def tally(self, board_id: int) -> Tally | None:
        return await self._parts.lookup.tally(self.current_id(board_id))

    async def history(self, board_id: int, task_id: int | None = None) -> BoardHistory:
        return await self._parts.histories.of(self.current_id(board_id), self.me, task_id)

    async def comments(self, board_id: int) -> Mapping[int, Thread]:
        return await self._parts.lookup.comments(self.current_id(board_id))

    async def read_history(self, board_id: int, since: datetime) -> None:
        await self._parts.histories.read(self.current_id(board_id), since)

    async def read_archived(self, board_id: int, since: datetime) -> None:
        await self._parts.histories.read_archived(self.current_id(board_id), since)

    @property
    def last_board_id(self) -> int | None:
        """The board that was open last."""
        return None if self._last_board_id is None else self.current_id(self._last_board_id)

    async def open_board(self, board_id: int, *, after: Pause | None = None) -> None:
        board_id = self.current_id(board_id)
        self._sharing.start()
        self._remember_freshness(board_id)
        if after is None:
            await self._parts.updates.load(board_id)
        self._parts.poller.open(board_id)
        # On disk already now, so that the board is opened again if the program is killed.
        self._last_board_id = board_id
        with suppress(sqlite3.Error):  # not worth an error
            await self._core.disk.run(self._core.outbox.set_setting, LAST_BOARD, str(board_id))
        if after is not None:
            await after()
            # The service may have assigned the board's id in the meantime.
            await self._parts.updates.load(self.current_id(board_id))

    async def close_board(self) -> None:
        self._parts.poller.open(None)

    async def open_task(self, board_id: int, task_id: int) -> None:
        await self._parts.details.open_task(self.current_id(board_id), task_id)

    async def description_source(self, task_id: int) -> str:
        return await self._parts.details.description_source(self.current_id(task_id))

    async def comment_source(self, task_id: int, comment_id: int) -> str:
        ids = self.current_id(task_id), self.current_id(comment_id)
        return await self._parts.details.comment_source(*ids)

    def unread_comments(self, task_id: int) -> frozenset[int]:
        detail = self.detail(task_id)
        return frozenset() if detail is None else self._parts.unread.of(detail, self.me)

    async def mark_comments_read(self, task_id: int) -> None:
        detail = self.detail(task_id)
        if detail is not None and await self._parts.unread.mark_read(detail, self.me):
            self._parts.details.notify_again(detail.task.id)

    async def keep_picture(self, path: Path) -> KeptPicture:
        return await self._core.disk.run(self._uploads.keep_file, path)

    async def submit(self, *operations: Operation) -> None:
        self._parts.poller.note_activity()
        await self._parts.changes.submit(operations)

    async def undo(self, board_id: int, *, force: bool = False) -> Undone | None:
        return await self._parts.changes.travel("undo", self.current_id(board_id), force=force)

    async def redo(self, board_id: int, *, force: bool = False) -> Undone | None:
        return await self._parts.changes.travel("redo", self.current_id(board_id), force=force)

    async def agent_changes(self, since: datetime) -> Sequence["AgentChange"]:
        return await self._parts.agent_history.changes(since)

    async def agent_reversal(
        self, agent: str, since: datetime, board_ids: Collection[int], by_others: Mapping[int, str]
    ) -> Reversal:
        return await self._parts.agent_history.reversal(agent, since, board_ids, by_others)

    async def submit_reversal(self, agent: str, reversal: Reversal) -> None:
        self._parts.poller.note_activity()
        await self._parts.changes.submit(reversal.operations, reverses=agent)

    def act_as(self, origin: str) -> None:
        self._core.outbox.origin = origin

    def pending(self, board_id: int | None = None) -> tuple[PendingChange, ...]:
        queue = self._core.queue
        entries = queue.all() if board_id is None else queue.of(self.current_id(board_id))
        changes = []
        for entry in entries:
            first = queue.waits_for(entry) if entry.is_to_be_sent and not entry.reason else None
            changes.append(
                entry.pending_change()._replace(
                    reason=entry.reason or queue.sender_of(entry),
                    after="" if first is None else first.operation.describe(),
                    is_after_unsure=first is not None and first.state is PendingState.UNSURE,
                )
            )
        return tuple(changes)

    def losses(self) -> tuple[str, ...]:
        return self._core.queue.losses

    async def acknowledge_losses(self) -> None:
        await self._core.queue.acknowledge_losses()
        self._core.listeners.notify(StatusChanged(None))

    def count_dependants(self, pending_id: int) -> int:
        entry = self._core.queue.get(pending_id)
        return 0 if entry is None else len(self._core.queue.dependants(entry))

    def merge_draft(self, pending_id: int) -> str | None:
        entry = self._core.queue.get(pending_id)
        if entry is None or entry.baseline is None or entry.baseline.document is None:
            return None
        return entry.operation.draft(entry.baseline.document)

    def has_local_id(self, local_id: int) -> bool:
        """Whether something with this local id is pending, or has been created."""
        return local_id in self._core.outbox.renames or self._core.outbox.mentions(str(local_id))

    def _remember_freshness(self, board_id: int) -> None:
        with suppress(sqlite3.Error):  # not worth an error
            checked_at = self._core.freshness.checked_at(board_id)
            if checked_at is not None:
                self._core.status_tracker.checked_at.setdefault(board_id, checked_at)


def _unreadable(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    changes = "One change that was not sent yet" if count == 1 else f"{count} unsent changes"
    message = (
        f"{changes} cannot be read, being damaged or of a newer version. "
        "Nothing was removed; what is on the boards may lack it."
    )
    return (message,)
