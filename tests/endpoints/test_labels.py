"""Labels, from the keyboard to the service."""

import pytest

from tests.day.world import Day
from tests.endpoints.reached import reaches
from tui.client.endpoints import Endpoint

pytestmark = pytest.mark.long


@reaches(
    Endpoint.CREATE_LABEL,
    Endpoint.UPDATE_LABEL,
    Endpoint.DELETE_LABEL,
    Endpoint.LIST_LABELS,
    Endpoint.LIST_USED_LABELS,
    Endpoint.ATTACH_LABEL,
    Endpoint.DETACH_LABEL,
    Endpoint.LIST_TASK_LABELS,
)
async def test_labels_are_made_edited_merged_and_deleted(day: Day) -> None:
    await day.press("g l n ~later tab tab ~dark enter")
    assert "Not a colour." in day.person.text
    await day.press("~_green enter n ~soon enter")
    await day.settled()
    assert labels(day) == {"urgent": "#c0392b", "later": "#1f845a", "soon": "#4bce97"}
    await day.press("e ~er enter")
    await day.settled()
    assert labels(day) == {"urgent": "#c0392b", "later": "#1f845a", "sooner": "#4bce97"}
    await day.press("m")
    assert "Mark at least two labels to merge  v to mark a label" in day.said
    await day.press("escape j t ~later enter t ~urgent enter")
    await day.settled()
    assert on_cards(day) == {"later": 1, "urgent": 2}
    await day.press("t space enter")
    await day.settled()
    assert on_cards(day) == {"later": 1, "urgent": 1}
    await day.press("g l G k k v v v m 1")
    assert "1 card on the board will have “urgent” instead" in day.person.text
    await day.press("y")
    await day.settled()
    assert set(labels(day)) == {"urgent"}
    assert on_cards(day) == {"urgent": 2}
    await day.press("u")
    await day.settled()
    assert on_cards(day) == {"later": 1, "urgent": 1}
    await day.press("G D y")
    await day.settled()
    assert len(labels(day)) == 2


async def test_a_label_is_created_with_the_card_that_names_it_and_taken_back_with_it(
    day: Day,
) -> None:
    cards = set(day.held().cards)
    await day.press("n ~Fix_login_#bug_!high_^fri enter")
    assert "Created label “bug”" in day.said
    await day.settled()
    assert set(labels(day)) == {"urgent", "bug"}
    assert on_cards(day) == {"urgent": 1, "bug": 1}
    await day.press("escape u")
    await day.settled()
    assert set(day.held().cards) == cards
    assert set(labels(day)) == {"urgent"}


def labels(day: Day) -> dict[str, str]:
    """The titles of the labels that the service holds, with their colours."""
    with day.database.transaction(writing=False) as db:
        rows = db.all(
            "select title, bg_color from label where board_id = :board and title <> '' order by id",
            board=day.board_id,
        )
    return {row["title"]: row["bg_color"] for row in rows}


def on_cards(day: Day) -> dict[str, int]:
    """On how many cards the labels are, by title, as the service has it."""
    with day.database.transaction(writing=False) as db:
        rows = db.all(
            "select title, count(*) as cards from task_label join label on label.id = label_id"
            " where board_id = :board group by title",
            board=day.board_id,
        )
    return {row["title"]: row["cards"] for row in rows}
