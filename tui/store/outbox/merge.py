"""Merging pending operations that later ones supersede.

Sending what is left brings the service to the same state as sending everything, one after the
other; nothing is left out that an operation in between depends on. The history keeps every one.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from tui.store.operations.base import Nothing, Operation
from tui.store.outbox.entry import Entry

Between = Callable[[Entry, Entry], Sequence[Entry]]
"""The drawn entries of a board between two of its entries."""


class Merging(NamedTuple):
    """What becomes of an entry and those that follow it.

    `survivor` stands for the entry and those of `gone`, with its new operation; None if nothing is
    left of them to be sent.
    """

    survivor: Entry | None
    gone: tuple[Entry, ...] = ()


def merged(
    first: Entry, later: Sequence[Entry], between: Between, dependants: Sequence[Entry]
) -> Merging:
    """Merge an entry that was never sent with the later ones on the same subject.

    `dependants` are the entries that cannot be without what `first` makes.
    """
    fold = _Fold(first, between)
    for entry in later:
        if not entry.was_never_sent:
            continue
        together = fold.now.operation.merged_with(entry.operation)
        if isinstance(together, Nothing):
            if first.operation.creates is not None:
                return _unmade(first, entry, between, dependants) or fold.result()
            if fold.cancels(entry):
                return Merging(None, (*fold.gone, fold.now, entry))
        elif together is not None and not fold.take(entry, together):
            break
    return fold.result()


class _Fold:
    """One entry that takes in later ones, unless an entry in between conflicts."""

    def __init__(self, first: Entry, between: Between) -> None:
        self._first = first
        self._between = between
        self.now = first
        self.gone: list[Entry] = []

    def take(self, entry: Entry, together: Operation) -> bool:
        """Merge both, if no entry in between conflicts; says whether it could be done."""
        if self._first.operation.creates is not None:
            passed = self._others(self._first, entry)
            if any(other.operation.conflicts_with(entry.operation) for other in passed):
                return False
            self.now = _standing_for(self.now, entry, together)
            self.gone.append(entry)
            return True
        passed = self._others(self.now, entry)
        if any(other.operation.depends_on(self.now.operation) for other in passed):
            return False
        self.gone.append(self.now)
        self.now = _standing_for(entry, self.now, together)
        return True

    def cancels(self, entry: Entry) -> bool:
        """Whether the entry undoes all there was, and no entry in between conflicts."""
        return not any(
            other.operation.conflicts_with(one)
            for other in self._others(self._first, entry)
            for one in (self.now.operation, entry.operation)
        )

    def result(self) -> Merging:
        """What is left; nothing if it ends as it began.

        Where something in between may have changed the same, nobody knows what the last one will
        be made on.
        """
        merging = Merging(self.now, tuple(self.gone))
        others = self._others(self._first, self.now)
        if any(other.operation.conflicts_with(self.now.operation) for other in others):
            freed = self.now.operation.without_base()
            if freed.changes_nothing:
                return Merging(self._first)
            return merging._replace(survivor=replace(self.now, operation=freed))
        if self.now.operation.changes_nothing:
            return Merging(None, (*self.gone, self.now))
        return merging

    def _others(self, start: Entry, last: Entry) -> list[Entry]:
        """What lies between two entries, without what was taken in."""
        taken = {entry.seq for entry in self.gone} | {self.now.seq}
        return [entry for entry in self._between(start, last) if entry.seq not in taken]


def _standing_for(survivor: Entry, gone: Entry, together: Operation) -> Entry:
    stands_for = (*survivor.stands_for, *gone.stands_for, gone.seq)
    return replace(survivor, operation=together, stands_for=stands_for)


def _unmade(
    made: Entry, deleted: Entry, between: Between, dependants: Sequence[Entry]
) -> Merging | None:
    """What was made and deleted again goes, with all that hangs on it; None if it has to stay.

    It has to if something else refers to it in between, if only as a neighbour, or if something of
    its family was sent or is about a thing that will stay.
    """
    family = {entry.seq: entry for entry in dependants if entry.seq <= deleted.seq}
    local = {made.operation.creates} | {entry.operation.creates for entry in family.values()}
    if len(family) < len(dependants) or not all(
        entry.was_never_sent and entry.subject.id in local for entry in family.values()
    ):
        return None
    others = [entry for entry in between(made, deleted) if entry.seq not in family]
    if any(not local.isdisjoint(entry.operation.refers) for entry in others):
        return None
    return Merging(None, (made, *family.values()))
