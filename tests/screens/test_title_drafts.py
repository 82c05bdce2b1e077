"""Titles that are half typed are found again, and several lines make several cards."""

from pathlib import Path

from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.fakes.subtasks import detailed
from tests.screens.driving import opened
from tests.screens.subtask_host import at_subtasks
from tui.config.drafts import Drafts
from tui.store.operations import CreateTask, is_edit
from tui.widgets.line_input import LineInput


def kept(folder: Path) -> list[str]:
    """The names of the drafts on disk."""
    return [path.name for path in folder.iterdir()]


async def test_the_title_of_a_new_card_outlives_the_program(tmp_path: Path) -> None:
    async with opened(FakeStore(small()), drafts=Drafts(tmp_path)) as person:
        await person.press("n")
        await person.type("half")
    store = FakeStore(small())
    async with opened(store, drafts=Drafts(tmp_path)) as person:
        await person.press("n")
        await person.type(" a")
        await person.press("enter")
        assert person.titles(1) == ["a", "half a", "b", "c"]
        await person.press("x", "backspace", "escape", "n")
        assert person.app.screen.query_one(LineInput).value == ""
    assert Drafts(tmp_path).get("new-card-1") is None


async def test_another_title_outlives_the_program_until_it_is_left(tmp_path: Path) -> None:
    async with opened(FakeStore(small()), drafts=Drafts(tmp_path)) as person:
        await person.press("e")
        await person.type("bc")
    async with opened(FakeStore(small()), drafts=Drafts(tmp_path)) as person:
        await person.press("e")
        assert "Your draft title" in person.said
        assert person.app.screen.query_one(LineInput).value == "abc"
        await person.press("escape", "e")
        assert person.app.screen.query_one(LineInput).value == "a"
        await person.type("d")
        await person.press("enter")
        assert person.titles(1) == ["ad", "b", "c"]
    assert not kept(tmp_path)


async def test_the_title_of_a_new_subtask_outlives_the_program(tmp_path: Path) -> None:
    async with at_subtasks(detailed(), drafts=Drafts(tmp_path)) as person:
        await person.press("j", "n", "x", "enter")
        await person.type("half")
    async with at_subtasks(detailed(), drafts=Drafts(tmp_path)) as person:
        await person.press("j", "n", "enter", "escape")
        assert person.groups["Design"] == ["p", "half", "q", "r"]
    assert not kept(tmp_path)


async def test_lines_pasted_into_a_new_title_make_a_card_each() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("n", "z")
        await person.paste(" one\r\r- [x] two\rthree\r")
        assert "New cards in “To do”" in person.text
        assert "3 cards, 1 of them done" in person.text
        await person.press("ctrl+s")
        assert person.titles(1) == ["a", "z one", "two", "three", "b", "c"]
        assert "Added 3 cards" in person.said
        assert person.here == "z one"
        assert sum(isinstance(one, CreateTask) for one in store.submitted) == 3
        assert sum(is_edit(one, "status") for one in store.submitted) == 1
        assert len(store.steps) == 1
        await person.press("n")
        assert person.app.screen.query_one(LineInput).value == ""


async def test_lines_that_are_not_wanted_as_cards_are_kept_as_a_title() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("n")
        await person.paste("one\ntwo")
        await person.press("escape")
        assert "Saved as a draft" in person.said
        await person.press("n", "enter")
        assert person.titles(1) == ["a", "one two", "b", "c"]


async def test_lines_pasted_into_other_inputs_are_one() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("e")
        await person.paste(" one\ntwo\n")
        await person.press("enter")
        assert person.titles(1) == ["aone two", "b", "c"]


async def test_lines_pasted_into_a_new_subtask_make_a_subtask_each() -> None:
    async with at_subtasks(detailed()) as person:
        await person.press("j", "n")
        await person.paste("one\ntwo\n")
        await person.press("ctrl+s")
        assert person.groups["Design"] == ["p", "one", "two", "q", "r"]
