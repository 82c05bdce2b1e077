"""Going to cards from their numbers in texts, and back to where one was."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from textual.screen import Screen

from tests.drivers.patience import patience
from tests.drivers.quiet import drawn_lines
from tests.fakes.boards import ANN, bare_details, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tests.screens.test_blocking import OTHER, login, store_with
from tui.jumps import Jumps, shared
from tui.model.blocked_by import Blocker
from tui.model.comment import Comment
from tui.model.detail import TaskDetail
from tui.model.events.activity import Activity
from tui.model.find import Found, Thing
from tui.navigation import BoardRequested, ListRequested, TaskRequested, ThreadRequested
from tui.screens.pending.screen import PendingScreen
from tui.screens.task.screen import TaskScreen
from tui.screens.thread.screen import ThreadScreen

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


def waiting_store() -> FakeStore:
    """A board whose first card waits for one of another board, and names one in its text."""
    blocked = task(
        403,
        "Move sessions",
        blockers=(Blocker(801, "Support"),),
        description="<p>#412 is first</p>",
    )
    store = store_with(blocked, login(), task(409, "Load test"))
    store.details = {detail.task.id: detail for detail in bare_details(store.views[1])}
    return store


def headed(person: Driver) -> str:
    """The title of the card that is shown."""
    return "\n".join(person.text.splitlines()[:4])


def front(person: Driver) -> type[Screen[object]]:
    """The kind of the screen that is in front."""
    return type(person.app.screen)


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
        await person.press("enter", "o", "1")
        assert "Fix login" in headed(person)
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
        assert "#412 is first" in person.text
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
        assert front(person) is PendingScreen
        await person.press("escape", "T", "g", "f")
        await person.type("answer")
        await person.press("enter", "escape", "escape", "ctrl+o")
        assert front(person) is ThreadScreen


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


def comments_store() -> FakeStore:
    """The first card has a comment that names a card of another board."""
    store = waiting_store()
    said = Comment(1, 403, "Like Support #801, or #412", author=ANN)
    store.details[403] = replace(store.details[403], comments=(said,))
    return store


async def test_a_click_follows_the_number_of_a_card_in_a_description_and_in_comments() -> None:
    async with opened(comments_store(), size=(120, 36)) as person:
        await person.press("enter")
        await person.click("#412")
        assert "Fix login" in headed(person)
        await person.press("ctrl+o")
        await person.click("#801,")
        assert "Answer the customer" in headed(person)
        await person.press("ctrl+o", "T")
        await person.click("#801,")
        assert "Answer the customer" in headed(person)
        await person.press("ctrl+o")
        assert front(person) is ThreadScreen


async def test_o_offers_the_cards_of_comments_and_blockers_with_their_titles() -> None:
    async with opened(comments_store(), size=(120, 36)) as person:
        await person.press("enter", "o")
        assert "#412  Fix login" in person.text
        assert "#801  Answer the customer" in person.text
        await person.press("2")
        assert "Answer the customer" in headed(person)
        await person.press("ctrl+o", "escape", "T", "o")
        assert "#412  Fix login" in person.text


@pytest.mark.long
async def test_numbers_have_the_style_of_links_also_without_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(comments_store(), size=(120, 36)) as person:
        await person.press("enter")
        lines = drawn_lines(person.app)
        underlined = {
            segment.text.strip()
            for line in lines
            for segment in line
            if segment.style is not None and segment.style.underline
        }
        assert {"#412", "#801"} <= underlined


async def test_the_line_of_the_card_is_clicked_to_go_to_what_blocks_it() -> None:
    async with opened(waiting_store(), size=(120, 36)) as person:
        await person.click("#801 Answer")
        assert "Answer the customer" in headed(person)
        await person.press("ctrl+o")
        await person.click("g e go to")
        assert "Answer the customer" in headed(person)


async def test_the_preview_follows_its_links() -> None:
    async with opened(comments_store(), size=(160, 40), rest_seconds=0.01) as person:
        await person.press("backslash", "o")
        assert "#412  Fix login" in person.text
        assert "#801  Answer the customer" in person.text
        await person.press("escape")
        async with patience("the preview", lambda: person.text):
            while "#412 is first" not in person.text:
                await person.pilot.pause()
        await person.click("#412 is first")
        assert front(person) is TaskScreen
        assert "Fix login" in headed(person)


async def test_archived_cards_are_found_and_lost_ones_are_said() -> None:
    first = task(403, "Move sessions", description="<p>#77 and #99</p>")
    store = store_with(first)
    store.details = {403: TaskDetail(first), 77: TaskDetail(task(77, "Old", archived_at=LONG_AGO))}
    store.found = (Found(Thing.CARD, 77, "Old", 1, "Shop", is_archived=True),)
    async with opened(store, size=(120, 36)) as person:
        await person.press("enter", "o", "2")
        assert "#99 was not found: it was deleted, or is on a board" in person.said
        await person.press("o", "1")
        assert "Old" in headed(person)


async def test_the_activity_of_a_card_follows_clicks_too() -> None:
    store = waiting_store()
    said = Activity(1, "added", "comment", new="as in #412", by=ANN, at=LONG_AGO, task_id=403)
    detail = store.details[403]
    store.details[403] = replace(detail, activities=(said,), all_activities=True)
    async with opened(store, size=(120, 36)) as person:
        await person.press("enter", "5")
        await person.click("#412")
        assert "Fix login" in headed(person)
        await person.press("ctrl+o")
        assert "Move sessions" in headed(person)
