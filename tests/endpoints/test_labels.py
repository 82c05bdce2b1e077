"""Labels, from the keyboard to the service."""

from tests.day.world import Day
from tests.endpoints.reached import reaches
from tui.client.endpoints import Endpoint


@reaches(Endpoint.CREATE_LABEL, Endpoint.UPDATE_LABEL, Endpoint.DELETE_LABEL)
async def test_labels_are_made_edited_and_deleted(day: Day) -> None:
    await day.press("g l n ~later enter")
    await day.settled()
    assert labels(day) == ["urgent", "later"]
    await day.press("e ~! enter")
    await day.settled()
    assert labels(day) == ["urgent", "later!"]
    await day.press("k D y")
    await day.settled()
    assert labels(day) == ["later!"]
    assert "later!" in day.person.text
    assert "Deleted the label “urgent”" in day.said


def labels(day: Day) -> list[str]:
    """The titles of the labels that the service holds."""
    with day.database.transaction(writing=False) as db:
        rows = db.all(
            "select title from label where board_id = :board and title <> '' order by id",
            board=day.board_id,
        )
    return [row["title"] for row in rows]
