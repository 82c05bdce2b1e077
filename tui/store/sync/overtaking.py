"""Where cards are put that are moved before older changes were sent.

Changes are sent in the order in which they were made, each to the place that it was made with. The
service then has what was drawn when it was made, and all that follows is drawn on that as before.

A change that is sent while older ones wait, which failed or got no answer, changes its turn with
them. After all of these the cards have to be in the same order as otherwise, so that nothing that
follows is drawn elsewhere: each gets the place that it has in the end, among the cards that do not
move any more. The older ones get theirs when it is accepted, as until then all is drawn as before.
They are all sent then, also one that moves a card to where it was: the others do not count on that.
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

    Changes that put cards into the same stages are all that matters: others take none to another
    place among the rest.
    """
    own, arranged = entry.operation, entry.operation.arranges
    entries = queue.of(entry.board_id)
    older = [other for other in entries if other.seq < entry.seq and other.is_drawn]
    if all(arranged.isdisjoint(other.operation.arranges) for other in older):
        return Overtaking(own, ())
    truth = without_made(truth, (*older, entry))
    drawn = project(truth, [*(other.operation for other in older), own])
    changed: dict[int, OutboxEntry] = {}
    for stage_id in (subject.id for subject in arranged if subject.kind == "stage"):
        placed = _Placed(stage_id, older, truth, drawn)
        changed |= {other.seq: other for other in placed.anew((entry, *older))}
    overtaken = (
        _never_dropped(changed.get(other.seq, other))
        for other in older
        if not arranged.isdisjoint(other.operation.arranges)
    )
    operation = changed.get(entry.seq, entry).operation
    return Overtaking(
        operation, tuple(other for other in overtaken if other != queue.get(other.seq))
    )


class _Placed:
    """The cards of a stage that do not move any more, which grow in number with each change."""

    def __init__(
        self, stage_id: int, older: Sequence[OutboxEntry], truth: BoardView, drawn: BoardView
    ) -> None:
        self._stage_id = stage_id
        self._lane: Lane = drawn.in_stage(stage_id)
        self._present = truth.in_stage(stage_id).ids
        self._last = {each.subject.id: each.seq for each in older if _puts_a_card(each.operation)}
        self._placed: set[int] = set()

    def anew(self, entries: Sequence[OutboxEntry]) -> Iterator[OutboxEntry]:
        """Those of the entries whose places change, if they are sent in this order."""
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
        above = (self._lane[each].id for each in range(row - 1, -1, -1))
        below = (self._lane[each].id for each in range(row + 1, len(self._lane)))
        return Place(next(filter(self._stays, above), None), next(filter(self._stays, below), None))

    def _stays(self, card_id: int) -> bool:
        return card_id in self._placed or (card_id not in self._last and card_id in self._present)


def _never_dropped(entry: OutboxEntry) -> OutboxEntry:
    operation = entry.operation
    if not isinstance(operation, change.MoveTask):
        return entry
    return replace(entry, operation=operation.without_base())


def _puts_a_card(operation: Operation) -> bool:
    return operation.subject.kind == "task" and any(
        subject.kind == "stage" for subject in operation.arranges
    )
