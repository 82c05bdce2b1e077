"""The changes that wait: listed, sent again, forgotten."""

from tests.boards import small
from tests.fake_store import FakeStore
from tests.screens.driving import Driver, opened
from tui.screens.board import BoardScreen
from tui.screens.waiting import WaitingScreen
from tui.store.operations import SetTitle


def said(person: Driver) -> str:
    """The status line of the list."""
    assert isinstance(person.app.screen, WaitingScreen)
    return person.app.screen.status.words


def refused() -> FakeStore:
    """A store with one refused change."""
    store = FakeStore(small())
    store.refuse(SetTitle.on(small().in_stage(1)[0], "new"), "the title is too long")
    return store


async def test_a_refused_change_is_listed_with_its_reason() -> None:
    async with opened(refused()) as person:
        await person.press("g", "u")
        assert "was refused: the title is too long" in person.text
        await person.press("escape")
        assert isinstance(person.app.screen, BoardScreen)


async def test_it_can_be_sent_again() -> None:
    store = refused()
    async with opened(store) as person:
        await person.press("g", "u", "j", "k", "r")
        assert "retry 1" in store.asked
        assert "sending it again" in said(person)


async def test_it_is_forgotten_only_after_y() -> None:
    store = refused()
    async with opened(store) as person:
        await person.press("g", "u", "D", "n")
        assert "discard 1" not in store.asked
        await person.press("D", "y")
        assert "discard 1" in store.asked
        assert "everything has reached the service" in person.text


async def test_an_empty_list_says_so() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("g", "u", "r")
        assert "nothing to send again" in said(person)
        await person.press("D")
        assert "nothing to discard" in said(person)


async def test_it_can_be_reached_from_the_list_of_boards() -> None:
    async with opened(refused(), board_id=None) as person:
        await person.press("g", "u")
        assert isinstance(person.app.screen, WaitingScreen)
        await person.press("g", "u")
        assert "these are the changes that wait" in said(person)
        await person.press("escape")
        assert not isinstance(person.app.screen, WaitingScreen)
