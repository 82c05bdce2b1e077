"""The outbox as the event loop sees it: every entry, in order.

What is here is on disk already: the disk is written first, on its own thread. Disk and memory are
brought in step one change at a time, so that what is read again can be told from what this program
itself is writing.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from tui.store.documents.shapes import Document
from tui.store.files.disk import DiskThread
from tui.store.operations.base import Operation
from tui.store.outbox.entry import Entry
from tui.store.outbox.file import Change, Outbox, Remember
from tui.store.outbox.history import Stack, Step
from tui.store.outbox.index import Entries


class Reloaded(NamedTuple):
    """What another program did to the outbox: the boards it concerns, and what was renamed.

    `gone` are the entries that are there no more; if they were accepted, the cache has their
    effect.
    """

    board_ids: frozenset[int]
    renamed: Mapping[int, int]
    gone: tuple[Entry, ...]
    entries: tuple[Entry, ...]

    def __bool__(self) -> bool:
        return bool(self.board_ids or self.renamed)


class Queue(Entries):
    """The entries of an outbox on disk; `unreadable` is how many of them cannot be read."""

    def __init__(self, outbox: Outbox, disk: DiskThread) -> None:
        super().__init__(outbox.renames)
        self._outbox = outbox
        self._disk = disk
        self._settling: set[int] = set()
        self._in_step = asyncio.Lock()
        entries, self.unreadable = outbox.entries()
        self.put(replace(entry, next_try=None) for entry in entries)  # the pause was another run's
        self._last_of_earlier_run = max(self._entries, default=0)
        self._last_step_of_earlier_run = outbox.history.newest()

    def is_of_earlier_run(self, entry: Entry) -> bool:
        """Whether it was there when the program started."""
        return entry.seq <= self._last_of_earlier_run

    def remove(self, seqs: Iterable[int]) -> None:
        """Forget entries."""
        seqs = tuple(seqs)
        self._settling.difference_update(seqs)
        super().remove(seqs)

    async def add(
        self,
        board_id: int,
        changes: Sequence[Change],
        since: datetime,
        remember: Remember,
        *,
        replacing: Sequence[int] = (),
    ) -> list[Entry]:
        """Write and add new entries; see `Outbox.add`."""
        async with self._in_step:
            entries = await self._disk.run(
                self._outbox.add, board_id, changes, since, remember, replacing=replacing
            )
            self.remove(replacing)
            return self.put(entries)

    async def in_step(self) -> None:
        """Wait until what is being written is here too."""
        async with self._in_step:
            pass

    async def update(self, entries: Sequence[Entry]) -> None:
        """Write and take over where entries stand now."""
        async with self._in_step:
            await self._disk.run(self._outbox.update, entries)
            self.put(entry for entry in entries if entry.seq in self._entries)

    async def change(self, entries: Sequence[Entry], gone: Sequence[int] = ()) -> None:
        """Write and take over other operations for entries not sent yet, and forget others."""
        async with self._in_step:
            await self._disk.run(self._outbox.change, entries, gone)
            self.remove(gone)
            self.put(entry for entry in entries if entry.seq in self._entries)

    async def complete(self, entry: Entry, undo: Sequence[Operation]) -> None:
        """Write and take over an operation of which more is known now; see `Outbox.complete`."""
        async with self._in_step:
            await self._disk.run(self._outbox.complete, entry, undo)
            self.put([entry] if entry.seq in self._entries else ())

    async def step_back_from(self, entries: Iterable[Entry]) -> None:
        """What follows entries that come to nothing was made on what these were made on."""
        changed = []
        for entry in entries:
            following = self.following(entry)
            if following is not None and entry.operation.creates is None:
                operation = following.operation.without(entry.operation)
                if operation != following.operation:
                    changed.append(replace(following, operation=operation))
        if changed:
            await self.change(changed)

    async def discard(self, entries: Sequence[Entry]) -> None:
        """Remove entries nobody wants any more."""
        async with self._in_step:
            await self._disk.run(self._outbox.discard, entries)
            self.remove(entry.seq for entry in entries)

    async def settle_on_disk(
        self,
        entry: Entry,
        renamed: Mapping[int, int],
        following: Sequence[Entry],
        written: Document | None,
    ) -> None:
        """Write that the service has it; `remove` and `rename` follow when that is to be drawn.

        See `Outbox.settle`.
        """
        async with self._in_step:
            self._settling.add(entry.seq)
            await self._disk.run(self._outbox.settle, entry, renamed, following, written)
            self.put(one for one in following if one.seq in self._entries)

    async def last_step(self, board_id: int, stack: Stack) -> Step | None:
        """The step that can be undone, or redone, next."""
        return await self._disk.run(self._outbox.history.last, board_id, stack)

    def is_step_of_earlier_run(self, step: Step) -> bool:
        """Whether it was done before the program started."""
        return step.seq <= self._last_step_of_earlier_run

    async def acknowledge_void(self, board_id: int) -> None:
        """A person knows of the last changes that were refused."""
        await self._disk.run(self._outbox.history.acknowledge, board_id)

    async def look_again(self) -> Reloaded:
        """Read the entries as they are on disk now, where another program may have written.

        Nothing is taken over before `take`, so that what was accepted can be drawn first.
        """
        async with self._in_step:
            entries, renames = await self._disk.run(self._read)
        there = {entry.seq: entry for entry in entries if entry.seq not in self._settling}
        gone = [
            entry
            for seq, entry in self._entries.items()
            if seq not in there and seq not in self._settling
        ]
        changed = [entry for entry in there.values() if not self._is_known(entry)]
        boards = {entry.board_id for entry in (*gone, *changed)}
        renamed = {old: new for old, new in renames.items() if old not in self.renames}
        return Reloaded(frozenset(boards), renamed, tuple(gone), tuple(changed))

    def take(self, reloaded: Reloaded) -> None:
        """Take over what `look_again` found."""
        self.rename(reloaded.renamed)
        self.remove(entry.seq for entry in reloaded.gone)
        self.put(reloaded.entries)
        if reloaded.entries and list(self._entries) != sorted(self._entries):
            everything = self.all()
            self.remove(list(self._entries))
            self.put(everything)

    def _read(self) -> tuple[list[Entry], dict[int, int]]:
        entries, self.unreadable = self._outbox.entries()
        return entries, dict(self._outbox.renames)

    def _is_known(self, entry: Entry) -> bool:
        known = self._entries.get(entry.seq)
        return known is not None and replace(known, next_try=entry.next_try) == entry
