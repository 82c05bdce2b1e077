"""The outbox in memory: every entry, with indexes for O(1) look-ups.

Disk is written first, on its own thread, and memory after it, one change at a time, so that changes
of other programs can be told apart from this program's.
"""

import asyncio
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from tui.store.documents.shapes import Document
from tui.store.events import PendingState
from tui.store.files.disk import DiskThread
from tui.store.files.lease import LeaseLostError
from tui.store.operations.base import Operation, Subject
from tui.store.operations.ids import local_ids
from tui.store.outbox.bases import based_on, without, without_all, without_undrawn
from tui.store.outbox.entry import ATTEMPTS_UNTIL_PARKED, OutboxEntry
from tui.store.outbox.file import Change, Outbox
from tui.store.outbox.history import Stack, Travel, UndoStep

_WIDE = frozenset({"board", "stage", "member", "field", "label"})
_MOST_PASSED = 30
"""At most this many entries are passed over in search of one to be sent before them."""


class Reloaded(NamedTuple):
    """What another program changed in the outbox: its boards and assigned ids.

    `gone` are the entries removed; if they were accepted, the cache has their effect.
    """

    board_ids: frozenset[int]
    renamed: Mapping[int, int]
    gone: tuple[OutboxEntry, ...]
    entries: tuple[OutboxEntry, ...]

    def __bool__(self) -> bool:
        return bool(self.board_ids or self.renamed)


class Queue:
    """The entries by number, board, subject, and by the local ids they contain.

    `renames` maps local ids to assigned ones; `revision` increases with every change; `unreadable`
    is how many rows cannot be read, `losses` what may have been lost with a damaged file.
    `elsewhere` holds in words, by the name of the lease, which other programs may still send what
    they began; `silent` names the one that has the lease and does not answer.
    """

    def __init__(self, outbox: Outbox, disk: DiskThread) -> None:
        self._outbox = outbox
        self._disk = disk
        self.renames = dict(outbox.renames)
        self.revision = 0
        self._overtaken = Counter[int]()
        self.elsewhere: dict[str, str] = {}
        self.silent = ""
        self._entries: dict[int, OutboxEntry] = {}
        self._by_board: defaultdict[int, set[int]] = defaultdict(set)
        self._by_subject: defaultdict[Subject, set[int]] = defaultdict(set)
        self._naming: defaultdict[int, set[int]] = defaultdict(set)
        self._named: dict[int, frozenset[int]] = {}
        self._makers: dict[int, int] = {}
        self._states: dict[int, tuple[int, Counter[PendingState]]] = {}
        self._settling: set[int] = set()
        self._set_apart_at: dict[int, int] = {}
        self._in_step = asyncio.Lock()
        self.losses = outbox.losses()
        entries, self.unreadable = outbox.entries()
        # The pause before the next attempt belongs to another run.
        self.put(replace(entry, next_try=None) for entry in entries)
        self._last_of_earlier_run = max(self._entries, default=0)
        self._last_step_of_earlier_run = outbox.history.newest()

    def current_id(self, some_id: int) -> int:
        """The id assigned by the service, for a local one that is still in use."""
        return self.renames.get(some_id, some_id)

    def is_of_earlier_run(self, entry: OutboxEntry) -> bool:
        """Whether it was submitted before this start."""
        return entry.seq <= self._last_of_earlier_run

    def _by_number(self, seqs: Iterable[int]) -> Iterator[OutboxEntry]:
        return map(self._entries.__getitem__, sorted(seqs))

    def all(self) -> tuple[OutboxEntry, ...]:
        """Every entry, oldest first."""
        return tuple(self._by_number(self._entries))

    def of(self, board_id: int) -> tuple[OutboxEntry, ...]:
        """The entries of a board, oldest first."""
        return tuple(self._by_number(self._by_board.get(board_id, ())))

    def of_subject(self, subject: Subject) -> tuple[OutboxEntry, ...]:
        """The entries that change one thing, oldest first."""
        return tuple(self._by_number(self._by_subject.get(subject, ())))

    def get(self, seq: int) -> OutboxEntry | None:
        """The entry with this number, if it still exists."""
        return self._entries.get(seq)

    def board_ids(self) -> set[int]:
        """The boards that have entries."""
        return {board_id for board_id, seqs in self._by_board.items() if seqs}

    def count(self, board_id: int) -> int:
        """How many entries of a board can be sent."""
        states = self.states(board_id)
        return states[PendingState.WAITING] + states[PendingState.SENDING]

    def states(self, board_id: int) -> Counter[PendingState]:
        """The number of entries of a board in each state."""
        revision, states = self._states.get(board_id, (-1, Counter()))
        if revision != self.revision:
            states = Counter(self._entries[seq].state for seq in self._by_board.get(board_id, ()))
            self._states[board_id] = (self.revision, states)
        return states

    def based_on(
        self, entry: OutboxEntry, *, passing_over: Collection[int] = ()
    ) -> list[OutboxEntry]:
        """The unsent changes that are based on what an entry sets or creates.

        Entries of the numbers `passing_over` take no effect, and are none of them.
        """
        subject = entry.subject._replace(id=self.current_id(entry.subject.id))
        later = [
            candidate
            for candidate in self.of_subject(subject)
            if candidate.seq > entry.seq and candidate.seq not in passing_over
        ]
        return based_on(entry, later) if later else []

    def between(self, first: OutboxEntry, last: OutboxEntry) -> tuple[OutboxEntry, ...]:
        """The drawn entries of a board between two others."""
        entries = self.of(first.board_id)
        return tuple(
            entry for entry in entries if first.seq < entry.seq < last.seq and entry.is_drawn
        )

    def put(self, entries: Iterable[OutboxEntry]) -> list[OutboxEntry]:
        """Add or replace entries, with current ids."""
        current = [entry.renamed(self.renames) for entry in entries]
        for entry in current:
            former = self._entries.get(entry.seq)
            self._entries[entry.seq] = entry
            # The indexes follow from the operation, which most updates leave as it is.
            if former is None or former.operation is not entry.operation:
                if former is not None:
                    self._unlist(former)
                self._list(entry)
        self.revision += bool(current)
        return current

    def remove(self, seqs: Iterable[int]) -> None:
        """Remove entries."""
        for seq in tuple(seqs):
            self._settling.discard(seq)
            self._set_apart_at.pop(seq, None)
            self._overtaken.pop(seq, None)
            entry = self._entries.pop(seq, None)
            if entry is not None:
                self._unlist(entry)
                self.revision += 1

    def rename(self, ids: Mapping[int, int]) -> None:
        """Replace ids, now and in entries put later."""
        for old, new in ids.items():
            self.renames[old] = new
            self.put(list(self._by_number(self._naming.get(old, ()))))

    def _list(self, entry: OutboxEntry) -> None:
        self._by_board[entry.board_id].add(entry.seq)
        self._by_subject[entry.subject].add(entry.seq)
        named = self._named[entry.seq] = local_ids(entry.operation)
        for local_id in named:
            self._naming[local_id].add(entry.seq)
        if entry.operation.creates is not None:
            self._makers[entry.operation.creates] = entry.seq

    def _unlist(self, entry: OutboxEntry) -> None:
        self._by_board[entry.board_id].discard(entry.seq)
        self._by_subject[entry.subject].discard(entry.seq)
        for local_id in self._named.pop(entry.seq):
            self._naming[local_id].discard(entry.seq)
        if entry.operation.creates is not None:
            self._makers.pop(entry.operation.creates, None)

    def overtake(self, seq: int) -> None:
        """Let others be sent before an entry that is still pending, as these get through.

        At first those that cannot be placed without it still wait, as it may arrive when it is
        tried again.
        """
        if seq in self._entries:
            self._overtaken[seq] += 1

    def try_anew(self, seq: int) -> None:
        """Give an entry as many attempts as a new one."""
        self._overtaken.pop(seq, None)
        self.put([replace(self._entries[seq], faults=0, next_try=None)])

    def next_of(self, board_id: int, under_way: Collection[int] = ()) -> OutboxEntry | None:
        """The entry to send next: the oldest that waits for nothing else.

        Entries that failed on their own, or got no answer, come last: they delay only their
        dependants and what cannot be placed without them. While the entries numbered `under_way`
        are in flight, only one that is independent of them is returned.
        """
        failed, passed, tried = list[OutboxEntry](), list[OutboxEntry](), list[OutboxEntry]()
        waiting: set[Subject] = set()
        in_flight = [self._entries[seq] for seq in sorted(under_way) if seq in self._entries]
        for entry in self.of(board_id):
            if not entry.is_drawn:
                continue
            # One that overtook it is placed as if it were still to come: it waits for the reply.
            younger = (other for other in in_flight if other.seq > entry.seq)
            has_to_wait = any(
                self._has_to_wait(entry, other, under_way) for other in (*passed, *tried, *younger)
            )
            is_held = (
                has_to_wait
                or entry.state is PendingState.UNSURE
                or self.sender_of(entry)
                # What waits for its creation may be older, if another program tried that again.
                or (entry.subject in waiting and entry.operation.creates is None)
                or entry.seq in under_way
                or any(maker and maker.is_drawn for maker in self._needed_makers(entry))
            )
            is_last = entry.faults > 0 or entry.seq in self._overtaken
            if not is_held and not is_last:
                return entry
            if not is_held:
                failed.append(entry)
            # Changes of one subject are never reordered.
            waiting.add(entry.subject)
            is_tried = entry.is_to_be_sent and (is_last or has_to_wait)
            # Each further entry is compared with all of these, so their number is limited.
            if under_way or entry.is_outstanding:
                passed.append(entry)
            elif is_tried and len(tried) < _MOST_PASSED:
                tried.append(entry)
            if len(passed) > _MOST_PASSED:
                break
        return min(
            failed, key=lambda entry: (entry.next_try or entry.since, entry.seq), default=None
        )

    def _has_to_wait(
        self, entry: OutboxEntry, first: OutboxEntry, under_way: Collection[int]
    ) -> bool:
        older, operation = first.operation, entry.operation
        # After a lost reply a creation is recognised by its content: it must not be mistaken for a
        # similar one that was sent later.
        if first.is_outstanding and older.may_be_taken_for(operation):
            return True
        # One that failed without effect or got no answer is soon tried again or set apart. Until
        # then only what cannot be placed without it waits.
        overtaken = 0 if under_way else self._overtaken[first.seq]
        if overtaken >= ATTEMPTS_UNTIL_PARKED:
            return False
        if overtaken or not (under_way or first.is_outstanding):
            return not operation.may_overtake(older)
        # Requests in flight at the same time may be carried out in either order. A move sends an
        # index in its stage, which means another place once a card has come or left, and a change
        # of a board or stage is about many cards.
        return (
            not _WIDE.isdisjoint((older.subject.kind, operation.subject.kind))
            or (operation.task_id is not None and operation.task_id == older.task_id)
            or not operation.arranges.isdisjoint(older.arranges | older.leaves)
            or not operation.leaves.isdisjoint(older.arranges)
            or operation.conflicts_with(older)
            or older.conflicts_with(operation)
        )

    def sender_of(self, entry: OutboxEntry) -> str:
        """Which other program may still send this entry, in words; empty if none does."""
        is_sent = entry.state is PendingState.SENDING
        return self.elsewhere.get(entry.sender, "") if is_sent else ""

    def held_up_by(self, board_id: int) -> str:
        """Which program all pending changes of a board wait for, in words; empty if none."""
        if not (self.silent or self.elsewhere) or not self.count(board_id):
            return ""
        senders = filter(None, map(self.sender_of, self.of(board_id)))
        return self.silent or ("" if self.next_of(board_id) else next(senders, ""))

    def maker_of(self, local_id: int) -> OutboxEntry | None:
        """The entry that creates the thing with this local id."""
        seq = self._makers.get(local_id)
        return None if seq is None else self._entries.get(seq)

    def _needed_makers(self, entry: OutboxEntry) -> list[OutboxEntry | None]:
        # Contains None for each creation that is no longer pending.
        if not self._named.get(entry.seq):
            return []
        return [self.maker_of(local_id) for local_id in entry.needs]

    def waits_for(self, entry: OutboxEntry) -> OutboxEntry | None:
        """The entry that has to be accepted before this one, if there is one."""
        earlier = (older for older in self.of_subject(entry.subject) if older.seq < entry.seq)
        candidates = (*self._needed_makers(entry), *earlier)
        return next((first for first in candidates if first and first.is_drawn), None)

    def is_orphan(self, entry: OutboxEntry) -> bool:
        """Whether it needs something that was not, and will not be, created."""
        return any(maker is None or not maker.is_drawn for maker in self._needed_makers(entry))

    def dependants(self, entry: OutboxEntry) -> tuple[OutboxEntry, ...]:
        """The entries that need what an entry creates, and their dependants in turn."""
        seqs: set[int] = set()
        makers = [entry]
        while makers:
            new_id = makers.pop().operation.creates
            for user in self._by_number(() if new_id is None else self._naming.get(new_id, ())):
                if user.seq not in {entry.seq, *seqs} and new_id in user.needs:
                    seqs.add(user.seq)
                    makers.append(user)
        return tuple(self._by_number(seqs))

    def family(self, entry: OutboxEntry) -> tuple[OutboxEntry, ...]:
        """The entry, the creators of what it needs, and all their dependants."""
        seqs = {entry.seq}
        members = [entry]
        while members:
            for maker in self._needed_makers(members.pop()):
                if maker is not None and maker.seq not in seqs:
                    seqs.add(maker.seq)
                    members.append(maker)
        for seq in tuple(seqs):
            seqs.update(member.seq for member in self.dependants(self._entries[seq]))
        return tuple(self._by_number(seqs))

    async def add(
        self,
        board_id: int,
        changes: Sequence[Change],
        since: datetime,
        travel: Travel | None = None,
        *,
        planned_at: int,
        replacing: Sequence[int] = (),
        act: str = "",
    ) -> list[OutboxEntry]:
        """Write and add new entries; see `Outbox.add`.

        They were planned at the revision `planned_at`: what was set apart since was still drawn.
        """
        async with self._in_step:
            # The operations may be based on values that were drawn when they were planned but were
            # refused before this change got its turn.
            gone = [seq for seq, at in self._set_apart_at.items() if at > planned_at]
            apart = list(self._by_number(seq for seq in gone if seq in self._entries))
            replaced = frozenset(replacing)
            entries = await self._disk.write(
                self._outbox.add,
                board_id,
                [
                    (self._on_what_is_drawn(without_all(apart, operation), undo, replaced), undo)
                    for operation, undo in changes
                ],
                since,
                travel,
                replacing=replacing,
                act=act,
            )
            self.remove(replacing)
            return self.put(entries)

    def _on_what_is_drawn(
        self, operation: Operation, undo: Sequence[Operation], replaced: Collection[int]
    ) -> Operation:
        undrawn = [
            entry
            for entry in self.of_subject(operation.subject)
            # What is submitted again together is drawn again.
            if not entry.is_drawn and entry.seq not in replaced
        ]
        return without_undrawn(undrawn, operation, undo)

    async def wait_until_written(self) -> None:
        """Wait until writes in progress are in memory too."""
        async with self._in_step:
            pass

    async def update(self, entries: Sequence[OutboxEntry]) -> None:
        """Write and apply the state of entries.

        Changes based on entries that are set apart, and so no longer drawn, are rebased on what
        those were based on, in the same transaction.
        """
        async with self._in_step:
            apart = [entry for entry in entries if not entry.is_drawn]
            rebased = self._without(apart)
            await self._disk.write(self._outbox.update, entries, rebased)
            # `take` does not wait for the write, and may have removed some.
            self.put(entry for entry in entries if entry.seq in self._entries)
            self.put(rebased)
            self._set_apart_at |= dict.fromkeys((entry.seq for entry in apart), self.revision)

    async def claim(self, entry: OutboxEntry, former: str, may_send: Callable[[], bool]) -> None:
        """Write that an entry is being sent; see `Outbox.claim`. Raises `LeaseLostError`."""
        async with self._in_step:
            if not await self._disk.write(self._outbox.claim, entry, former, may_send):
                raise LeaseLostError
            self.put([entry])

    async def change(
        self,
        entries: Sequence[OutboxEntry],
        gone: Sequence[int] = (),
        undo: Sequence[Operation] | None = None,
    ) -> None:
        """Write and apply changed operations; see `Outbox.change`."""
        async with self._in_step:
            await self._disk.write(self._outbox.change, entries, gone, undo)
            self.remove(gone)
            self.put(entry for entry in entries if entry.seq in self._entries)

    async def discard(self, entries: Sequence[OutboxEntry]) -> None:
        """Remove entries that the user dropped; what is based on them is rebased as in `update`."""
        async with self._in_step:
            rebased = self._without(entries)
            await self._disk.write(self._outbox.discard, entries, rebased)
            self.put(rebased)
            self.remove(entry.seq for entry in entries)

    def _without(self, entries: Sequence[OutboxEntry]) -> list[OutboxEntry]:
        apart = {entry.seq for entry in entries}
        changed: dict[int, OutboxEntry] = {}
        for entry in reversed(entries):
            current = self._entries.get(entry.seq)
            if current is None or not current.is_drawn or entry.operation.creates is not None:
                continue
            # Changes that are set apart together take no effect, so none of them hides an earlier
            # one from what follows: each step leads to the base of the one before.
            for later in self.based_on(entry, passing_over=apart):
                rebased = changed.get(later.seq, later)
                operation = without(entry.operation, rebased.operation)
                if operation != later.operation:
                    changed[later.seq] = replace(rebased, operation=operation)
        return list(changed.values())

    async def drop(self, entries: Sequence[OutboxEntry]) -> None:
        """Remove entries that change nothing together, and need not be sent."""
        gone = {entry.seq for entry in entries}
        based = (later for entry in entries for later in self.based_on(entry))
        # Together they leave the value as it was, unless changes of other kinds may set it too.
        freed = [
            replace(later, operation=later.operation.without_base())
            for later in based
            if later.seq not in gone and later.operation.has_other_setters
        ]
        await self.change(freed, sorted(gone))

    async def settle_on_disk(
        self,
        entry: OutboxEntry,
        renamed: Mapping[int, int],
        following: Sequence[OutboxEntry],
        written: Document | None,
        *,
        overtaken: Sequence[OutboxEntry] = (),
        first: Callable[[], None] = lambda: None,
    ) -> None:
        """Write that an entry was accepted; `remove` and `rename` follow when that is drawn.

        If something was created it stays until `Outbox.forget`. See `Outbox.settle`. What has to be
        on the disk `first` is written in the same turn.
        """

        def write() -> None:
            first()
            stays = bool(renamed)
            self._outbox.settle(entry, renamed, following, written, overtaken, stays=stays)

        async with self._in_step:
            # Until `remove` it is drawn but no longer on disk: `reread` must not take it for one
            # that another program removed.
            self._settling.add(entry.seq)
            try:
                await self._disk.write(write)
            except (sqlite3.Error, OSError):
                self._settling.discard(entry.seq)
                raise
            self.put(later for later in following if later.seq in self._entries)

    async def last_step(self, board_id: int, stack: Stack) -> UndoStep | None:
        """The next step to undo or redo."""
        return await self._disk.run(self._outbox.history.last, board_id, stack)

    async def others_of_act(self, step: UndoStep, stack: Stack) -> list[UndoStep]:
        """What the same action of the user did on other boards."""
        return await self._disk.run(self._outbox.history.others_of_act, step, stack)

    async def on_the_way(self, entry: OutboxEntry) -> list[Operation]:
        """The user's changes that were merged into an entry, in whichever program they were made.

        Each may have been sent, and arrive late.
        """
        if not entry.stands_for:
            return []
        merged = set(entry.stands_for)
        return await self._disk.run(self._outbox.history.operations, entry.board_id, merged)

    def is_step_of_earlier_run(self, step: UndoStep) -> bool:
        """Whether it was done before this start."""
        return step.seq <= self._last_step_of_earlier_run

    async def acknowledge_losses(self) -> None:
        """The user was told what may have been lost."""
        await self._disk.run(self._outbox.acknowledge_losses)
        self.losses = ()

    async def reread(self) -> Reloaded:
        """Read the entries from disk, where another program may have written.

        Nothing is applied before `take`, so that accepted changes can be drawn first.
        """
        async with self._in_step:
            (entries, self.unreadable), renames, self.losses = await self._disk.run(self._read)
        stored = {entry.seq: entry for entry in entries if entry.seq not in self._settling}
        gone = [
            entry
            for seq, entry in self._entries.items()
            if seq not in stored and seq not in self._settling
        ]
        changed = []
        for entry in stored.values():
            current = self._entries.get(entry.seq)
            # `nudge` ends pauses in memory alone, so they may differ from what is stored.
            if current is None or replace(current, next_try=entry.next_try) != entry:
                changed.append(entry)
        boards = {entry.board_id for entry in (*gone, *changed)}
        renamed = {old: new for old, new in renames.items() if old not in self.renames}
        return Reloaded(frozenset(boards), renamed, tuple(gone), tuple(changed))

    def take(self, reloaded: Reloaded) -> None:
        """Apply the result of `reread`."""
        self.rename(reloaded.renamed)
        self.remove(entry.seq for entry in reloaded.gone)
        self.put(reloaded.entries)

    def _read(self) -> tuple[tuple[list[OutboxEntry], int], dict[int, int], tuple[str, ...]]:
        return self._outbox.entries(), dict(self._outbox.renames), self._outbox.losses()
