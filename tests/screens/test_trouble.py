"""A service that does not answer: said in words on the board and on the list of boards."""

from tests.boards import small
from tests.fake_store import FakeStore
from tests.screens.driving import Driver, opened
from tui.store.protocol import StatusChanged, SyncStatus

AWAY = SyncStatus(problem="The [b]service[/b] is away.")


def say(store: FakeStore, status: SyncStatus, board_id: int | None) -> None:
    """The store says how it is."""
    store.now = status
    store.tell(StatusChanged(board_id))


async def settled(person: Driver) -> str:
    await person.pilot.pause()
    return person.text


async def test_the_board_says_why_and_what_waits_until_it_is_over() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        say(store, AWAY._replace(on_the_way=1), 1)
        assert "The [b]service[/b] is away.  1 change waits here · R tries" in await settled(person)
        say(store, AWAY._replace(on_the_way=2, remedy="Log in."), None)
        assert "away.  Log in. · 2 changes wait here · R tries again" in await settled(person)
        say(store, SyncStatus(), 1)
        assert "away" not in await settled(person)


async def test_what_is_done_comes_before_what_is_wrong() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        say(store, AWAY, 1)
        await person.press("space")
        assert "MOVING" in person.said
        await person.press("escape")
        assert "is away" in person.said


async def test_what_only_the_person_can_mend_is_said_at_once() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("x")
        assert "closed" in person.said
        say(store, AWAY, 1)
        await settled(person)
        assert "closed" in person.said, "that passes by itself"
        say(store, SyncStatus(problem="The password is not accepted.", remedy="Log in."), 1)
        await settled(person)
        assert "The password is not accepted.  Log in." in person.said
        await person.press("x")
        assert "reopened" in person.said


async def test_an_empty_list_says_why_and_which_key_tries_again() -> None:
    store = FakeStore()
    store.now = SyncStatus()
    async with opened(store, board_id=None) as person:
        assert "asking for the boards …" in person.text
        say(store, AWAY, None)
        text = await settled(person)
        assert "no boards are kept here yet: The [b]service[/b] is away." in text
        assert "R tries again" in text
        assert "offline" in text.splitlines()[0]
        await person.press("R")
        assert store.asked[-1] == "refresh None"
        assert "up to date" not in person.text
        say(store, FakeStore().now, None)
        text = await settled(person)
        assert "no boards yet · n makes one" in text
        assert "offline" not in text
