"""What is found while it is still being read, in the palette, and with hostile texts."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from tests.boards import small
from tests.fake_store import FakeStore
from tests.screens.driving import opened
from tests.screens.test_hostile import HOSTILE
from tui.dialogs.palette import FindAnywhereDialog, PaletteDialog
from tui.model.find import Found, Thing
from tui.model.task import Person
from tui.screens.task.screen import TaskScreen
from tui.text.cells import width as cell_width


class Slow(FakeStore):
    """A store that has read half of what there is, until it may go on."""

    def __init__(self) -> None:
        super().__init__(small())
        self.may_go_on = asyncio.Event()

    async def everything(self) -> AsyncIterator[Sequence[Found]]:
        half = len(self.found) // 2
        yield self.found[:half]
        await self.may_go_on.wait()
        yield self.found[half:]


def card(number: int, title: str) -> Found:
    return Found(Thing.CARD, number, title, 1, "Small", "Open")


async def test_enter_waits_for_the_best_match_unless_the_cursor_was_moved() -> None:
    store = Slow()
    store.found = (card(12, "bottle opener"), card(13, "best boat"), card(11, "b"), card(15, "e"))
    async with opened(store) as person:
        await person.press("g", "f")
        await person.type("b")
        assert "bottle opener" in person.text
        await person.press("enter")
        assert isinstance(person.app.screen, FindAnywhereDialog), "there may be a better one"
        store.may_go_on.set()
        await person.press("f12")
        assert isinstance(person.app.screen, TaskScreen)
        await person.press("escape")
        assert person.here == "a", "the card with the number 11"
        store.may_go_on.clear()
        await person.press("g", "f")
        await person.type("b")
        await person.press("down")
        store.may_go_on.set()
        await person.press("f12", "enter", "escape")
        assert person.here == "b", "the cursor stays where it was moved"
        store.news(small().without_task(13))
        await person.press("g", "f")
        await person.type("best boat")
        await person.press("enter", "escape")
        assert person.here == "b"
        store.news(small())
        await person.press("f12")
        assert person.here == "c", "as soon as all cards are read"


async def test_the_palette_finds_more_below_its_actions_from_two_letters_on() -> None:
    store = FakeStore(small())
    store.found = (card(13, "zoom lens"), *(card(50 + n, title) for n, title in enumerate(HOSTILE)))
    store.found += (Found(Thing.PERSON, 7, "Zoe", people=(Person(7, "Zoe", "zoe"),)),)
    async with opened(store, size=(60, 24)) as person:
        await person.press("colon")
        await person.type("z")
        assert "lens" not in person.text
        await person.type("oo")
        rows = [" ".join(row.split("│")[1].split()) for row in person.text.splitlines()[5:-5]]
        heading = rows.index("Found elsewhere")
        assert heading > 0
        assert rows[heading - 1].endswith("Z")
        assert rows[heading + 1] == "◦ zoom lens card #13 · Small › Open"
        await person.press("up", "up")
        assert "↵ opens the card" in person.text
        await person.press("enter")
        assert isinstance(person.app.screen, TaskScreen)
        await person.press("escape", "space", "colon")
        await person.type("zoom lens")
        await person.press("enter")
        assert "Drop the card first" in person.said, "as for actions"
        await person.press("escape", "colon")
        await person.type("@zoe")
        await person.press("enter")
        assert isinstance(person.app.screen, PaletteDialog), "no cards are theirs"
        await person.press("escape", "g", "f")
        for title in HOSTILE:
            await person.press("ctrl+u")
            await person.paste(title[:40])
            lines = person.text.splitlines()
            assert all(cell_width(each) == 60 for each in lines)
            assert not any(ord(each) < 32 or 127 <= ord(each) < 160 for each in "".join(lines))
