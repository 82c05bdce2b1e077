"""A person at a slow service waits for what they look for, and so does what drives the program."""

import pytest

from tests.day.world import Day
from tests.endpoints.test_people import roles
from tui.service.accounts.accounts import create_account
from tui.service.times import SiteClock, utc_now
from tui.store.events import PendingState

pytestmark = pytest.mark.long


@pytest.fixture
async def slow_day(day: Day) -> Day:
    """A day at which Eve can be found, but not at once."""
    with day.database.transaction(writing=True) as db:
        create_account(db, SiteClock(utc_now, None), login="eve", display_name="Eve Hart")
    await day.press("g t")
    day.traffic.delay = 0.5
    return day


async def test_nobody_is_chosen_before_they_are_found(slow_day: Day) -> None:
    await slow_day.press("n ~eve enter enter")
    await slow_day.settled()
    assert roles(slow_day)["eve"] == "member"
    await slow_day.press("/ ~eve enter r M")
    await slow_day.settled()
    assert roles(slow_day)["eve"] == "admin"
    await slow_day.press("r m")
    await slow_day.settled()
    assert roles(slow_day)["eve"] == "member"


async def test_nothing_is_settled_while_a_dialog_asks(slow_day: Day) -> None:
    await slow_day.press("n ~eve")
    with pytest.raises(AssertionError, match=r"a dialog waits for an answer(.|\n)*Eve Hart"):
        await slow_day.settled()


async def test_what_was_not_accepted_is_said(day: Day) -> None:
    await day.go_to_card("first")
    with day.database.transaction(writing=True) as db:
        db.run("delete from task where title = 'first'")
    await day.press("e ~Other enter")
    with pytest.raises(AssertionError, match="a change was not accepted"):
        await day.settled()
    (refused,) = day.store.pending()
    assert refused.state is PendingState.REFUSED
