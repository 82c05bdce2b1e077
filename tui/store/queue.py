"""The outbox as the event loop sees it: every entry, in order.

The rule it keeps: what is here is on disk already; the disk is written first, on its own thread.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from tui.store import operations as change
from tui.store.disk import DiskThread
from tui.store.history import History, Stack, Step
from tui.store.operations.base import Operation
from tui.store.outbox import Change, Entry, Outbox
from tui.store.protocol import WaitingState


class Queue:
    """Entries by number. `renames` maps local ids to those the service gave, since the start."""

    def __init__(self, outbox: Outbox, disk: DiskThread) -> None:
        self._outbox = outbox
        self._disk = disk
        entries, self.unreadable = outbox.entries()
        self._entries = {entry.seq: entry for entry in entries}
        self.renames: dict[int, int] = {}

    async def add(
        self,
        board_id: int,
        changes: Sequence[Change],
        since: datetime,
        remember: Callable[[History, Step], None],
    ) -> list[Entry]:
        """Write and add new entries; see `Outbox.add`."""
        entries = await self._disk.run(self._outbox.add, board_id, changes, since, remember)
        return self.put(entries)

    async def update(self, entries: Sequence[Entry]) -> None:
        """Write and take over where entries stand now."""
        await self._disk.run(self._outbox.update, entries)
        self.put(entries)

    async def discard(self, entries: Sequence[Entry]) -> None:
        """Remove entries nobody wants any more."""
        seqs = [entry.seq for entry in entries]
        await self._disk.run(self._outbox.discard, seqs)
        self.remove(seqs)

    async def settle_on_disk(self, entry: Entry, renamed: Mapping[int, int]) -> None:
        """Write that the service has it; `remove` and `rename` follow when that is to be drawn."""
        await self._disk.run(self._outbox.settle, entry, renamed)

    async def last_step(self, board_id: int, stack: Stack) -> Step | None:
        """The step that can be taken back, or done again, next."""
        return await self._disk.run(self._outbox.history.last, board_id, stack)

    def all(self) -> tuple[Entry, ...]:
        """Every entry, oldest first."""
        return tuple(self._entries[seq] for seq in sorted(self._entries))

    def of(self, board_id: int) -> tuple[Entry, ...]:
        """The entries of a board, oldest first."""
        return tuple(entry for entry in self.all() if entry.board_id == board_id)

    def board_ids(self) -> set[int]:
        """The boards that have entries."""
        return {entry.board_id for entry in self._entries.values()}

    def get(self, seq: int) -> Entry | None:
        """The entry of this number, if it is still there."""
        return self._entries.get(seq)

    def drawn(self, board_id: int) -> tuple[Operation, ...]:
        """The operations a board is drawn with."""
        return tuple(entry.operation for entry in self.of(board_id) if entry.is_drawn)

    def put(self, entries: Iterable[Entry]) -> list[Entry]:
        """Add entries, or change them, with tasks called by the ids they have now."""
        current = [
            replace(entry, operation=entry.operation.renamed(self.renames)) for entry in entries
        ]
        self._entries.update((entry.seq, entry) for entry in current)
        return current

    def remove(self, seqs: Iterable[int]) -> None:
        """Forget entries."""
        for seq in seqs:
            self._entries.pop(seq, None)

    def rename(self, ids: Mapping[int, int]) -> None:
        """Call tasks by their new ids, now and in whatever is put later."""
        if ids:
            self.renames.update(ids)
            self.put(tuple(self._entries.values()))

    def next_of(self, board_id: int) -> Entry | None:
        """What to send next: the oldest whose task does not wait for a person to decide."""
        held: set[int] = set()
        for entry in self.of(board_id):
            if entry.state is WaitingState.UNSURE:
                held.add(entry.operation.task_id)
            elif entry.is_drawn and entry.operation.task_id not in held:
                return entry
        return None

    def family(self, entry: Entry) -> tuple[Entry, ...]:
        """The entry, and those that stand or fall with it because the task is not made yet."""
        task_id = entry.operation.task_id
        if task_id >= 0:
            return (entry,)
        return tuple(
            other for other in self.of(entry.board_id) if other.operation.task_id == task_id
        )

    def is_orphan(self, entry: Entry) -> bool:
        """Whether it changes a task that was never made."""
        operation = entry.operation
        if operation.task_id >= 0 or isinstance(operation, change.CreateTask):
            return False
        return not any(
            isinstance(other.operation, change.CreateTask) and other.is_drawn
            for other in self.family(entry)
            if other.seq < entry.seq
        )
