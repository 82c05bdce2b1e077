"""Going to cards from their numbers in texts, and back to where one was."""

from tests.fakes.boards import bare_details, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tests.screens.test_blocking import OTHER, login, store_with
from tui.jumps import Jumps, shared
from tui.model.blocked_by import Blocker
from tui.navigation import BoardRequested, ListRequested, TaskRequested, ThreadRequested
from tui.screens.pending.screen import PendingScreen
from tui.screens.thread.screen import ThreadScreen


def waiting_store() -> FakeStore:
    """A board whose first card waits for one of another board, and names one in its text."""
    blocked = task(
        403, "Move sessions", blockers=(Blocker(801, "Support"),), description="<p>See #412</p>"
    )
    store = store_with(blocked, login(), task(409, "Load test"))
    store.details = {detail.task.id: detail for detail in bare_details(store.views[1])}
    return store


def headed(person: Driver) -> str:
    """The title of the card that is shown."""
    return "\n".join(person.text.splitlines()[:4])


async def test_ctrl_o_returns_to_the_board_and_the_card_that_g_e_left() -> None:
    async with opened(waiting_store(), size=(120, 36)) as person:
        await person.press("g", "e")
        assert "Answer the customer" in person.text
        await person.press("ctrl+o")
        assert (person.board.board_id, person.here) == (1, "Move sessions")
        await person.press("ctrl+o")
        assert "Nowhere to go back to" in person.said


async def test_ctrl_o_goes_back_one_jump_after_the_other_also_from_a_closed_card() -> None:
    async with opened(waiting_store(), size=(120, 36)) as person:
        await person.press("enter", "o")
        assert "Fix login" in person.text
        await person.press("g", "f")
        await person.type("answer")
        await person.press("enter")
        assert "Answer the customer" in person.text
        await person.press("escape", "escape", "escape", "G")
        assert person.here == "Load test"
        await person.press("ctrl+o")
        assert "Fix login" in headed(person)
        await person.press("ctrl+o")
        assert "Move sessions" in headed(person)
        assert "See #412" in person.text
        await person.press("ctrl+o")
        assert "Nowhere to go back to" in person.said
        await person.press("escape")
        assert person.here == "Move sessions"


async def test_ctrl_o_returns_to_a_list_and_to_comments() -> None:
    store = waiting_store()
    async with opened(store, size=(120, 36)) as person:
        await person.press("g", "u", "g", "f")
        await person.type("answer")
        await person.press("enter")
        assert "Answer the customer" in person.text
        await person.press("ctrl+o")
        assert type(person.app.screen) is PendingScreen
        await person.press("escape", "T", "g", "f")
        await person.type("answer")
        await person.press("enter", "escape", "escape", "ctrl+o")
        assert type(person.app.screen) is ThreadScreen


async def test_a_title_that_is_typed_is_not_left_by_ctrl_o() -> None:
    async with opened(waiting_store(), size=(120, 36)) as person:
        await person.press("g", "e", "escape", "e", "ctrl+o")
        assert "First end typing" in person.said
        assert person.board.board_id == OTHER.board.id


async def test_a_board_that_is_gone_is_left_out() -> None:
    store = waiting_store()
    async with opened(store, size=(120, 36)) as person:
        await person.press("g", "e")
        del store.views[1]
        await person.press("ctrl+o")
        assert "Nowhere to go back to" in person.said


def test_a_place_is_found_again_by_its_screens() -> None:
    place = BoardRequested(1, 5), ListRequested("inbox", None), TaskRequested(1, 5)
    assert shared(place, (BoardRequested(1, 6), ListRequested("inbox", None))) == 2
    assert shared(place, (BoardRequested(2, 5), ListRequested("inbox", None))) == 0
    assert shared((ThreadRequested(1, 5, 2),), (ThreadRequested(1, 5, 3),)) == 1


def test_places_follow_new_ids_and_the_oldest_are_forgotten() -> None:
    jumps = Jumps()
    jumps.note((BoardRequested(-1, -2),))
    jumps.renamed({-1: 10, -2: 20})
    place = jumps.back((BoardRequested(10, 21),), lambda _: True)
    assert place is not None
    request = place[0]
    assert isinstance(request, BoardRequested)
    assert (request.board_id, request.task_id) == (10, 20)
    for card_id in range(1, 300):
        jumps.note((BoardRequested(1, card_id),))
    count = 0
    while jumps.back((), lambda _: True):
        count += 1
    assert count == 100
