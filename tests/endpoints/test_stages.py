"""Stages, from the keyboard to the service."""

import pytest

from tests.day.held import Column
from tests.day.world import BOARD, OTHER_BOARD, Day
from tests.endpoints.reached import reaches
from tui.client.endpoints import Endpoint

pytestmark = pytest.mark.long


@reaches(
    Endpoint.CREATE_STAGE,
    Endpoint.UPDATE_STAGE,
    Endpoint.ARCHIVE_STAGE,
    Endpoint.REPOSITION_STAGES,
    Endpoint.ARCHIVE_STAGE_TASKS,
    Endpoint.SORT_STAGE_TASKS,
)
async def test_stages_are_made_moved_set_up_sorted_and_archived(day: Day) -> None:
    await day.press("S n ~Review enter")
    await day.settled()
    assert stages(day) == ["Backlog", "Review", "Doing", "Done"]
    await day.press("space $ space")
    await day.settled()
    assert stages(day) == ["Backlog", "Doing", "Done", "Review"]
    assert "▸4 Review" in day.person.text
    await day.press("u")
    await day.settled()
    assert stages(day) == ["Backlog", "Review", "Doing", "Done"]
    await day.press("2 S e end ~ed down right down space ~bob enter down ~green down space enter")
    await day.settled()
    assert stages(day) == ["Backlog", "Reviewed", "Doing", "Done"]
    assert Column(BOARD, "Reviewed", "closed", (2,), True, "#4bce97") in day.held().stages
    await day.press("1 S s T")
    await day.settled()
    assert cards(day) == ["third", "second", "fourth", "first"]
    await day.press("u")
    await day.settled()
    assert cards(day) == ["first", "second", "third", "fourth"]
    await day.press("S X y")
    await day.settled()
    assert cards(day) == []
    await day.press("u")
    await day.settled()
    assert cards(day) == ["first", "second", "third", "fourth"]
    await day.press("2 S A y")
    await day.settled()
    assert stages(day) == ["Backlog", "Doing", "Done"]


@reaches(Endpoint.LIST_AVAILABLE_POSITIONS, Endpoint.MOVE_TASK)
async def test_a_card_goes_to_the_end_of_a_stage_of_another_board(day: Day) -> None:
    for card in ("first", "second"):
        await day.go_to_card(card)
        await day.press("m ~other enter enter")
        await day.settled()
    assert not any(path.endswith("/tasks") for _, path in day.traffic.asked)
    assert day.held().stage(f"{OTHER_BOARD}/Open") == ["first", "second"]


def stages(day: Day) -> list[str]:
    """The titles of the active stages of the board, in order."""
    return day.held().columns(BOARD)


def cards(day: Day) -> list[str]:
    """The active cards of the first stage, in order."""
    return day.held().stage(f"{BOARD}/Backlog")
