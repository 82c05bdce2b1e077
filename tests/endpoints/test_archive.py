"""Archived cards and stages, from the keyboard to the service."""

import pytest

from tests.day.world import Day
from tests.endpoints.reached import reaches
from tui.client.endpoints import Endpoint
from tui.model.board import Stage
from tui.store import operations as change

pytestmark = pytest.mark.long


@reaches(Endpoint.LIST_TASKS, Endpoint.UPDATE_TASK, Endpoint.DELETE_TASK)
async def test_archived_cards_are_searched_opened_restored_and_deleted(day: Day) -> None:
    backlog = stage(day, "Backlog")
    await day.store.submit(change.ArchiveTasks.on(day.board, backlog))
    await day.settled()
    assert day.held().stage("Day/Backlog") == []
    await listed(day, "g x")
    assert "Day  › Archived cards  4" in day.person.text
    assert "first" in day.person.text
    await day.press("/ ~third enter")
    assert "first" not in day.person.text
    await day.press("enter")
    await day.settled()
    assert "archived · A to restore it" in day.person.text
    await day.press("escape A")
    await day.settled()
    assert day.held().stage("Day/Backlog") == ["third"]
    await day.press("escape / ~second enter D y escape")
    await day.settled()
    assert "Day  › Archived cards  2" in day.person.text
    await day.press("R")
    await day.settled()
    assert "Day  › Archived cards  2" in day.person.text
    await day.press("g g v v A")
    await day.settled()
    assert "Restored 2 cards" in day.said
    assert "No archived cards" in day.person.text
    assert day.held().stage("Day/Backlog") == ["fourth", "first", "third"]
    await day.press("u")
    await day.settled()
    assert day.held().stage("Day/Backlog") == ["third"]
    await day.until(lambda: "Day  › Archived cards  2" in day.person.text, "fetched again")


@reaches(Endpoint.LIST_ARCHIVED_STAGES, Endpoint.RESTORE_STAGE)
async def test_archived_stages_come_back_with_their_cards_in_order(day: Day) -> None:
    backlog, doing = stage(day, "Backlog"), stage(day, "Doing")
    await day.store.submit(
        change.SortStage.on(backlog, change.SortBy.TITLE, descending=True),
        change.ArchiveTasks.on(day.board, doing),
        change.ArchiveStage.on(day.board, backlog.id),
        change.ArchiveStage.on(day.board, doing.id),
    )
    await day.settled()
    await listed(day, "S R")
    assert "Day  › Archived stages  5" in day.person.text
    await day.press("/ ~backlog enter enter")
    await day.settled()
    assert "Restored the stage “Backlog”" in day.said
    assert day.held().stage("Day/Backlog") == ["third", "second", "fourth", "first"]
    await day.press("escape g g v v A")
    await day.settled()
    assert "Restored the stage" in day.said
    assert len(day.board.stages) == 4


def stage(day: Day, title: str) -> Stage:
    """A stage of the board."""
    return next(stage for stage in day.board.stages if stage.title == title)


async def listed(day: Day, keys: str) -> None:
    """Press keys that open a list, and wait until it is loaded."""
    await day.press(keys)
    await day.person.pilot.pause()
    await day.app.workers.wait_for_complete(
        [worker for worker in day.app.workers if worker.group == "load"]
    )
    await day.person.pilot.pause()
