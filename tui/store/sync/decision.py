"""What to do with a change that waits to be sent: pure functions of what is known.

Nothing is sent twice blindly: whenever the service may have done what it was asked without our
hearing of it, the subject is read back first, and what cannot be told is left to a person. What
somebody else changed meanwhile is not overwritten unasked. A change is refused only by the
service's own word, and kept with the reason; whatever else goes wrong, it is tried again.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from tui.client.errors import (
    REFUSALS,
    ApiError,
    BadAddress,
    Nonsense,
    NotAllowed,
    NotThere,
    TlsFailed,
    WrongCredentials,
)
from tui.model.ids import Kind
from tui.store.connection import FRESH_SECONDS
from tui.store.operations.base import (
    AlreadyApplied,
    Conflicting,
    Difference,
    Finding,
    Merged,
    Operation,
    Reply,
)
from tui.store.outbox.entry import Entry
from tui.store.reading import is_archived
from tui.store.remote import Document

LONGEST_PAUSE = 60.0
LONGEST_WAIT = 300.0
IN_THE_WAY = (BadAddress, TlsFailed, WrongCredentials, Nonsense)
"""What is wrong with the way to the service, and so with every change alike."""

NEVER_MADE = "What it changes was never made."
DIFFERS = "Somebody else changed the same meanwhile. Say whose should stay; nothing is lost."
_CANNOT_TELL = "The answer was lost, and what the service has does not show whether it was done."
_STILL_CANNOT_TELL = "It was looked for again; what the service has still does not show it."
_ARCHIVED = (
    "The task was archived by somebody else. Bring it back and send this change again, "
    "or discard it."
)
_FIRST_FAULT = 500
_NAMES: dict[Kind, str] = {
    "board": "board",
    "stage": "stage",
    "task": "task",
    "subtask_group": "group of subtasks",
    "comment": "comment",
    "label": "label",
    "field_value": "custom field",
    "image": "image",
}


class Send(NamedTuple):
    """Send it, as this operation."""

    operation: Operation


class Look(NamedTuple):
    """See whether it was done."""


class Accept(NamedTuple):
    """The service has it."""

    reply: Reply


class Refuse(NamedTuple):
    """The service does not take it."""

    reason: str


class Conflict(NamedTuple):
    """Somebody else changed the same; `now` is what the service has."""

    now: Document
    differences: tuple[Difference, ...]


class Unsure(NamedTuple):
    """Only a person can tell whether it was done."""

    reason: str


class TryAgain(NamedTuple):
    """It did not get through; it `comes_last` if it fails again and again by itself."""

    error: ApiError
    comes_last: bool = False


Outcome = Accept | Refuse | Conflict | Unsure | TryAgain


def has_waited(entry: Entry, now: datetime, answered_at: datetime | None) -> bool:
    """Whether others had time to change the same since it was asked for.

    They had if the board was heard of since, if it was tried in vain, or if more than a moment
    passed; so they had if the clock was set back meanwhile, because then nobody can say.
    """
    age = now - entry.since
    if entry.attempts or not timedelta() <= age < timedelta(seconds=FRESH_SECONDS):
        return True
    return answered_at is not None and entry.since < answered_at


def after_comparing(operation: Operation, now: Document | None) -> Send | Outcome:
    """What to do where the service has this now; None if what it is about is gone."""
    if now is None:
        return Refuse(_gone(operation))
    if operation.subject.kind == "task" and is_archived(now):
        return Refuse(_ARCHIVED)
    verdict = operation.check(now)
    if isinstance(verdict, AlreadyApplied):
        return Accept(verdict.reply)
    if isinstance(verdict, Conflicting):
        return Conflict(now, verdict.differences)
    return Send(verdict.operation if isinstance(verdict, Merged) else operation)


def after_looking(entry: Entry, finding: Finding) -> Send | Outcome:
    """What to do with a change that may have been sent, after a look whether it was done.

    Where that cannot be told, a person decides; who was asked before and wants it sent has it sent,
    unless there might be two of what it makes.
    """
    was_asked = not entry.attempts
    if finding.done:
        return Accept(finding.reply)
    if finding.done is None and not (was_asked and entry.operation.creates is None):
        return Unsure(_STILL_CANNOT_TELL if was_asked else _CANNOT_TELL)
    return Send(entry.operation)


def after_sending_failed(operation: Operation, error: ApiError) -> Look | Refuse | TryAgain:
    """What to do where this came instead of a reply."""
    if error.may_have_happened and not error.is_passing:
        return Look()
    if error.is_passing or isinstance(error, IN_THE_WAY):
        return TryAgain(error)
    return Refuse(_refusal(operation, error))


def after_fault(error: ApiError, *, fails_again: bool) -> Refuse | TryAgain:
    """What to do after a fault, if a look showed that it was not done."""
    if fails_again and isinstance(error, REFUSALS):
        return Refuse(error.message)
    return TryAgain(error, comes_last=fails_again)


def after_reading_failed(entry: Entry, error: ApiError, *, fails_again: bool) -> Outcome:
    """What to do where reading failed, before sending or after a reply was lost."""
    if not isinstance(error, REFUSALS) or (error.status or 0) >= _FIRST_FAULT:
        return TryAgain(error, comes_last=fails_again)
    if entry.baseline is not None:
        return Unsure(error.message)
    return Refuse(_refusal(entry.operation, error))


def is_own_fault(error: ApiError) -> bool:
    """Whether the service fails on this change, rather than refusing it or being out of reach."""
    is_refusal = isinstance(error, REFUSALS) and (error.status or 0) < _FIRST_FAULT
    return not (is_refusal or error.is_passing or isinstance(error, IN_THE_WAY))


def pause_after(attempts: int, error: ApiError, jitter: float) -> timedelta:
    """How long to wait before the next attempt; `jitter` is between 0 and 1."""
    longest = min(LONGEST_PAUSE, 2.0 ** min(attempts, 10))
    asked_for = min(error.retry_after or 0.0, LONGEST_WAIT)
    return timedelta(seconds=max(asked_for, longest * (1.0 + jitter) / 2))


def _refusal(operation: Operation, error: ApiError) -> str:
    """What the service said, and what it means where that is plain."""
    if isinstance(error, NotThere):
        return f"{error.message} {_gone(operation)}"
    if isinstance(error, NotAllowed):
        return f"{error.message} Discard it, or ask somebody who may."
    return error.message


def _gone(operation: Operation) -> str:
    name = _NAMES[operation.subject.kind]
    return f"The {name} is gone: somebody else deleted it. Discard this change, or make it anew."
