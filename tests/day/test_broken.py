"""The judge of days with a broken route, on a service that breaks down at one."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.day.broken import plan, routes
from tests.day.editions import EDITIONS
from tests.day.play import Outcome, Verdict, play

_UPDATE_STAGE = "PUT /projects/{board_id}/update-stage/{stage_id}"
_SET = "PUT /projects/{board_id}/tasks/{task_id}"


def test_a_route_is_planned_with_the_steps_that_ask_there() -> None:
    outcomes = [
        Outcome(
            "x", "closed by x", Verdict.OK, asked=("GET /projects/1", "PUT /projects/1/tasks/2")
        ),
        Outcome("L", "moved", Verdict.OK, asked=("PUT /projects/1/tasks/2/move-task",)),
    ]
    planned = plan(outcomes, routes())
    assert planned.keys() == {
        _SET,
        "GET /projects/{board_id}",
        "PUT /projects/{board_id}/tasks/{task_id}/move-task",
    }
    assert "closed by x" in planned[_SET]
    assert "moved" not in planned[_SET]
    assert "renamed" in planned[_SET]


@pytest.mark.long
async def test_another_form_is_found_where_one_breaks_the_service(tmp_path: Path) -> None:
    edition = replace(EDITIONS["recent-free"], broken=frozenset({_UPDATE_STAGE}))
    names = frozenset({"stage renamed", "stage coloured", "renamed"})
    outcomes = await play(edition, tmp_path, names)
    assert [outcome.verdict for outcome in outcomes] == [Verdict.OK] * 3


@pytest.mark.long
async def test_a_refusal_in_words_is_a_failure_that_was_said(tmp_path: Path) -> None:
    # Its other form answers well, and stores nothing.
    edition = replace(EDITIONS["recent-free"], broken=frozenset({_UPDATE_STAGE}))
    (outcome,) = await play(edition, tmp_path, frozenset({"stage set up"}))
    assert outcome.verdict is Verdict.FAILED
    assert "did not store it" in outcome.words
