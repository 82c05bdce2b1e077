"""Entries of the outbox: one pending operation each, with its state.

A row that cannot be read completely is not read at all.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from tui.record import record
from tui.store.events import PendingChange, PendingState
from tui.store.operations.base import Baseline, FieldDifference, Operation, Subject
from tui.store.outbox.codec import UnreadableOperationError, decode

COLUMNS = (
    "seq, board_id, operation, since, state, attempts, next_try, reason, footing, differences, "
    "stands_for, idempotency_key, faults, sender, origin"
)
ATTEMPTS_UNTIL_PARKED = 3
"""A change is parked after this many answers that concern it alone and settle nothing."""

_Text = str | None
Row = tuple[int, int, str, str, str, int, _Text, str, _Text, _Text, _Text, _Text, int, _Text, str]
Standing = tuple[str, int, str | None, str, str | None, str | None, int, str | None, str]
_GOING = (PendingState.WAITING, PendingState.SENDING)
_UNDRAWN = (PendingState.REFUSED, PendingState.CONFLICT)
UNREADABLE = (UnreadableOperationError, ValueError, TypeError, LookupError, AttributeError)
"""The errors of reading a damaged row."""


@record
class OutboxEntry:
    """An operation in the outbox.

    `baseline` is set once it may have been sent; in a conflict it holds the service's document.
    `next_try` is the earliest time of the next attempt; `stands_for` are the numbers of entries
    merged into it. Idempotency keys of its requests are derived from `key`, if it has one. `faults`
    counts the answers that concerned it alone and settled nothing; a restart keeps them. While it
    is being sent, `sender` is the name of the lease under which that is done. `origin` is what made
    it in place of the user, such as “mcp”, or empty.
    """

    seq: int
    board_id: int
    operation: Operation
    since: datetime
    state: PendingState = PendingState.WAITING
    attempts: int = 0
    next_try: datetime | None = None
    reason: str = ""
    baseline: Baseline | None = None
    differences: tuple[FieldDifference, ...] = ()
    stands_for: tuple[int, ...] = ()
    key: str = ""
    faults: int = 0
    sender: str = ""
    origin: str = ""

    @property
    def subject(self) -> Subject:
        """What its operation changes or creates."""
        return self.operation.subject

    @property
    def needs(self) -> frozenset[int]:
        """The local ids that must be assigned before it can be sent."""
        operation = self.operation
        return frozenset(id_ for id_ in operation.refers - operation.optional_refs if id_ < 0)

    @property
    def is_drawn(self) -> bool:
        """Whether the projection includes it."""
        return self.state not in _UNDRAWN

    @property
    def is_outstanding(self) -> bool:
        """Whether it was sent without a known outcome."""
        return self.baseline is not None and self.is_to_be_sent

    @property
    def is_accepted(self) -> bool:
        """Whether what it creates has its assigned id already."""
        return (self.operation.creates or 0) > 0

    @property
    def newest_id(self) -> int:
        """The highest id known when it was sent."""
        return 0 if self.baseline is None else self.baseline.newest_id

    @property
    def is_to_be_sent(self) -> bool:
        """Whether it can be sent without the user deciding."""
        return self.state in _GOING

    @property
    def was_never_sent(self) -> bool:
        """Whether the service cannot have seen it."""
        return self.state is PendingState.WAITING and self.baseline is None

    def renamed(self, ids: Mapping[int, int]) -> "OutboxEntry":
        """The same entry with local ids replaced by assigned ones."""
        operation = self.operation.renamed(ids)
        if operation is self.operation:
            return self
        board_id = ids.get(self.board_id, self.board_id)
        return replace(self, board_id=board_id, operation=operation)

    def pending_change(self) -> PendingChange:
        """The entry as screens see it."""
        return PendingChange(
            id=self.seq,
            board_id=self.board_id,
            operation=self.operation,
            state=self.state,
            since=self.since,
            attempts=self.attempts,
            reason=self.reason,
            differences=self.differences,
            origin=self.origin,
        )


def entry_of(row: Row) -> OutboxEntry:
    """The entry in a row.

    Raises one of `UNREADABLE` if the row is damaged.
    """
    seq, board_id, body, since, state, attempts, next_try, reason, baseline = row[:9]
    differences, stands_for, key, faults, sender, origin = row[9:]
    return OutboxEntry(
        seq=seq,
        board_id=board_id,
        operation=decode(body),
        since=datetime.fromisoformat(since),
        state=PendingState(state),
        attempts=attempts,
        next_try=datetime.fromisoformat(next_try) if next_try else None,
        reason=reason,
        baseline=_baseline(json.loads(baseline)) if baseline else None,
        differences=tuple(FieldDifference(*fields) for fields in json.loads(differences or "[]")),
        stands_for=tuple(json.loads(stands_for or "[]")),
        key=key or "",
        faults=faults,
        sender=sender or "",
        origin=origin,
    )


def standing_of(entry: OutboxEntry) -> Standing:
    """The state columns: from `state` on, with `faults` before `stands_for`; then the sender."""
    return (
        entry.state.value,
        entry.attempts,
        entry.next_try.isoformat() if entry.next_try else None,
        entry.reason,
        json.dumps(entry.baseline._asdict()) if entry.baseline else None,
        json.dumps(entry.differences) if entry.differences else None,
        entry.faults,
        json.dumps(entry.stands_for) if entry.stands_for else None,
        entry.sender if entry.state is PendingState.SENDING else "",
    )


def _baseline(data: dict[str, Any]) -> Baseline:
    return Baseline(data["document"], int(data["newest_id"]), data["sent_at"])
