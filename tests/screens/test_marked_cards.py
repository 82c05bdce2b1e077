"""Marked cards: the bar that says what can be done with all of them, and what they do not share."""

import pytest

from tests.fakes.boards import relaunch
from tests.fakes.store import FakeStore
from tests.scenes import SCENES
from tests.screens.driving import Driver, opened

BAR = " ◆ 2 marked   m move  a assign  t label  d due  x close  A archive "


@pytest.mark.parametrize("width", [80, 120])
async def test_the_footer_says_what_can_be_done_with_marked_cards(width: int) -> None:
    async with opened(FakeStore(relaunch()), size=(width, 30)) as person:
        usual = person.hints
        await person.press("v", "v")
        last = person.text.splitlines()[-1]
        assert last.startswith(BAR)
        assert last.rstrip().endswith("│ esc clear")
        assert len(person.text.splitlines()) == 30
        await person.press("g")
        assert "g … one more key" in person.hints, "chords say what may follow"
        await person.press("escape", "question_mark")
        assert "Keys that work here" in person.text
        await person.press("escape", "space")
        assert "↵ drop" in person.hints, "lifted cards have their keys"
        await person.press("escape", "escape")
        assert person.hints == usual


async def test_marks_are_gone_from_the_whole_screen_at_once() -> None:
    async with opened(FakeStore(relaunch())) as person:
        usual, header = person.hints, person.board.bar.words
        await person.press("v", "v", "d", *"fri", "enter")
        assert person.hints == usual
        assert "◆" not in person.board.bar.words
        await person.press("v")
        assert "◆ 1 marked" in person.board.bar.words
        await person.press("escape", "escape")
        assert person.hints == usual
        assert "◆" not in person.board.bar.words
        assert "◆" not in header


async def test_the_bar_can_be_clicked() -> None:
    store = FakeStore(relaunch())
    async with opened(store) as person:
        usual = person.hints
        await person.press("v", "v")
        await person.click("x close")
        assert "Closed 2 cards" in person.said
        await person.press("v")
        await person.click("clear")
        assert person.hints == usual


@pytest.mark.parametrize("name", ["standup", "my-work"])
async def test_lists_of_cards_have_the_bar(name: str) -> None:
    scene = SCENES[name]
    app = scene.app()
    async with app.run_test(size=(120, 36)) as pilot:
        await scene.play(pilot)
        person = Driver(app, pilot)
        usual = person.hints
        await person.press("v", "v")
        assert person.hints.startswith(BAR)
        assert "marked" not in person.said, "it is said once"
        await person.press("escape")
        assert person.hints == usual


async def test_cards_that_a_filter_hides_keep_its_hints() -> None:
    async with opened(FakeStore(relaunch())) as person:
        await person.press("v", "slash", *"nothing_has_this", "enter")
        assert "clear filter" in person.hints
