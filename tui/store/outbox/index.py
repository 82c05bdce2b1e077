"""An index of the pending entries, in memory.

Whatever is looked up while entries are added or sent takes constant time, however many wait.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from tui.store.events import WaitingState
from tui.store.operations.base import Operation, Subject
from tui.store.operations.ids import local_ids
from tui.store.outbox.entry import Entry

_K = TypeVar("_K")


class Entries:
    """Entries by number, board, subject, and by the local ids they name.

    `renames` maps local ids to those the service gave; `revision` changes with every change;
    `failing` are the numbers of those that fail again and again, while the service answers.
    """

    def __init__(self, renames: Mapping[int, int]) -> None:
        self.renames = dict(renames)
        self.revision = 0
        self.failing: set[int] = set()
        self._entries: dict[int, Entry] = {}
        self._by_board: dict[int, dict[int, None]] = {}
        self._by_subject: dict[Subject, dict[int, None]] = {}
        self._naming: dict[int, dict[int, None]] = {}
        self._makers: dict[int, int] = {}
        self._states: dict[int, tuple[int, Counter[WaitingState]]] = {}

    def all(self) -> tuple[Entry, ...]:
        """Every entry, oldest first."""
        return tuple(self._entries[seq] for seq in sorted(self._entries))

    def of(self, board_id: int) -> tuple[Entry, ...]:
        """The entries of a board, oldest first."""
        return tuple(self._entries[seq] for seq in self._by_board.get(board_id, ()))

    def count(self, board_id: int) -> int:
        """How many entries a board has that can be sent."""
        states = self.states(board_id)
        return states[WaitingState.WAITING] + states[WaitingState.SENDING]

    def states(self, board_id: int) -> Counter[WaitingState]:
        """How many entries of a board stand where."""
        known = self._states.get(board_id)
        if known is None or known[0] != self.revision:
            counted = Counter(self._entries[seq].state for seq in self._by_board.get(board_id, ()))
            known = self._states[board_id] = (self.revision, counted)
        return known[1]

    def fail_on(self, board_id: int | None = None) -> int:
        """How many entries of a board, or of all, fail again and again."""
        failing = (self._entries[seq] for seq in self.failing if seq in self._entries)
        return sum(one.is_to_be_sent and board_id in (None, one.board_id) for one in failing)

    def about(self, subject: Subject) -> tuple[Entry, ...]:
        """The entries that change one thing, oldest first."""
        return tuple(self._entries[seq] for seq in self._by_subject.get(subject, ()))

    def following(self, entry: Entry) -> Entry | None:
        """The next unsent change that sets the same as an entry, made on what that one sets."""
        for other in self.about(entry.subject):
            if (
                other.seq > entry.seq
                and other.was_never_sent
                and other.operation.keeps_base
                and entry.operation.sets_the_same(other.operation)
            ):
                return other
        return None

    def between(self, first: Entry, last: Entry) -> tuple[Entry, ...]:
        """The entries of a board between two of them that are drawn."""
        return tuple(
            self._entries[seq]
            for seq in self._by_board.get(first.board_id, ())
            if first.seq < seq < last.seq and self._entries[seq].is_drawn
        )

    def board_ids(self) -> set[int]:
        """The boards that have entries."""
        return {board_id for board_id, seqs in self._by_board.items() if seqs}

    def get(self, seq: int) -> Entry | None:
        """The entry of this number, if it is still there."""
        return self._entries.get(seq)

    def drawn(self, board_id: int) -> tuple[Operation, ...]:
        """The operations a board is drawn with."""
        return tuple(entry.operation for entry in self.of(board_id) if entry.is_drawn)

    def drawn_everywhere(self) -> tuple[Operation, ...]:
        """The operations all boards are drawn with."""
        return tuple(entry.operation for entry in self._entries.values() if entry.is_drawn)

    def put(self, entries: Iterable[Entry]) -> list[Entry]:
        """Add entries, or change them, with things called by the ids they have now."""
        current = [self._current(entry) for entry in entries]
        for entry in current:
            if entry.seq in self._entries:
                self._unlist(self._entries[entry.seq], stays=entry)
            self._entries[entry.seq] = entry
            self._list(entry)
        self.revision += bool(current)
        return current

    def remove(self, seqs: Iterable[int]) -> None:
        """Forget entries."""
        for seq in tuple(seqs):
            entry = self._entries.pop(seq, None)
            self.failing.discard(seq)
            if entry is not None:
                self._unlist(entry)
                self.revision += 1

    def rename(self, ids: Mapping[int, int]) -> None:
        """Call things by their new ids, now and in whatever is put later."""
        for old, new in ids.items():
            self.renames[old] = new
            self.put([self._entries[seq] for seq in sorted(self._naming.get(old, ()))])

    def _current(self, entry: Entry) -> Entry:
        local = local_ids(entry.operation)
        ids = {one: self.renames[one] for one in local if one in self.renames}
        if not ids:
            return entry
        board_id = ids.get(entry.board_id, entry.board_id)
        return replace(entry, board_id=board_id, operation=entry.operation.renamed(ids))

    def _list(self, entry: Entry) -> None:
        self._by_board.setdefault(entry.board_id, {})[entry.seq] = None
        self._by_subject.setdefault(entry.subject, {})[entry.seq] = None
        for one in local_ids(entry.operation):
            self._naming.setdefault(one, {})[entry.seq] = None
        if entry.operation.creates is not None:
            self._makers[entry.operation.creates] = entry.seq

    def _unlist(self, entry: Entry, stays: Entry | None = None) -> None:
        """Take an entry out of the lists, but not of those in which it keeps its place."""
        if stays is not None and stays.operation is entry.operation:
            return
        if stays is None or stays.board_id != entry.board_id:
            _drop(self._by_board, entry.board_id, entry.seq)
        if stays is None or stays.subject != entry.subject:
            _drop(self._by_subject, entry.subject, entry.seq)
        for one in local_ids(entry.operation):
            _drop(self._naming, one, entry.seq)
        if entry.operation.creates is not None:
            self._makers.pop(entry.operation.creates, None)

    def next_of(self, board_id: int) -> Entry | None:
        """What to send next: the oldest that does not wait for another, or for a decision.

        Those that fail again and again come last, so that they hold up nothing but what needs them.
        """
        last: Entry | None = None
        held: set[Subject] = set()
        unmade: set[int] = set()
        for seq in self._by_board.get(board_id, ()):
            entry = self._entries[seq]
            if not entry.is_drawn:
                continue
            is_held = (
                entry.state is WaitingState.UNSURE
                or entry.subject in held
                or not unmade.isdisjoint(entry.needs)
                or self._waits_for_another_board(entry)
            )
            if not is_held and seq not in self.failing:
                return entry
            if not is_held:
                last = last or entry
            held.add(entry.subject)
            if entry.operation.creates is not None:
                unmade.add(entry.operation.creates)
        return last

    def _waits_for_another_board(self, entry: Entry) -> bool:
        makers = (self.maker_of(one) for one in entry.needs)
        return any(
            maker is not None and maker.board_id != entry.board_id and maker.is_drawn
            for maker in makers
        )

    def maker_of(self, local_id: int) -> Entry | None:
        """The entry that makes the thing with this local id."""
        seq = self._makers.get(local_id)
        return None if seq is None else self._entries.get(seq)

    def waits_for(self, entry: Entry) -> Entry | None:
        """The entry that has to be accepted before this one, if there is one."""
        makers = (self.maker_of(one) for one in entry.needs)
        earlier = (other for other in self.about(entry.subject) if other.seq < entry.seq)
        return next((one for one in (*makers, *earlier) if one is not None and one.is_drawn), None)

    def dependants(self, entry: Entry) -> tuple[Entry, ...]:
        """Those that cannot be without what an entry makes, and without what they make, in turn."""
        found: dict[int, Entry] = {}
        makers = [entry]
        while makers:
            made = makers.pop().operation.creates
            for seq in sorted(self._naming.get(made, ())) if made is not None else ():
                other = self._entries[seq]
                if seq != entry.seq and seq not in found and made in other.needs:
                    found[seq] = other
                    makers.append(other)
        return tuple(found[seq] for seq in sorted(found))

    def family(self, entry: Entry) -> tuple[Entry, ...]:
        """The entry, what makes the things it needs, and all that depends on these."""
        found = {entry.seq: entry}
        asked = [entry]
        while asked:
            for one in asked.pop().needs:
                maker = self.maker_of(one)
                if maker is not None and maker.seq not in found:
                    found[maker.seq] = maker
                    asked.append(maker)
        for member in tuple(found.values()):
            found.update((other.seq, other) for other in self.dependants(member))
        return tuple(found[seq] for seq in sorted(found))

    def is_orphan(self, entry: Entry) -> bool:
        """Whether it needs something that was never made, nor will be."""
        makers = [self.maker_of(one) for one in entry.needs]
        return any(maker is None or not maker.is_drawn for maker in makers)


def _drop(lists: dict[_K, dict[int, None]], key: _K, seq: int) -> None:
    seqs = lists.get(key)
    if seqs is not None:
        seqs.pop(seq, None)
        if not seqs:
            del lists[key]
