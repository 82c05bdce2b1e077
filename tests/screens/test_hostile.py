"""Titles that hold markup, escape sequences, wide characters or far too much."""

import pytest

from tests.fakes.boards import small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import opened
from tui.context import Density
from tui.text.cells import width as cell_width

HOSTILE = [
    "[b]bold[/b] [/] [red] \\[x]",
    "\x1b]0;owned\x07title\x1b[31m red \x9b2J",
    "日本語のとても長いタイトルがここにあります日本語",
    "👩‍👩‍👧‍👦 🇩🇪 ❤️ 👍🏽 emoji family",
    "שלום עולם \u202e reversed \u202c عربي",
    "x" * 10_000,
    "tab\tand\nline\rend",
    "\u200b\u200e\ufeff",
    "e\u0301" * 60,
    "",
]


@pytest.mark.long
@pytest.mark.parametrize("density", list(Density))
async def test_the_frame_stays_whole_and_no_control_character_is_drawn(density: Density) -> None:
    first = list(Density).index(density)
    store = FakeStore(small())
    async with opened(store, size=(80, 20), density=density) as person:
        for title in HOSTILE[first :: len(Density)]:
            store.news(small().with_task(task(12, title)))
            await person.press("g", "g")
            lines = person.text.splitlines()
            assert all(cell_width(each) == 80 for each in lines)
            assert not any(ord(each) < 32 or 127 <= ord(each) < 160 for each in "".join(lines))
            await person.press("j", "space", "l")
            lines = person.text.splitlines()
            assert all(cell_width(each) == 80 for each in lines)
            assert not any(ord(each) < 32 or 127 <= ord(each) < 160 for each in "".join(lines))
            await person.press("escape", "enter", "escape", "D")
            assert all(cell_width(each) == 80 for each in person.text.splitlines())
            await person.press("n")


@pytest.mark.parametrize("title", HOSTILE[:3], ids=range(3))
async def test_hostile_titles_are_told_as_they_are(title: str) -> None:
    async with opened(FakeStore(small().with_task(task(11, title)))) as person:
        await person.press("x")
        assert "Closed" in person.said
        assert "\x1b" not in person.text
