"""Merges pending operations that later ones supersede.

Sending the remaining operations leads to the same state as sending all of them in order; an
operation that others in between depend on stays. The history keeps every one.
"""

from dataclasses import replace
from typing import NamedTuple

from tui.store.operations.base import Nothing, Operation
from tui.store.outbox.entry import OutboxEntry
from tui.store.outbox.queue import Queue


class Merging(NamedTuple):
    """The result of merging an entry with later ones.

    `survivor` replaces the entry and those in `gone`, with its new operation; None if nothing has
    to be sent.
    """

    survivor: OutboxEntry | None
    gone: tuple[OutboxEntry, ...] = ()


def merged(first: OutboxEntry, queue: Queue) -> Merging:
    """Merge an unsent entry with the later ones on the same subject."""
    fold = _Fold(first, queue)
    for entry in queue.of_subject(first.subject):
        if entry.seq <= first.seq or not entry.was_never_sent:
            continue
        together = fold.now.operation.merged_with(entry.operation)
        if isinstance(together, Nothing):
            if first.operation.creates is not None:
                return _unmade(first, entry, queue) or fold.result()
            if fold.cancels(entry):
                return Merging(None, (*fold.gone, fold.now, entry))
        elif together is not None and not fold.take(entry, together):
            break
    return fold.result()


class _Fold:
    """An entry into which later ones are merged, unless an entry in between conflicts."""

    def __init__(self, first: OutboxEntry, queue: Queue) -> None:
        self._first = first
        self._queue = queue
        self.now = first
        self.gone: list[OutboxEntry] = []

    def take(self, entry: OutboxEntry, together: Operation) -> bool:
        """Merge an entry, if none in between conflicts; returns whether it was merged."""
        # What creates something keeps its turn, as later entries need its id. Anything else moves
        # to the turn of the later one.
        if self._first.operation.creates is not None:
            passed = self._others(self._first, entry)
            if any(skipped.operation.conflicts_with(entry.operation) for skipped in passed):
                return False
            self.now = _standing_for(self.now, entry, together)
            self.gone.append(entry)
            return True
        passed = self._others(self.now, entry)
        if any(skipped.operation.depends_on(self.now.operation) for skipped in passed):
            return False
        self.gone.append(self.now)
        self.now = _standing_for(entry, self.now, together)
        return True

    def cancels(self, entry: OutboxEntry) -> bool:
        """Whether the entry undoes the merged ones, and none in between conflicts."""
        return not any(
            between.operation.conflicts_with(operation)
            for between in self._others(self._first, entry)
            for operation in (self.now.operation, entry.operation)
        )

    def result(self) -> Merging:
        """The result; nothing is left if the value ends as it began.

        If an entry in between may change the same value, the last one stays, as its base is not
        known.
        """
        merging = Merging(self.now, tuple(self.gone))
        between = self._others(self._first, self.now)
        if any(entry.operation.conflicts_with(self.now.operation) for entry in between):
            freed = self.now.operation.without_base()
            if freed.changes_nothing:
                return Merging(self._first)
            return merging._replace(survivor=replace(self.now, operation=freed))
        if self.now.operation.changes_nothing:
            return Merging(None, (*self.gone, self.now))
        return merging

    def _others(self, start: OutboxEntry, last: OutboxEntry) -> list[OutboxEntry]:
        seqs = {entry.seq for entry in self.gone} | {self.now.seq}
        return [entry for entry in self._queue.between(start, last) if entry.seq not in seqs]


def _standing_for(survivor: OutboxEntry, gone: OutboxEntry, together: Operation) -> OutboxEntry:
    stands_for = (*survivor.stands_for, *gone.stands_for, gone.seq)
    return replace(survivor, operation=together, stands_for=stands_for)


def _unmade(creation: OutboxEntry, deleted: OutboxEntry, queue: Queue) -> Merging | None:
    # Returns None if the creation has to be sent: if any of its dependants was sent, comes after
    # the deletion, or changes a thing that stays, or if another entry in between refers to what
    # they create, even if only as the neighbour of a place.
    dependants = queue.dependants(creation)
    family = {entry.seq: entry for entry in dependants if entry.seq <= deleted.seq}
    local = {creation.operation.creates} | {entry.operation.creates for entry in family.values()}
    if len(family) < len(dependants) or not all(
        entry.was_never_sent and entry.subject.id in local for entry in family.values()
    ):
        return None
    between = [entry for entry in queue.between(creation, deleted) if entry.seq not in family]
    if any(not local.isdisjoint(entry.operation.refers) for entry in between):
        return None
    return Merging(None, (creation, *family.values()))
