"""Finds what belongs in the inbox in what the store knows already, and keeps the inbox meanwhile.

Nothing is asked of the service: boards are read as they are cached, after events of the store.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import reduce

from tui.config.inbox_file import InboxFile
from tui.model.board import BoardView
from tui.model.comment import Thread, every
from tui.model.events.history import Event, EventKind
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.people import Account
from tui.model.query.language import parse
from tui.model.task import Task
from tui.model.work.inbox import (
    BoardFacts,
    Inbox,
    OpenConflict,
    looked,
    with_conflicts,
    without_old,
)
from tui.model.work.my_work import WrittenComment, written
from tui.store.clock import Clock, SystemClock, sleep_or
from tui.store.events import (
    BoardChanged,
    BoardsChanged,
    CacheWritten,
    ConflictFound,
    DetailChanged,
    PendingState,
    StoreEvent,
    UnseenChanged,
)
from tui.store.protocol import Store

_SETTLE = 3.5
"""Seconds between a change and a look: the mark that says that others made it may come later."""
_LOOK_EVERY = 60.0
"""Seconds between two looks at dates, which pass without an event."""
_MOST_OTHERS = 100
_MINE = "@me is:open"
_TELLING = (
    *(ChangeKind.NEW, ChangeKind.PEOPLE, ChangeKind.LABELS, ChangeKind.DESCRIBED),
    *(ChangeKind.CLOSED, ChangeKind.REOPENED, ChangeKind.GONE),
)
"""The marks that may say who assigned, blocked or unblocked a card, though it was some time ago."""


def active_board_ids(store: Store) -> list[int]:
    """The boards that the inbox is about."""
    return [board.id for board in store.boards() if board.archived_at is None and board.id > 0]


async def read_facts(
    store: Store, board_ids: Sequence[int], now: datetime, with_comments: Collection[int]
) -> list[BoardFacts]:
    """What is known of boards that are cached; comments of some of them alone."""
    found = await store.find_cards(parse(_MINE), board_ids, now, board_ids)
    return [
        await _facts(store, view, now, has_comments=view.board.id in with_comments)
        for view in found.views
        if view.complete
    ]


async def _facts(store: Store, view: BoardView, now: datetime, *, has_comments: bool) -> BoardFacts:
    board_id, cards = view.board.id, _tasks(view)
    comments: dict[int, Sequence[WrittenComment]] = {}
    others: Sequence[Task] = ()
    seen = set[int]()
    if has_comments:
        threads = await store.comments(board_id)
        comments = await _comments_to_me(store, view, threads)
        own_ids = {task.id for task in cards}
        numbers = [number for number in comments if number not in own_ids][:_MOST_OTHERS]
        if numbers:
            query = parse(" ".join(f"#{number}" for number in numbers))
            found = await store.find_cards(query, [board_id], now, [board_id])
            others = [task for of_board in found.views for task in _tasks(of_board)]
        for task_id in comments:
            if store.detail(task_id) is not None:
                ids = {comment.id for comment in every(threads.get(task_id, ()))}
                seen |= ids - store.unread_comments(task_id)
    stages = {stage.id: stage.title for stage in view.stages}
    # A card may be marked for something else, which tells nothing of an assignee or a label.
    marks = store.changed_by_others(board_id)
    changes = {task_id: mark for task_id, mark in marks.items() if mark.kind in _TELLING}
    title = view.board.title
    known = (comments, others, stages, seen, store.relations())
    return BoardFacts(board_id, title, cards, changes, *known)


async def _comments_to_me(
    store: Store, view: BoardView, threads: Mapping[int, Thread]
) -> dict[int, Sequence[WrittenComment]]:
    history = await store.history(view.board.id)
    events: defaultdict[int, list[Event]] = defaultdict(list)
    for event in history.events:
        if event.kind is EventKind.COMMENTED and not event.is_observed:
            events[event.task_id].append(event)
    comments = dict[int, Sequence[WrittenComment]]()
    for task_id in threads.keys() | events.keys():
        on_card = written(threads.get(task_id, ()), events[task_id], store.me, view.people)
        if any(comment.is_to_me for comment in on_card):
            comments[task_id] = on_card
    return comments


def _tasks(view: BoardView) -> list[Task]:
    return [task for stage in view.stages for task in view.in_stage(stage.id)]


def open_conflicts(store: Store) -> list[OpenConflict]:
    """The changes of the user that are in conflict."""
    conflicts = []
    for change in store.pending():
        if change.state is PendingState.CONFLICT:
            operation, view = change.operation, store.board(change.board_id)
            task_id = operation.task_id or 0
            task = view.task(task_id) if view is not None else None
            title = task.title if task is not None else ""
            conflicts.append(
                OpenConflict(
                    change.id, change.board_id, task_id, change.since, title, operation.describe()
                )
            )
    return conflicts


def with_facts(
    inbox: Inbox,
    facts: Iterable[BoardFacts],
    conflicts: Sequence[OpenConflict],
    store: Store,
    now: datetime,
) -> Inbox:
    """The inbox after a look at boards."""
    me: Account = store.me
    inbox = reduce(lambda known, of_board: looked(known, of_board, me, now), facts, inbox)
    boards = active_board_ids(store)
    return with_conflicts(without_old(inbox, boards, now) if boards else inbox, conflicts)


async def look(
    store: Store, file: InboxFile, now: datetime, board_ids: Sequence[int] | None = None
) -> list[BoardFacts]:
    """Look at boards, or at all, with their comments, and keep what is found."""
    wanted = active_board_ids(store) if board_ids is None else board_ids
    facts = await read_facts(store, wanted, now, wanted)
    file.change(lambda inbox: with_facts(inbox, facts, open_conflicts(store), store, now))
    return facts


class InboxKeeper:
    """Looks at boards after their changes, and calls `changed` if the inbox differs then."""

    def __init__(
        self,
        store: Store,
        file: InboxFile,
        now: Callable[[], datetime],
        *,
        changed: Callable[[], None] = lambda: None,
        clock: Clock | None = None,
    ) -> None:
        self._store = store
        self._file = file
        self._now = now
        self._changed = changed
        self._clock = clock or SystemClock()
        self._boards = set[int]()
        self._with_comments = set[int]()
        self._facts: dict[int, BoardFacts] = {}
        self._marks: dict[int, tuple[RemoteChange, float]] = {}
        self._reported: dict[int, Mapping[int, RemoteChange]] = {}
        """The marks at the last look, by board: they say nothing of what happened since."""
        self._woken = asyncio.Event()

    async def run(self) -> None:
        """Keep the inbox; never returns."""
        end = self._store.subscribe(self._hear)
        try:
            self.hear_all()
            while True:
                self._woken.clear()
                await self.look()
                if await sleep_or(self._woken, _LOOK_EVERY, self._clock):
                    await self._clock.sleep(_SETTLE)
        finally:
            end()

    async def look(self) -> None:
        """Look at the boards that changed, and at the dates of the others."""
        now, active = self._now(), active_board_ids(self._store)
        changed = [board_id for board_id in active if board_id in self._boards]
        with_comments = self._with_comments & self._boards
        self._boards, self._with_comments = set(), set()
        facts = await read_facts(self._store, changed, now, with_comments) if changed else []
        # The user may have seen the card, and with it removed its mark, before this look.
        moment = self._clock.elapsed()
        self._marks = {
            id_: mark for id_, mark in self._marks.items() if moment - mark[1] < 4 * _SETTLE
        }
        heard = {id_: mark for id_, (mark, _) in self._marks.items()}
        facts = [self._with_marks(found, heard) for found in facts]
        known = self._facts
        self._facts = {board_id: known[board_id] for board_id in active if board_id in known}
        self._facts |= {
            found.board_id: found._replace(changes={}, comments={}, others=(), seen=())
            for found in facts
        }
        fresh = {found.board_id for found in facts}
        dates = [found for board_id, found in self._facts.items() if board_id not in fresh]
        previous = self._file.read()
        conflicts = open_conflicts(self._store)
        current = self._file.change(
            lambda inbox: with_facts(inbox, (*facts, *dates), conflicts, self._store, now)
        )
        if current is not previous:
            self._changed()

    def _with_marks(self, found: BoardFacts, heard: Mapping[int, RemoteChange]) -> BoardFacts:
        reported = self._reported.get(found.board_id, {})
        self._reported[found.board_id] = found.changes
        new = {id_: mark for id_, mark in found.changes.items() if reported.get(id_) != mark}
        return found._replace(changes={**heard, **new})

    def hear_all(self) -> None:
        """All boards may have changed, with their comments."""
        self._boards.update(active_board_ids(self._store))
        self._with_comments |= self._boards

    def _hear(self, event: StoreEvent) -> None:
        if isinstance(event, BoardsChanged | CacheWritten):
            # Without their comments: other programs may write often, and reading these takes long.
            self._boards.update(active_board_ids(self._store))
        elif isinstance(event, BoardChanged):
            self._boards.add(event.board_id)
        elif isinstance(event, DetailChanged | UnseenChanged):
            self._boards.add(event.board_id)
            self._with_comments.add(event.board_id)
        elif not isinstance(event, ConflictFound):
            return
        if isinstance(event, UnseenChanged):
            moment = self._clock.elapsed()
            self._marks |= {change.task_id: (change, moment) for change in event.changes}
        self._woken.set()
