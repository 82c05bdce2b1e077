"""`callboard watch`: what is new on boards, line by line, until it is interrupted."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from tui.cli.output import say, say_beside
from tui.cli.scripts.opened import Opened, active_boards
from tui.cli.terminal import is_hung_up
from tui.errors import CallboardError, WrongInput
from tui.model.board import Board, BoardView
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.task import Task
from tui.model.work.news import Reason, detail_of, is_of
from tui.notifications.notifier import Notifier, Terminal
from tui.notifications.reader import Batch, Change, NewsReader
from tui.store.clock import end_all
from tui.store.events import StatusChanged, StoreEvent
from tui.text.clean import line
from tui.text.dates import stamp, wall_clock

_LOOK_EVERY = 1.0
_NAMES_CARD = (ChangeKind.NEW, ChangeKind.GONE, ChangeKind.RENAMED)
_SAID_BY = {
    Reason.MENTIONED: ChangeKind.COMMENTED,
    Reason.REPLIED: ChangeKind.COMMENTED,
    Reason.ASSIGNED: ChangeKind.PEOPLE,
}
"""The changes that are already covered by what is announced to the user."""


class WatchOptions(NamedTuple):
    """Which updates are printed."""

    boards: Sequence[str] = ()
    only_mine: bool = False
    only_others: bool = False
    from_now: bool = False
    notifies: bool = False


class WatchEntry(NamedTuple):
    """Something new, as it is printed; without `at` it was unseen at the start."""

    at: datetime | None
    board: Board
    task: Task
    event: str
    text: str
    by: str = ""
    is_own: bool = False
    is_for_you: bool = False

    @property
    def in_words(self) -> str:
        when = "unseen" if self.at is None else f"{self.at:%H:%M}"
        return f"{when} {line(self.board.title)}: {self.text}"

    @property
    def document(self) -> dict[str, Any]:
        return {
            "at": None if self.at is None else stamp(self.at),
            "event": self.event,
            "card": self.task.id,
            "title": self.task.title,
            "board": {"id": self.board.id, "title": self.board.title},
            "by": self.by,
            "is_own": self.is_own,
            "is_for_you": self.is_for_you,
            "text": self.text,
        }


class Watcher:
    """What is to be printed, in order; an error, or None, ends it."""

    def __init__(
        self, opened: Opened, wanted: WatchOptions, board_ids: Callable[[], Sequence[int]]
    ) -> None:
        self._opened = opened
        self._store = opened.store
        self._wanted = wanted
        self._board_ids = board_ids
        self._is_cut_off = bool(opened.problems)
        self.queue: asyncio.Queue[WatchEntry | CallboardError | None] = asyncio.Queue()

    def add(self, batch: Batch) -> None:
        """Add what is new on a board, as far as it is wanted."""
        now = wall_clock()
        for item in batch.news:
            by, event = item.who, item.reason.value
            self.queue.put_nowait(
                WatchEntry(now, batch.view.board, item.task, event, item.words, by, is_for_you=True)
            )
        announced = {(item.task.id, _SAID_BY.get(item.reason)) for item in batch.news}
        for change in batch.changes:
            if self._is_wanted(change):
                for entry in _entries(change, batch.view, now):
                    if (entry.task.id, ChangeKind(entry.event)) not in announced:
                        self.queue.put_nowait(entry)

    def add_unseen(self, view: BoardView) -> None:
        """Add the cards that others changed and the user has not seen."""
        marks = self._store.changed_by_others(view.board.id)
        for task in view.among(marks):
            if not self._wanted.only_mine or is_of(task, self._store.me):
                mark = marks[task.id]
                text = _sentence(mark, task)
                self.queue.put_nowait(
                    WatchEntry(None, view.board, task, mark.kind.value, text, mark.who)
                )

    def hear(self, event: StoreEvent) -> None:
        """Say once that the connection is lost, and that it is back."""
        if not isinstance(event, StatusChanged):
            return
        statuses = [self._store.status(board_id) for board_id in self._board_ids()]
        status = next((board_status for board_status in statuses if board_status.problem), None)
        if not self._opened.workspace.store.is_connected and status is not None:
            self.queue.put_nowait(CallboardError(status.problem, hint=status.remedy))
        elif status is not None and not self._is_cut_off:
            self._is_cut_off = True
            say_beside(f"callboard: {status.problem} Retrying.")
        elif status is None and self._is_cut_off:
            self._is_cut_off = False
            say_beside("callboard: connected again.")

    def _is_wanted(self, change: Change) -> bool:
        if self._wanted.only_others and change.is_own:
            return False
        tasks = filter(None, (change.difference.task, change.difference.previous))
        return not self._wanted.only_mine or any(is_of(task, self._store.me) for task in tasks)


async def watch(opened: Opened, wanted: WatchOptions) -> int:
    """Print what is new on boards, first what was unseen, until the output is closed."""
    settings = opened.settings
    if wanted.notifies and settings.notify == "off":
        raise WrongInput(
            "notifications are off.", hint='Set notify in the settings, such as notify = "auto".'
        )
    await opened.connect()
    if opened.is_rejected:
        opened.say_problem(())
        return 1
    boards = opened.named(wanted.boards)
    views = await opened.views(boards)
    opened.say_problem(boards)

    def board_ids() -> list[int]:
        watched = boards if wanted.boards else active_boards(opened.store)
        last = opened.workspace.store.last_board_id
        ids = [board.id for board in watched if board.id > 0]
        return sorted(ids, key=lambda board_id: board_id != last)

    watcher = Watcher(opened, wanted, board_ids)
    notifier = Notifier(
        opened.store, lambda: settings, opened.preferences, Terminal(_ring, _complain, os.environ)
    )

    def tell(batch: Batch) -> None:
        watcher.add(batch)
        if wanted.notifies:
            notifier.add(batch.news)

    if not wanted.from_now:
        for view in views:
            watcher.add_unseen(view)
    reader = NewsReader(opened.store, board_ids, tell, wall_clock, known=views)
    end = opened.store.subscribe(watcher.hear)
    work = [
        asyncio.create_task(coroutine)
        for coroutine in (reader.run(), notifier.run(), _end_if_closed())
    ]
    loop = asyncio.get_running_loop()
    # Queued like an entry, so that entries before it are still printed.
    loop.add_signal_handler(signal.SIGTERM, watcher.queue.put_nowait, None)
    try:
        printing = asyncio.create_task(_print(opened, watcher))
        work.append(printing)
        done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            # Raises what ended it, such as a rejected password or a closed output.
            task.result()
    finally:
        end()
        await end_all(work)
    return 0


async def _print(opened: Opened, watcher: Watcher) -> None:
    while (entry := await watcher.queue.get()) is not None:
        if isinstance(entry, CallboardError):
            raise entry
        if opened.how.as_json:
            sys.stdout.write(f"{json.dumps(entry.document)}\n")
            sys.stdout.flush()
        else:
            say(entry.in_words)


def _entries(change: Change, view: BoardView, now: datetime) -> Iterator[WatchEntry]:
    difference, who = change.difference, "You" if change.is_own else change.who
    for kind in difference.kinds:
        detail = detail_of(difference, kind, view)
        text = _sentence(RemoteChange(difference.task.id, kind, detail, who), difference.task)
        yield WatchEntry(
            now, view.board, difference.task, kind.value, text, change.who, is_own=change.is_own
        )


def _sentence(change: RemoteChange, task: Task) -> str:
    return change.words if change.kind in _NAMES_CARD else f"{change.words} · {task.title}"


async def _end_if_closed() -> None:
    # Otherwise a closed output would be noticed only by the next line that is printed.
    while True:
        await asyncio.sleep(_LOOK_EVERY)
        if is_hung_up(sys.stdout.fileno()):
            raise BrokenPipeError


def _ring(sequence: str) -> None:
    # On the terminal even if the output is a pipe; without one nobody hears it.
    with suppress(OSError), Path("/dev/tty").open("wb", buffering=0) as terminal:
        terminal.write(sequence.encode())


def _complain(message: str) -> None:
    say_beside(f"callboard: {message}")
