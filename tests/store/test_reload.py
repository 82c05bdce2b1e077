"""What is asked about a board next."""

from dataclasses import replace
from typing import Any

import pytest

from tui.client.documents import BoardChanges
from tui.store.cache.freshness import BoardFreshness, reload_pause
from tui.store.sync.reload import (
    is_behind_after,
    is_behind_after_activity,
    is_frame_outdated,
    is_to_be_fetched,
    restores_stages,
)

_KNOWN = BoardFreshness(since="T", synced=10.0, fetched=100.0, running=50.0)
_BRIEF = replace(_KNOWN, since="")
_BIG = replace(_KNOWN, size=6_000_000, seconds=2.0)


@pytest.mark.parametrize(
    ("size", "seconds", "pause"),
    [(0, 0.0, 0.0), (100_000, 0.5, 50.0), (6_000_000, 0.5, 180.0), (12_000_000, 4.0, 400.0)],
)
def test_a_fetch_costs_a_hundredth_of_the_time_or_two_megabytes_a_minute(
    size: int, seconds: float, pause: float
) -> None:
    assert reload_pause(size, seconds) == pause


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        (replace(_KNOWN, is_cached=False), True),
        (replace(_KNOWN, fetched=None), True),
        (_KNOWN, False),
        (replace(_KNOWN, fetched=400.0), False),
        (replace(_KNOWN, fetched=400.0, running=400.0), True),
        (replace(_KNOWN, fetched=400.0, running=400.0, is_complete=True), True),
        (replace(_BIG, fetched=1_700.0, running=2_000.0), False),
        (replace(_BIG, fetched=2_100.0, running=2_100.0), True),
        (replace(_KNOWN, fetched=90_000.0), True),
        (replace(_KNOWN, fetched=90_000.0, is_complete=True), False),
        (replace(_KNOWN, is_behind=True), True),
        (replace(_BIG, is_behind=True), False),
        (replace(_BIG, fetched=210.0, is_behind=True), True),
    ],
)
def test_a_board_is_fetched_at_once_or_its_news(known: BoardFreshness, *, expected: bool) -> None:
    assert is_to_be_fetched(known) is expected


_DELETION = {"has_gone": True}


@pytest.mark.parametrize(
    ("known", "news", "is_behind"),
    [
        (_KNOWN, {}, False),
        (_KNOWN, {"tasks": [{"id": 1}], "has_changes": True}, False),
        (_KNOWN, {"gone": frozenset({1}), "has_changes": True}, False),
        (_KNOWN, {"has_changes": True}, False),
        (_KNOWN, {"must_reload": True}, True),
        (_KNOWN, _DELETION, True),
        (replace(_KNOWN, deleted=3.0), _DELETION, False),
        (replace(_KNOWN, deleted=70.0), _DELETION, True),
        (replace(_KNOWN, synced=4_000.0), {}, False),
        (replace(_KNOWN, since=""), {}, True),
        (replace(_KNOWN, is_behind=True), {}, True),
        (_BRIEF, {"synced_at": ""}, False),
        (replace(_BRIEF, synced=56.0), {"synced_at": ""}, True),
        (replace(_BRIEF, synced=None), {"synced_at": ""}, True),
        (_BRIEF, {"synced_at": "", **_DELETION}, True),
        (replace(_BRIEF, fetched=20.0), {"synced_at": "", **_DELETION}, False),
    ],
)
def test_what_news_leave_out_is_fetched(
    known: BoardFreshness, news: dict[str, Any], *, is_behind: bool
) -> None:
    told = BoardChanges(**{"synced_at": "T2", **news})
    assert is_behind_after(known, told) is is_behind
    assert known.may_reload
    assert not replace(known, size=60_000_000).may_reload, "not before its time"


@pytest.mark.parametrize(
    ("known_id", "newest", "is_own", "is_behind"),
    [(7, 7, False, False), (7, 8, False, True), (7, 8, True, False), (0, 8, False, False)],
)
def test_a_new_activity_of_others_is_a_reason_to_fetch_the_board(
    known_id: int, newest: int, *, is_own: bool, is_behind: bool
) -> None:
    known = replace(_KNOWN, activity_id=known_id)
    assert is_behind_after_activity(known, newest, is_own=is_own) is is_behind


_FRAME: dict[str, Any] = {
    "title": "Plans",
    "stages": [{"id": 1, "title": "Open", "color": "red"}],
    "labels": [{"id": 5, "title": "bug"}],
    "settings": {"tasks_count": 1},
}


@pytest.mark.parametrize(
    ("news", "is_outdated"),
    [
        ({"parts": {"stages": [{"id": 1, "title": "Open"}], "labels": [{"id": 5}]}}, False),
        ({"parts": {"stages": [{"id": 1, "title": "Ideas"}]}}, True),
        ({"parts": {"labels": [{"id": 6}]}}, True),
        ({"parts": {"board": [{"title": "Plans", "settings": {"tasks_count": 2}}]}}, False),
        ({"parts": {"board": [{"title": "Launch"}]}}, True),
        ({"is_frame_outdated": True}, True),
        ({"has_changes": True}, True),
        ({"is_frame_outdated": True, "synced_at": ""}, True),
    ],
)
def test_stages_and_labels_are_read_again_if_they_are_told_otherwise(
    news: dict[str, Any], *, is_outdated: bool
) -> None:
    told = BoardChanges(**{"synced_at": "T2", **news})
    assert is_frame_outdated(_KNOWN, told, _FRAME) is is_outdated


def test_a_deleted_stage_that_is_told_of_for_a_minute_is_heard_of_once() -> None:
    told = BoardChanges(is_frame_outdated=True)
    assert not is_frame_outdated(replace(_KNOWN, frame_fetched=30.0), told, _FRAME)
    assert is_frame_outdated(replace(_KNOWN, frame_fetched=66.0), told, _FRAME)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ([{"id": 1}, {"id": 2, "archived_at": "2026-11-20 09:00:00"}], False),
        ([{"id": 1}, {"id": 2}], True),
        ([{"id": 1}, {"id": 3}], False),
    ],
)
def test_a_restored_stage_brings_tasks(now: list[dict[str, Any]], *, expected: bool) -> None:
    before = {"stages": [{"id": 1}, {"id": 2, "archived_at": "2026-11-20 09:00:00"}]}
    assert restores_stages(before, {"stages": now}) is expected
    assert not restores_stages(None, {"stages": now})
