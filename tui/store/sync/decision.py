"""Decides what happens to a pending change; pure functions.

Nothing is sent twice blindly: when the service may have carried out a request whose response was
lost, the subject is read back first, and what cannot be told is left to the user. Changes of others
are not overwritten without asking. A change is refused only by a definite response of the service.
Every other failure is retried: for ever if it concerns all changes alike, a few times if it is an
answer to this one.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from tui.client.documents import Document
from tui.client.errors import (
    REFUSALS,
    ApiError,
    BadAddress,
    NotAllowed,
    NotFound,
    ServerFault,
    TlsFailed,
    UnexpectedAnswer,
    WrongCredentials,
)
from tui.model.ids import Kind
from tui.store.connection import FRESH_SECONDS
from tui.store.operations.base import (
    AlreadyApplied,
    Conflicting,
    FieldDifference,
    Finding,
    Operation,
    Reply,
)
from tui.store.outbox.entry import ATTEMPTS_UNTIL_PARKED, OutboxEntry
from tui.store.reading import is_archived

LONGEST_PAUSE = 60.0
LONGEST_WAIT = 300.0
IN_THE_WAY = (BadAddress, TlsFailed, WrongCredentials, UnexpectedAnswer)
"""Errors of the connection, which affect every change alike."""

NEVER_MADE = "What it changes was never created, or is no longer cached."
DIFFERS = "Someone else changed the same. Choose whose change to keep; nothing is lost."
_CANNOT_TELL = (
    "The response was lost, and the service’s data does not show whether the change took effect."
)
_FAILED_OR_NOT = "Its data does not show whether the change took effect all the same."
_STILL_CANNOT_TELL = "Checked again: the service’s data still does not show whether it took effect."
_RESTORE = "was archived by someone else. Restore it and send this change again, or discard it."
_ARCHIVED: dict[Kind, str] = {"task": f"The card {_RESTORE}", "stage": f"The stage {_RESTORE}"}
_FIRST_FAULT = 500
_AFFECT_ALL = frozenset({429, 502, 503, 504})
_NAMES: dict[Kind, str] = {
    "board": "board",
    "stage": "stage",
    "task": "task",
    "subtask_group": "group of subtasks",
    "comment": "comment",
    "label": "label",
    "field": "custom field",
    "field_value": "custom field",
    "image": "image",
    "member": "person or board",
}


class Send(NamedTuple):
    """Send it, as this operation."""

    operation: Operation


class ReadBack(NamedTuple):
    """Read back whether it took effect."""


class Accept(NamedTuple):
    """The service has it."""

    reply: Reply


class Refuse(NamedTuple):
    """The service refused it."""

    reason: str


class EditConflict(NamedTuple):
    """Others changed the same; `now` is the service's document."""

    now: Document
    differences: tuple[FieldDifference, ...]


class OutcomeUnknown(NamedTuple):
    """Only the user can tell whether it took effect."""

    reason: str


class RetryLater(NamedTuple):
    """It was not delivered."""

    error: ApiError


Outcome = Accept | Refuse | EditConflict | OutcomeUnknown | RetryLater


def has_waited(entry: OutboxEntry, now: datetime, answered_at: datetime | None) -> bool:
    """Whether others had time to change the same since it was submitted.

    They had if the board was fetched since, if an attempt failed, or if more than a moment passed,
    also when the clock was set back meanwhile.
    """
    # After the clock was set back the age is negative, which tells nothing about the real one.
    age = now - entry.since
    if entry.attempts or not timedelta() <= age < timedelta(seconds=FRESH_SECONDS):
        return True
    return answered_at is not None and entry.since < answered_at


def after_comparing(operation: Operation, now: Document | None) -> Send | Outcome:
    """What to do given the subject's current document; None if it does not exist any more."""
    if now is None:
        return Refuse(_gone(operation))
    kind = operation.subject.kind
    if kind in _ARCHIVED and is_archived(now):
        return Refuse(_ARCHIVED[kind])
    verdict = operation.check(now)
    if isinstance(verdict, AlreadyApplied):
        return Accept(operation.reply_about(now))
    if isinstance(verdict, Conflicting):
        return EditConflict(now, verdict.differences)
    return Send(verdict)


def unless_own(
    operation: Operation, conflict: EditConflict, own: Sequence[Operation]
) -> Send | EditConflict:
    """Send it if what it is in conflict with is what one of the user's `own` changes sets."""
    for earlier in own:
        is_set = isinstance(earlier.check(conflict.now), AlreadyApplied)
        if is_set and earlier.sets_the_same(operation):
            return Send(operation.rebased_on(conflict.now))
    return conflict


def after_read_back(
    entry: OutboxEntry, finding: Finding, error: ApiError | None = None
) -> Send | Outcome:
    """What to do with a change that may have been sent, after reading back.

    `error` is the answer to it, if there was one just now. If the result is unclear the user
    decides; once they chose to send it, it is sent, unless it could create a duplicate.
    """
    # What was sent has at least one attempt; the count is 0 only if the user chose to retry.
    was_asked = not entry.attempts
    if finding.done:
        return Accept(finding.reply)
    if finding.done is None and not (was_asked and entry.operation.creates is None):
        if error is not None and error.status is not None:
            return OutcomeUnknown(f"{error.message} {_FAILED_OR_NOT}")
        return OutcomeUnknown(_STILL_CANNOT_TELL if was_asked else _CANNOT_TELL)
    return Send(entry.operation)


def after_sending_failed(operation: Operation, error: ApiError) -> ReadBack | Refuse | RetryLater:
    """What to do after an error in place of a response."""
    # Services write and then answer 500, so an error is no proof that nothing happened.
    if is_definite(error) or (error.may_have_happened and not error.is_passing):
        return ReadBack()
    if error.is_passing or isinstance(error, IN_THE_WAY):
        return RetryLater(error)
    return Refuse(_refusal(operation, error))


def after_fault(entry: OutboxEntry, error: ApiError) -> Refuse | RetryLater:
    """What to do after a fault, if reading back showed that it took no effect.

    After a few faults the change is parked: it is set apart as if it were refused, so that nothing
    waits for it and the board shows what the service has.
    """
    if entry.faults < ATTEMPTS_UNTIL_PARKED:
        return RetryLater(error)
    if isinstance(error, REFUSALS):
        return Refuse(error.message)
    return Refuse(_attempts_in_words(error))


def after_reading_failed(entry: OutboxEntry, error: ApiError) -> Outcome:
    """What to do after a failed read, before sending or after a lost response.

    After a few faults the change is parked; if it may have been sent, the user decides about it.
    """
    # Some editions answer plain refusals such as “Task not found” with 500, so these cannot be told
    # from faults and are tried again too.
    is_fault = not isinstance(error, REFUSALS) or (error.status or 0) >= _FIRST_FAULT
    if is_fault and (entry.faults < ATTEMPTS_UNTIL_PARKED or not is_own_fault(error)):
        return RetryLater(error)
    if entry.baseline is not None:
        return OutcomeUnknown(_attempts_in_words(error) if is_fault else error.message)
    return Refuse(_attempts_in_words(error) if is_fault else _refusal(entry.operation, error))


def is_definite(error: ApiError) -> bool:
    """Whether a passing error is nevertheless an answer to this request.

    No answer, and those that say that the service is busy or away, concern every request.
    """
    is_answer = isinstance(error, ServerFault) and error.status is not None
    return is_answer and error.is_passing and error.status not in _AFFECT_ALL


def is_own_fault(error: ApiError) -> bool:
    """Whether the service fails on this change, rather than refusing it or being out of reach."""
    is_refusal = isinstance(error, REFUSALS) and (error.status or 0) < _FIRST_FAULT
    affects_all = error.is_passing or isinstance(error, IN_THE_WAY)
    return is_definite(error) or not (is_refusal or affects_all)


def is_fault_of_read(error: ApiError) -> bool:
    """Whether an error before anything was written is a read that broke down, not a refusal."""
    # An error without a status says that the service stored nothing: another try would not either.
    return error.status is not None and is_own_fault(error)


def pause_after(attempts: int, error: ApiError, jitter: float) -> timedelta:
    """The pause before the next attempt; `jitter` is between 0 and 1."""
    # Attempts are counted over days offline: without a limit the power would overflow.
    longest = min(LONGEST_PAUSE, 2.0 ** min(attempts, 10))
    asked_for = min(error.retry_after or 0.0, LONGEST_WAIT)
    return timedelta(seconds=max(asked_for, longest * (1.0 + jitter) / 2))


def _attempts_in_words(error: ApiError) -> str:
    status = f", status {error.status}" if error.status else ""
    return f"{error.message} (Tried {ATTEMPTS_UNTIL_PARKED} times{status}.)"


def _refusal(operation: Operation, error: ApiError) -> str:
    if isinstance(error, NotFound):
        return f"{error.message} {_gone(operation)}"
    if isinstance(error, NotAllowed):
        return f"{error.message} Discard it, or ask someone who has the permission."
    return error.message


def _gone(operation: Operation) -> str:
    name = _NAMES[operation.subject.kind]
    return f"The {name} no longer exists: someone else deleted it. Discard this change."
