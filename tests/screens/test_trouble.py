"""A service that does not answer: said in words on the board and on the list of boards."""

from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.store.events import BoardChanged, Loading, StatusChanged, SyncStatus

AWAY = SyncStatus(problem="The [b]service[/b] is away.")


def say(store: FakeStore, status: SyncStatus, board_id: int | None) -> None:
    """The store says how it is."""
    store.now = status
    store.notify(StatusChanged(board_id))


async def settled(person: Driver) -> str:
    await person.pilot.pause()
    return person.text


async def test_the_board_says_why_and_what_waits_until_it_is_over() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        say(store, AWAY._replace(pending=1), 1)
        text = await settled(person)
        assert "! The [b]service[/b] is away. Your change will sync automatically. " in text
        assert "  R try now  g u show " in text
        say(store, AWAY._replace(pending=2, remedy="Log in."), None)
        text = await settled(person)
        assert "away. Log in. Your 2 changes are kept. " in text
        assert "  R try now  g u show " in text
        say(store, SyncStatus(), 1)
        assert "away" not in await settled(person)


async def test_a_board_that_is_fetched_for_the_first_time_says_how_far_it_is() -> None:
    store = FakeStore()
    store.now = SyncStatus()
    async with opened(store) as person:
        assert person.text.splitlines()[1].strip() == "Loading the board …"
        store.views[1] = small()
        store.now = SyncStatus(loading=Loading(15, 24_000))
        store.notify(BoardChanged(1))
        assert "Loading 15 cards …" in await settled(person)
        store.now = SyncStatus(loading=Loading(1_200, 2_100_000))
        store.notify(BoardChanged(1))
        lines = (await settled(person)).splitlines()
        assert lines[1].strip() == "Loading 1,200 cards, 2.1 MB …"
        assert small().stages[0].title in lines[2]
        store.now = AWAY._replace(loading=Loading(1_200, 2_100_000, is_stopped=True))
        store.notify(BoardChanged(1))
        lines = (await settled(person)).splitlines()
        assert "1,200 cards loaded before the board stopped loading  R to load" in lines[1]
        store.now = FakeStore().now
        store.notify(BoardChanged(1))
        lines = (await settled(person)).splitlines()
        assert small().stages[0].title in lines[1]


async def test_a_board_of_which_nothing_came_says_so() -> None:
    store = FakeStore()
    store.now = AWAY._replace(loading=Loading(is_stopped=True))
    async with opened(store) as person:
        assert person.text.splitlines()[1].strip() == "Not loaded  R to load the board"


async def test_what_is_done_comes_before_what_is_wrong() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        say(store, AWAY, 1)
        await person.press("space")
        assert "◆ Moving" in person.said
        await person.press("escape")
        assert "is away" in person.said


async def test_what_only_the_person_can_mend_is_said_at_once() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("x")
        assert "Closed" in person.said
        say(store, AWAY, 1)
        await settled(person)
        assert "Closed" in person.said, "that passes by itself"
        say(store, SyncStatus(problem="The password is not accepted.", remedy="Log in."), 1)
        await settled(person)
        assert "The password is not accepted. Log in." in person.said
        await person.press("x")
        assert "Reopened" in person.said


async def test_an_empty_list_says_why_and_which_key_tries_again() -> None:
    store = FakeStore()
    store.now = SyncStatus()
    async with opened(store, board_id=None) as person:
        assert "Loading boards …" in person.text
        say(store, AWAY, None)
        text = await settled(person)
        assert "No boards are loaded yet: The [b]service[/b] is away." in text
        assert "R try now" in text
        assert "offline" in text.splitlines()[0]
        await person.press("R")
        assert store.asked[-1] == "refresh None"
        assert "up to date" not in person.text
        say(store, FakeStore().now, None)
        text = await settled(person)
        assert "No boards yet" in text
        assert "n to add one" in text
        assert "offline" not in text
