"""`g n` goes to the card to take, from the board and from elsewhere, and says why."""

from tests.fakes.boards import relaunch
from tests.fakes.store import FakeStore
from tests.screens.driving import opened


async def test_the_cursor_goes_to_the_next_card_and_the_reason_is_said() -> None:
    store = FakeStore(relaunch())
    async with opened(store) as person:
        await person.press("l", "j", "g", "n")
        assert person.here == "Titles with [brackets] and [/b] stay as they are"
        assert person.said.strip().startswith(
            "Next card: due 27 nov, the earliest of 5 cards, unassigned"
        )
        await person.press("g", "m", "g", "n")
        assert person.here == "Titles with [brackets] and [/b] stay as they are"
        assert "Next card: due 27 nov" in person.said


async def test_without_one_it_says_why_and_stays() -> None:
    view = relaunch()
    for lane in (1, 2):
        for card in view.in_stage(lane):
            view = view.without_task(card.id)
    async with opened(FakeStore(view)) as person:
        await person.press("g", "n")
        assert "No card to take: 2 in later stages" in person.said
