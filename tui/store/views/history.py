"""The history of boards: what is cached of it, with pending changes, and reading activity logs."""

import asyncio
import json
import logging
import sqlite3
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import ParamSpec, TypeVar

from tui.client.capabilities import Feature
from tui.client.documents import DocumentPage
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.model.events.activity import Activity
from tui.model.events.history import (
    BEGINNING,
    CLOCKS_DIFFER_BY,
    BoardHistory,
    Event,
    EventKind,
    Sighting,
    essence,
    logged_events,
    merged,
    with_titles,
)
from tui.model.people import Account
from tui.model.task import Person, Status, Task
from tui.store import operations as change
from tui.store.cache.history import LogPage, Observed, Reach
from tui.store.cache.revisions import ListRequest
from tui.store.core import Core
from tui.store.documents.assemble import Assembler, instant
from tui.store.documents.assemble_detail import DetailAssembler
from tui.store.files.database import disk_hint, disk_reason
from tui.store.outbox.entry import OutboxEntry
from tui.store.reading import read_archived
from tui.store.views.boards import BoardViews
from tui.text.clean import line

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

_LEAVES = (EventKind.MOVED, EventKind.REMOVED)
_ENTERS = (EventKind.MOVED, EventKind.CREATED, EventKind.RESTORED)
_MOST_PAGES = 20
"""More pages of a log than this are not read in one go."""
_MOST_CARDS = 50
_MOST_OWN = 500


@dataclass(slots=True, repr=False, eq=False)
class _Log:
    """The activities of a board by id, and the events in them."""

    activities: dict[int, Activity] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def update(self, ids: AbstractSet[int], new: Iterable[Activity], board_id: int) -> None:
        """Add new activities and drop those without one of the ids."""
        added = {activity.id: activity for activity in new}
        gone = self.activities.keys() - ids
        if added or gone:
            remaining = {
                key: activity for key, activity in self.activities.items() if key not in gone
            }
            self.activities = remaining | added
            self.events = logged_events(board_id, self.activities.values())


class Histories:
    """Histories of boards; each activity is converted once."""

    def __init__(self, core: Core, boards: BoardViews) -> None:
        self._cache = core.cache
        self._disk = core.disk
        self._clock = core.clock
        self._connection = core.connection
        self._queue = core.queue
        self._boards = boards
        self._assembler = DetailAssembler(Assembler())
        self._logs: defaultdict[tuple[int, int], _Log] = defaultdict(_Log)
        self._one_at_a_time: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._own: deque[Event] = deque(maxlen=_MOST_OWN)

    async def of(self, board_id: int, me: Account, task_id: int | None) -> BoardHistory:
        """What is known of a board's history; with `seen_since` of all its cards, or of one."""
        view = self._boards.view(board_id)
        try:
            history = await self._disk.run(self._stored, board_id, view, task_id)
        except sqlite3.Error as error:  # a damaged cache is replaced by the next check
            logger.warning("The history of a board cannot be read: %s", error)
            return BoardHistory(board_id)
        entries = [entry for entry in self._queue.of(board_id) if entry.is_drawn]
        truth = self._boards.truth(board_id)
        if truth is None:
            return history
        by = me.among(truth.view.people)
        own_events = [
            replace(event, task_id=self._queue.current_id(event.task_id)) for event in self._own
        ]
        history = replace(history, events=tuple(_with_author(history.events, own_events, by)))
        if not entries:
            return history
        pending = list(_pending(truth.view, entries, by))
        moved = {event.task_id for event in pending if event.kind is EventKind.MOVED}
        seen = {task_id: at for task_id, at in history.seen_since.items() if task_id not in moved}
        events = sorted((*history.events, *pending), key=lambda event: event.at)
        return replace(history, events=tuple(events), seen_since=MappingProxyType(seen))

    def note_own(self, entry: OutboxEntry) -> None:
        """Remember an accepted change of the user, so that its observation gets an author."""
        truth, now = self._boards.truth(entry.board_id), self._clock.now()
        if truth is not None:
            self._own.extend(
                replace(event, at=now) for event in _pending(truth.view, [entry], None)
            )

    def _stored(self, board_id: int, view: BoardView | None, task_id: int | None) -> BoardHistory:
        # Runs on the disk thread, whose jobs come one at a time: nobody else changes the logs.
        log = self._logs[self._cache.number, board_id]
        table = self._cache.history
        bodies = table.activities(board_id, log.activities.keys())
        documents = [json.loads(body) for body in bodies.values() if body]
        log.update(bodies.keys(), self._assembler.activities(documents), board_id)
        ids = {event.task_id for event in log.events}
        tasks = view.among(ids) if view is not None else ()
        log.events = list(with_titles(log.events, {task.id: task.title for task in tasks}))
        read_at, reach = table.read_at(board_id), table.reach(board_id)
        back_to = reach.since if reach.down_to is not None else BEGINNING
        sightings = [_sighting(board_id, row) for row in table.observed(board_id)]
        seen = table.seen_since(board_id, task_id)
        return BoardHistory(
            board_id,
            tuple(merged(log.events, sightings)),
            None if read_at is None else back_to,
            read_at,
            table.records_moves(),
            MappingProxyType({id_: at for id_, text in seen if (at := instant(text))}),
        )

    async def read(self, board_id: int, since: datetime) -> None:
        """Read the log of a board back to `since`; what was read before is not read again."""
        remote = await self._connection.required()
        # Only our own service offers this, and it records moves.
        is_ours = remote.offers(Feature.WAITING_FOR_CHANGES) is True
        async with self._one_at_a_time[board_id]:
            number, size, follows, asked_at = 1, 1, None, self._clock.now()
            for _ in range(_MOST_PAGES):
                reply = await remote.activity_page(board_id, number)
                page = LogPage(
                    reply.documents,
                    asked_at if number == 1 else None,  # only the first page has what is newest
                    follows,
                    reply.total,
                    reply.is_last or not reply.documents,
                    records_moves=is_ours,
                )
                reach = await self._write(self._cache.put_log_page, board_id, page)
                if page.is_end or reach.is_back_to(since):
                    return
                size = max(size, len(reply.documents))
                follows, number = _next_page(reply, reach, number, size)

    async def read_archived(self, board_id: int, since: datetime) -> None:
        """Read the cards closed and archived since then that are not cached: no list has them."""
        remote = await self._connection.required()
        request, missing = await self._disk.run(self._missing_cards, board_id, since)
        documents = await read_archived(remote, board_id, missing)
        await self._write(self._cache.put_tasks, documents, request)

    def _missing_cards(self, board_id: int, since: datetime) -> tuple[ListRequest, list[int]]:
        recent = self._stored(board_id, None, None).since(since)
        gone = {event.task_id for event in recent if event.kind is EventKind.REMOVED}
        closed = [event.task_id for event in recent if event.kind is EventKind.CLOSED]
        wanted = [task_id for task_id in dict.fromkeys(reversed(closed)) if task_id in gone]
        missing = [task_id for task_id in wanted if self._cache.task(task_id) is None]
        return ListRequest(board_id, self._cache.revision()), missing[:_MOST_CARDS]

    async def _write(self, write: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        try:
            return await self._disk.run(write, *args, **named)
        except sqlite3.Error as error:
            raise CallboardError(
                f"The board’s activity cannot be cached: {disk_reason(error)}.",
                hint=disk_hint(error),
            ) from error


def _next_page(page: DocumentPage, reach: Reach, number: int, size: int) -> tuple[int | None, int]:
    # Returned with the oldest activity of this page if the next one directly continues it. Pages
    # that are stored already are skipped: the next one is that which should hold the newest gap. If
    # it turns out to lie below the gap, the page above it is read.
    ids = [int(document["id"]) for document in page.documents]
    lowest, gap = min(ids), reach.down_to or 0
    if gap > max(ids):
        return None, number - 1
    target = number + 1 if gap == lowest else max(number + 1, (reach.stored - 1) // size + 1)
    return (lowest if target == number + 1 else None), target


def _sighting(board_id: int, row: Observed) -> Sighting:
    at = instant(row.at) or BEGINNING
    event = Event(
        board_id,
        row.task_id,
        EventKind(row.kind),
        at,
        old=line(row.old),
        new=line(row.new),
        title=line(row.title),
        is_observed=True,
    )
    return Sighting(event, instant(row.after))


def _with_author(
    events: Iterable[Event], own: Iterable[Event], by: Person | None
) -> Iterator[Event]:
    noted: defaultdict[tuple[object, ...], list[Event]] = defaultdict(list)
    for event in own:
        noted[essence(event)].append(event)
    for event in events:
        same = noted.get(essence(event), []) if event.is_observed else []
        own_event = next(
            (candidate for candidate in same if abs(event.at - candidate.at) <= CLOCKS_DIFFER_BY),
            None,
        )
        if own_event is None:
            yield event
        else:
            # Each own change explains one observation: a second equal one is somebody else's.
            same.remove(own_event)
            yield replace(event, by=by, new=own_event.new)


def _pending(
    truth: BoardView, entries: Iterable[OutboxEntry], by: Person | None
) -> Iterator[Event]:
    board = truth
    for entry in entries:
        operation = entry.operation
        task_id = operation.task_id
        previous = board.task(task_id) if task_id is not None else None
        board = operation.apply(board)
        current = board.task(task_id) if task_id is not None else None
        text = line(operation.text) if isinstance(operation, change.CreateComment) else ""
        for kind in _changes(previous, current):
            task = current or previous
            if task is not None:
                yield Event(
                    truth.board.id,
                    task.id,
                    kind,
                    entry.since,
                    by,
                    _stage_title(truth, previous) if kind in _LEAVES else "",
                    _stage_title(truth, current) if kind in _ENTERS else text,
                    task.title,
                )


def _changes(previous: Task | None, current: Task | None) -> Iterator[EventKind]:
    if previous is None or current is None:
        if previous is not None:
            yield EventKind.REMOVED
        if current is not None:
            yield EventKind.CREATED if current.id < 0 else EventKind.RESTORED
        return
    if previous.stage_id != current.stage_id:
        yield EventKind.MOVED
    if previous.status is not current.status:
        is_closed = current.status is Status.CLOSED
        yield EventKind.CLOSED if is_closed else EventKind.REOPENED
    if previous.comments_count < current.comments_count:
        yield EventKind.COMMENTED


def _stage_title(view: BoardView, task: Task | None) -> str:
    stage = view.stage(task.stage_id) if task is not None else None
    return "" if stage is None else stage.title
