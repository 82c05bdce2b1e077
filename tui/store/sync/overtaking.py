"""The places of cards whose moves are sent before older changes.

Normally changes are sent in the order in which they were made, each with the place it was made
with. The service then has the state in which the change was drawn, and later changes build on it.

If older changes failed or got no response, a later one may be sent first: it overtakes them. Once
all are sent, the cards must be in the order that was drawn, or everything after them would move on
screen. So each change is given the card's final place, relative to cards that do not move any more.
The one that is sent gets it at once; the older ones get theirs when it is accepted, because until
then everything is drawn as before. Older moves are all sent, even one that returns a card to where
the service has it: the other places are computed as if that card were still to come.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tui.model.board import BoardView, Place
from tui.model.lane import Lane
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.store.outbox.entry import OutboxEntry
from tui.store.outbox.queue import Queue
from tui.store.views.projection import project, without_made


class Overtaking(NamedTuple):
    """What is sent for an entry, and the entries that it overtakes, as they are after it."""

    operation: Operation
    overtaken: tuple[OutboxEntry, ...]


def turn_of(entry: OutboxEntry, queue: Queue, truth: BoardView) -> Overtaking:
    """What is sent for an entry of the queue now; `truth` is the board without pending changes.

    Only older changes that put cards into the same stages matter.
    """
    own, arranged = entry.operation, entry.operation.arranges
    entries = queue.of(entry.board_id)
    older = [earlier for earlier in entries if earlier.seq < entry.seq and earlier.is_drawn]
    if all(arranged.isdisjoint(earlier.operation.arranges) for earlier in older):
        return Overtaking(own, ())
    # A card whose creation got no response may be in `truth` while it is drawn by its local id.
    truth = without_made(truth, (*older, entry))
    # The final order, once all of them are accepted.
    drawn = project(truth, [*(earlier.operation for earlier in older), own])
    changed: dict[int, OutboxEntry] = {}
    for stage_id in (subject.id for subject in arranged if subject.kind == "stage"):
        placed = _Placed(stage_id, older, truth, drawn)
        # In the order in which they will be sent: the entry before those that it overtakes.
        changed |= {moved.seq: moved for moved in placed.anew((entry, *older))}
    overtaken = (
        _never_dropped(changed.get(earlier.seq, earlier))
        for earlier in older
        if not arranged.isdisjoint(earlier.operation.arranges)
    )
    operation = changed.get(entry.seq, entry).operation
    return Overtaking(
        operation, tuple(moved for moved in overtaken if moved != queue.get(moved.seq))
    )


class _Placed:
    """The cards of a stage that do not move any more; each change that is placed adds its card."""

    def __init__(
        self, stage_id: int, older: Sequence[OutboxEntry], truth: BoardView, drawn: BoardView
    ) -> None:
        self._stage_id = stage_id
        self._lane: Lane = drawn.in_stage(stage_id)
        self._present = truth.in_stage(stage_id).ids
        # Of several changes that put the same card, only the last one gives it its final place.
        self._last = {move.subject.id: move.seq for move in older if _puts_a_card(move.operation)}
        self._placed: set[int] = set()

    def anew(self, entries: Sequence[OutboxEntry]) -> Iterator[OutboxEntry]:
        """The entries whose places change if they are sent in this order, with the new places."""
        for entry in entries:
            operation, card_id = entry.operation, entry.subject.id
            if not _puts_a_card(operation) or self._last.get(card_id, entry.seq) != entry.seq:
                continue
            self._placed.add(card_id)
            if isinstance(operation, change.MoveTask) and operation.stage_id == self._stage_id:
                place = self._place_of(card_id)
                if place not in (None, operation.place):
                    yield replace(entry, operation=replace(operation, place=place))

    def _place_of(self, card_id: int) -> Place | None:
        row = self._lane.row_of(card_id)
        if row is None:
            return None
        # Neighbours that are still to be moved say nothing about a place: they are passed over.
        above = (self._lane[index].id for index in range(row - 1, -1, -1))
        below = (self._lane[index].id for index in range(row + 1, len(self._lane)))
        return Place(next(filter(self._stays, above), None), next(filter(self._stays, below), None))

    def _stays(self, card_id: int) -> bool:
        return card_id in self._placed or (card_id not in self._last and card_id in self._present)


def _never_dropped(entry: OutboxEntry) -> OutboxEntry:
    operation = entry.operation
    if not isinstance(operation, change.MoveTask):
        return entry
    # With a base it would be skipped if the card is there already, but the cards that overtook it
    # were placed as if it were still to come.
    return replace(entry, operation=operation.without_base())


def _puts_a_card(operation: Operation) -> bool:
    return operation.subject.kind == "task" and any(
        subject.kind == "stage" for subject in operation.arranges
    )
