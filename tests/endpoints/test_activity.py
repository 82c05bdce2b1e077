"""The activity of a board and of all boards, from the keyboard to the service."""

import re

import pytest

from tests.day.world import Day
from tests.endpoints.reached import reaches
from tui.client.endpoints import Endpoint
from tui.screens.lists.activity import ActivityScreen
from tui.screens.task.screen import TaskScreen

pytestmark = pytest.mark.long

OLDER = 120


@reaches(Endpoint.LIST_BOARD_ACTIVITIES)
async def test_activity_is_read_page_by_page_searched_and_filtered(day: Day) -> None:
    remember(day)
    await day.go_to_card("first")
    await day.press("x g a")
    await loaded(day)
    lines = day.person.text.splitlines()
    assert lines[2].startswith(" Today ──")
    assert lines[3].split()[2:] == ["Ann", "Miller", "first", "closed", "it"]
    assert "Day  › Activity  50" in lines[0]

    await day.press("/ ~archived_stage enter")
    assert "3 of 50" in day.person.text
    assert day.person.text.index("“Completed”") < day.person.text.index("“Open”")
    await day.press("escape f ~ann down ~board enter")
    assert "Activity · by Ann Miller · the board" in day.person.text
    assert "closed it" not in day.person.text
    await day.press("enter")
    assert "This is about the board, not a card" in day.said
    await day.press("escape")
    assert "closed it" in day.person.text

    asked = pages(day)
    await day.press("g g enter")
    assert isinstance(day.app.screen, TaskScreen)
    await day.press("escape")
    await loaded(day)
    assert pages(day) - asked == 1  # the newest page again, for what has changed since
    for expected in (1, 1, 0):
        asked = pages(day)
        await day.press("G")
        await loaded(day)
        assert pages(day) - asked == expected
    assert "Day  › Activity  138" in day.person.text
    await day.press("G")
    assert re.search("gone card +commented: old 1", day.person.text)
    await day.press("f down ~comm enter g g")
    assert "Wed 1 Oct 2025" in day.person.text
    await day.press("enter")
    assert isinstance(day.app.screen, ActivityScreen)
    assert "That card was deleted" in day.said

    await day.press("escape escape escape g b")
    await day.press("g a")
    await loaded(day)
    assert "Activity · of all boards" in day.person.text
    await day.press("/ ~created_the_board_other enter")
    assert "created the board “Other”" in day.person.text


def remember(day: Day) -> None:
    """Put old activities on the board, as if it had been used for long."""
    comment = {"task_id": 999, "action": "added", "column_name": "comment"}
    with day.database.transaction(writing=True) as db:
        rows = [{**comment, "new_value": f"old {number}"} for number in range(1, OLDER + 1)]
        rows.append({**comment, "action": "deleted", "column_name": "task", "new_value": None})
        db.run("update activity set id = id + 1000")
        db.insert_all(
            "activity",
            [
                {
                    "id": number, "board_id": day.board_id, "created_by": 1,
                    "created_at": "2025-10-01T10:00:00Z", "old_value": "gone card", **row,
                }
                for number, row in enumerate(rows, start=1)
            ],
        )  # fmt: skip


def pages(day: Day) -> int:
    """How many pages of activity were asked for."""
    return sum(path.endswith("/activities") for _, path in day.traffic.asked)


async def loaded(day: Day) -> None:
    """Wait until the list is loaded and drawn."""
    await day.settled()
    await day.app.workers.wait_for_complete(
        [worker for worker in day.app.workers if worker.group == "load"]
    )
    await day.person.pilot.pause()
