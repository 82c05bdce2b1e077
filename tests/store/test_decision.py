"""What is decided about a change that is to be sent."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tui.client.errors import ApiError, NotFound, Refused, ServerFault, TimedOut, UnexpectedAnswer
from tui.model.task import Task
from tui.store.operations import CreateTask, Operation, set_title
from tui.store.operations.base import Baseline, Finding
from tui.store.outbox.entry import OutboxEntry
from tui.store.sync import decision
from tui.store.sync.decision import (
    Accept,
    EditConflict,
    OutcomeUnknown,
    ReadBack,
    Refuse,
    RetryLater,
    Send,
)

_NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
_TITLE = set_title(Task(7, 1, 11, "Old"), "Ours")
_NEW = CreateTask.new(1, 11, "New")
_LOST = TimedOut("The service did not respond.", may_have_happened=True)
_FAULT = Refused("It broke.", status=500, may_have_happened=True)


def _entry(operation: Operation = _TITLE, attempts: int = 1) -> OutboxEntry:
    return OutboxEntry(1, 1, operation, _NOW, attempts=attempts)


@pytest.mark.parametrize(
    ("title", "expected"), [("Old", Send), ("Ours", Accept), ("Theirs", EditConflict)]
)
def test_what_others_changed_is_not_overwritten(title: str, expected: type) -> None:
    now = {"id": 7, "title": title, "stage_id": 11}
    assert isinstance(decision.after_comparing(_TITLE, now), expected)


def test_what_is_gone_or_archived_is_refused() -> None:
    gone = decision.after_comparing(_TITLE, None)
    archived = decision.after_comparing(_TITLE, {"id": 7, "archived_at": "2026-11-20T09:00:00"})
    assert isinstance(gone, Refuse)
    assert "someone else deleted it" in gone.reason
    assert isinstance(archived, Refuse)
    assert "archived by someone else" in archived.reason


@pytest.mark.parametrize(
    ("done", "operation", "attempts", "expected"),
    [
        (True, _NEW, 1, Accept),
        (False, _NEW, 1, Send),
        (None, _NEW, 1, OutcomeUnknown),
        (None, _NEW, 0, OutcomeUnknown),
        (None, _TITLE, 1, OutcomeUnknown),
        (None, _TITLE, 0, Send),
    ],
)
def test_what_cannot_be_told_is_left_to_a_person_who_can_have_it_sent_unless_it_makes_something(
    done: bool | None, operation: Operation, attempts: int, expected: type
) -> None:
    decided = decision.after_read_back(_entry(operation, attempts), Finding(done))
    assert isinstance(decided, expected)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (_LOST, RetryLater),
        (_FAULT, ReadBack),
        (TimedOut("Nobody is there."), RetryLater),
        (UnexpectedAnswer("This is no answer."), RetryLater),
        (Refused("Titles are short."), Refuse),
    ],
)
def test_only_the_service_refuses(error: ApiError, expected: type) -> None:
    assert isinstance(decision.after_sending_failed(_TITLE, error), expected)


def test_what_fails_three_times_is_parked() -> None:
    once, thrice = replace(_entry(), faults=1), replace(_entry(), faults=3)
    assert decision.after_fault(once, _FAULT) == RetryLater(_FAULT)
    assert decision.after_fault(thrice, _FAULT) == Refuse("It broke.")
    other = UnexpectedAnswer("This is no answer.", may_have_happened=True)
    assert decision.after_fault(once, other) == RetryLater(other)
    parked = decision.after_fault(thrice, other)
    assert isinstance(parked, Refuse)
    assert parked.reason == "This is no answer. (Tried 3 times.)"


@pytest.mark.parametrize(
    ("status", "expected"),
    [(408, True), (425, True), (507, True), (429, False), (502, False), (503, False), (504, False)],
)
def test_only_what_concerns_everybody_is_tried_for_ever(status: int, *, expected: bool) -> None:
    error = ServerFault("Later.", status=status, is_passing=True)
    assert decision.is_definite(error) is expected
    assert not decision.is_definite(_LOST)


def test_what_cannot_be_read_is_refused_only_if_it_was_never_sent() -> None:
    error = NotFound("There is no task.", status=404)
    sent = replace(_entry(), baseline=Baseline())
    refused = decision.after_reading_failed(_entry(), error)
    assert isinstance(refused, Refuse)
    assert isinstance(decision.after_reading_failed(sent, error), OutcomeUnknown)
    assert isinstance(decision.after_reading_failed(sent, _FAULT), RetryLater)
    assert isinstance(
        decision.after_reading_failed(replace(sent, faults=3), _FAULT), OutcomeUnknown
    )
    assert isinstance(decision.after_reading_failed(replace(_entry(), faults=3), _FAULT), Refuse)


@pytest.mark.parametrize(
    ("age", "attempts", "answered", "expected"),
    [
        (1, 0, None, False),
        (1, 1, None, True),
        (1, 0, 0.5, True),
        (16, 0, None, True),
        (-1, 0, None, True),
    ],
)
def test_others_were_faster_only_if_they_had_time(
    age: float, attempts: int, answered: float | None, expected: bool
) -> None:
    answered_at = None if answered is None else _NOW + timedelta(seconds=answered)
    entry = _entry(attempts=attempts)
    assert decision.has_waited(entry, _NOW + timedelta(seconds=age), answered_at) is expected


def test_pauses_grow_up_to_a_limit_and_never_undercut_what_the_service_asks_for() -> None:
    def pause(attempts: int, error: ApiError) -> float:
        return decision.pause_after(attempts, error, 1.0).total_seconds()

    assert [pause(attempts, _LOST) for attempts in (1, 3, 20)] == [2, 8, 60]
    assert pause(1, Refused("Later.", status=429, retry_after=90)) == 90
    assert pause(1, Refused("Much later.", status=429, retry_after=9000)) == 300
