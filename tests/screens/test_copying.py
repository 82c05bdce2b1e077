"""Copying numbers, titles, links and names of branches of cards."""

import re

import pytest

from tests.fakes.boards import NOW, small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, connected, opened
from tui.app import CallboardApp
from tui.context import Context


@pytest.mark.long
async def test_number_and_title_link_and_branch_are_copied() -> None:
    context = Context(
        FakeStore(small()),
        now=lambda: NOW,
        card_url="https://example.org/boards/{board}/cards/{id}",
    )
    app = CallboardApp(context, connect=connected, board_id=1)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        person = Driver(app, pilot)
        await person.press("y")
        assert re.search("y copy number and title +u copy link +b copy name of git", person.text)
        await person.press("y")
        assert app.clipboard == "#11 a"
        assert "Copied #11 a" in person.text
        await person.press("y", "b")
        assert app.clipboard == "11-a"
        await person.press("y", "u")
        assert app.clipboard == "https://example.org/boards/1/cards/11"
        await person.press("v", "v", "y", "y")
        assert app.clipboard == "#11 a\n#12 b"
        assert "Copied 2 lines" in person.text
        await person.press("y", "u")
        assert app.clipboard.splitlines()[1] == "https://example.org/boards/1/cards/12"
        await person.press("escape", "n")
        await person.type("Not sent yet")
        await person.press("enter", "escape")
        before = app.clipboard
        for keys in (("y", "b"), ("y", "u")):
            await person.press(*keys)
            assert "Not copied: no number until it is sent: “Not sent yet”" in person.text
        assert app.clipboard == before
        await person.press("y", "y")
        assert app.clipboard == "Not sent yet"


async def test_without_an_address_of_cards_it_says_where_to_set_it() -> None:
    async with opened(FakeStore(small()), size=(120, 30)) as person:
        await person.press("y", "u")
        assert "Not copied: no web address for cards" in person.text
        assert "card_url of the profile" in person.text
        assert person.app.clipboard == ""
        await person.press("enter", "y", "y")
        assert person.app.clipboard == "#11 a"
        await person.press("escape", "g", "s", "y")
        assert person.app.clipboard.startswith("# Standup")
