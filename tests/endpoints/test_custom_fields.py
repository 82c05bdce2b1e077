"""Custom fields and their values, from the keyboard to the service."""

import pytest

from tests.day.world import Day
from tests.endpoints.reached import reaches
from tui.client.endpoints import Endpoint

pytestmark = pytest.mark.long


@reaches(
    Endpoint.LIST_FIELDS,
    Endpoint.CREATE_FIELD,
    Endpoint.UPDATE_FIELD,
    Endpoint.REPOSITION_FIELD,
    Endpoint.DELETE_FIELD,
    Endpoint.LIST_FIELD_VALUES,
    Endpoint.SET_FIELD_VALUE,
)
async def test_fields_are_made_edited_moved_set_and_deleted(day: Day) -> None:
    await day.press("g c n tab ~sel tab ctrl+s")
    assert "Title is required." in day.person.text
    await day.press("shift+tab shift+tab ~Size ctrl+s")
    assert "Options are required for a select." in day.person.text
    await day.press("tab tab ~S enter ~L ctrl+s")
    await day.settled()
    assert fields(day) == [("Customer", "text", "[]"), ("Size", "select", '["S", "L"]')]
    await day.press("n ~Cost tab ~num enter")
    await day.settled()
    await day.press("space k k")
    assert "Moving “Cost”" in day.person.text
    await day.press("enter")
    await day.settled()
    assert [title for title, *_ in fields(day)] == ["Cost", "Customer", "Size"]
    await day.press("/ ~cust enter e ~s enter escape")
    await day.settled()
    assert [title for title, *_ in fields(day)] == ["Cost", "Customers", "Size"]
    await day.press("k D")
    assert "Its values on cards will be deleted too" in day.person.text
    await day.press("y")
    await day.settled()
    assert [title for title, *_ in fields(day)] == ["Customers", "Size"]
    await day.press("escape 1 enter 4 G enter")
    assert "Cost" not in day.person.text
    await day.press("j j j j j j enter ~ACME enter")
    await day.settled()
    assert "Customers ACME" in " ".join(day.person.text.split())
    await day.press("escape g c e ~! enter escape 1 enter 4")
    await day.settled()
    assert "Customers! ACME" in " ".join(day.person.text.split())


def fields(day: Day) -> list[tuple[str, str, str]]:
    """The titles, types and options of the fields that the service holds, in their order."""
    with day.database.transaction(writing=False) as db:
        rows = db.all(
            "select title, type, options from custom_field where board_id = :board"
            " order by position",
            board=day.board_id,
        )
    return [(row["title"], row["type"], row["options"]) for row in rows]
