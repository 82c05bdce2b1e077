"""Keys that come all at once mean what they mean when typed slowly."""

import pytest

from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.screens.driving import opened
from tui.model.task import Priority
from tui.store.operations import is_edit

TITLE = "AxLdDuGH"
"""Nothing but keys of the board."""


@pytest.mark.long
async def test_a_title_typed_at_once_is_a_title() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.burst("n", *TITLE, "enter")
        assert person.titles(1) == ["a", TITLE, "b", "c"]
        assert len(store.steps) == 1


async def test_keys_after_a_title_are_keys_again() -> None:
    async with opened(FakeStore(small())) as person:
        await person.burst("n", "q", "enter", "enter", "L", "e", "backspace", "z", "enter")
        assert person.titles(1) == ["a", "b", "c"]
        assert "z" in person.titles(2)


async def test_a_choice_made_at_once_is_the_one_that_was_typed() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.burst("p", "h")
        (change,) = store.submitted
        assert is_edit(change, "priority")
        assert change.text == Priority.HIGH
        assert person.here == "a"


@pytest.mark.long
async def test_a_due_date_typed_at_once_is_a_due_date() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.burst("d", "+", "2", "d", "enter", "j")
        assert len(store.submitted) == 1
        assert person.here == "b"


async def test_steps_at_once_add_up() -> None:
    async with opened(FakeStore(small())) as person:
        await person.burst("L", "L", "H", "J")
        assert person.titles(2)[:2] == ["d", "a"]


async def test_a_lift_at_once_drops_where_it_was_carried() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.burst("space", "l", "j", "space", "x")
        assert person.titles(2) == ["d", "a", "e"]
        assert len(store.submitted) == 2


async def test_a_filter_typed_at_once_filters() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.burst("slash", "b", "enter", "x")
        assert person.titles(1) == ["b"]
        assert len(store.submitted) == 1


@pytest.mark.long
async def test_opening_and_leaving_at_once() -> None:
    async with opened(FakeStore(small())) as person:
        await person.burst("enter", "x", "escape", "j", "enter", "escape", "j")
        assert person.here == "c"
