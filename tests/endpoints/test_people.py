"""Members and roles, from the keyboard to the service."""

import pytest

from tests.day.world import Day
from tests.endpoints.reached import reaches
from tui.client.endpoints import Endpoint
from tui.service.accounts.accounts import create_account
from tui.service.times import SiteClock, utc_now

pytestmark = pytest.mark.long


@reaches(
    Endpoint.LIST_BOARD_USERS,
    Endpoint.LIST_ASSIGNEES,
    Endpoint.ADD_MEMBER,
    Endpoint.REMOVE_MEMBER,
    Endpoint.MAKE_MANAGER,
    Endpoint.REMOVE_MANAGER,
    Endpoint.MAKE_MEMBER,
    Endpoint.MAKE_VIEWER,
    Endpoint.SEARCH_USERS,
)
async def test_members_come_change_their_role_and_go(day: Day) -> None:
    with day.database.transaction(writing=True) as db:
        create_account(db, SiteClock(utc_now, None), login="eve", display_name="Eve Hart")
    await day.press("a ~bob space enter g t")
    await day.settled()
    assert "Bob Cook" in day.person.text
    (bob,) = (line for line in day.person.text.splitlines() if "Bob Cook" in line)
    assert bob.split()[:6] == ["BC", "Bob", "Cook", "member", "1", "·"]
    await day.press("n ~eve enter enter")
    await day.settled()
    assert roles(day) == {"ann": "admin", "bob": "member", "eve": "member", "vic": "viewer"}
    await day.press("/ ~vic enter r M")
    await day.settled()
    assert roles(day)["vic"] == "admin"
    await day.press("r m")
    await day.settled()
    assert roles(day)["vic"] == "member"
    await day.press("r v escape / ~bob enter r v")
    await day.settled()
    assert roles(day) == {"ann": "admin", "bob": "viewer", "eve": "member", "vic": "viewer"}
    await day.press("D y")
    await day.settled()
    assert "bob" not in roles(day)
    assert assigned(day) == []
    await day.press("u")
    await day.settled()
    assert roles(day)["bob"] == "viewer"
    assert assigned(day) == ["bob"]


def roles(day: Day) -> dict[str, str]:
    """The roles that the service holds, by login."""
    with day.database.transaction(writing=False) as db:
        rows = db.all(
            """select login, role from membership join account on account.id = account_id
            where board_id = :board order by login""",
            board=day.board_id,
        )
    return {row["login"]: row["role"] for row in rows}


def assigned(day: Day) -> list[str]:
    """The logins of all assignees at the service."""
    with day.database.transaction(writing=False) as db:
        rows = db.all("select login from task_assignee join account on account.id = account_id")
    return [row["login"] for row in rows]


@reaches(Endpoint.LIST_USERS, Endpoint.SYNC_ROLES, Endpoint.REMOVE_USER_FROM_BOARD)
async def test_the_roles_of_a_person_on_all_boards_are_set_at_once(day: Day) -> None:
    with day.database.transaction(writing=True) as db:
        create_account(db, SiteClock(utc_now, None), login="eve", display_name="Eve Hart")
    await day.press("g b g t")
    await day.settled()
    heading = next(row for row in day.person.text.splitlines() if "Day" in row)
    assert heading.split() == ["Day", "Other"]
    await day.press("e")
    assert "roles cannot be set" in day.said
    await day.press("/ ~eve enter e ~man down ~view enter")
    await day.settled()
    assert roles(day)["eve"] == "admin"
    assert shown(day, "Eve") == ["Eve", "Hart", "manager", "viewer"]
    await day.press("e ~not up ~not enter")
    await day.settled()
    assert shown(day, "Eve") == ["Eve", "Hart", "·", "·"]
    await day.press("escape / ~bob enter D ~other enter y")
    await day.settled()
    assert shown(day, "Bob") == ["Bob", "Cook", "member", "·"]
    assert "Removed Bob Cook from “Other”" in day.said


def shown(day: Day, name: str) -> list[str]:
    """The words of the row of a person."""
    row = next(row for row in day.person.text.splitlines() if name in row)
    return row.strip("▌ ").split()
