"""Picking up, moving and dropping columns: with keys, news, filters and folds."""

from dataclasses import replace

import pytest

from tests.fakes.boards import small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.errors import CallboardError
from tui.model.board import Place, Stage
from tui.store.operations import MoveStage


def order(person: Driver) -> list[str]:
    """The titles of the columns, as they are drawn."""
    return [column.face.stage.title for column in person.deck.columns]


async def test_a_column_is_carried_and_dropped() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        for keys, titles in (
            ("k space l space", "Doing, To do, Done"),
            ("k space right right enter", "Doing, Done, To do"),
            ("S m $ enter", "Doing, Done, To do"),
            ("S m 2 enter", "Doing, To do, Done"),
            ("S m L enter", "Doing, To do, Done"),
            ("l S m 0 enter", "Doing, To do, Done"),
            ("l S m g g enter", "Doing, To do, Done"),
            ("3 space h enter", "To do, Done, Doing"),
            ("3 space 1 l h enter", "Done, To do, Doing"),
            ("l k space G enter", "To do, Done, Doing"),
            ("l z space l enter", "To do, Done, Doing"),
        ):
            await person.press(*keys.split())
            assert ", ".join(order(person)) == titles, keys
            assert len(store.submitted) == 1, keys
            assert not person.deck.is_lifting
            assert person.board.waits_for == ""
            store.submitted.clear()
            store.news(small())
            person.deck.collapsed = frozenset()
            await person.press("1", "g", "g")


async def test_it_moves_live_and_nothing_is_asked_before_the_drop() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("j", "S", "m", "l")
        assert order(person) == ["Doing", "To do", "Done"]
        assert "▌2 To do" in person.text
        assert "◆ Moving stage “To do”  → 2 of 3" in person.said
        assert "carry  ↵ drop  esc cancel" in person.hints
        for key in "xenADuvzM":
            await person.burst(key)
            assert f"‘{key}’ waits: drop the column first" in person.said
        for key, why in (("j", "A column moves left"), ("/", "A lifted column is moved by its")):
            await person.burst(key)
            assert why in person.said
        assert order(person) == ["Doing", "To do", "Done"]
        assert store.submitted == []
        await person.press("escape")
        assert order(person) == ["To do", "Doing", "Done"]
        assert "╔" not in person.text
        assert "◆ Moving" not in person.said
        assert person.here == "b"
        await person.press("S", "m", "l", "enter")
        assert store.submitted == [MoveStage(1, 1, "To do", Place(2, 3))]
        assert "Moved the stage “To do”  u undo" in person.said
        assert person.here == "b"
        await person.press("u")
        assert order(person) == ["To do", "Doing", "Done"]
        assert "▌1 To do" in person.text


async def test_dropping_at_home_sends_nothing() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("k", "space", "l", "h", "space")
        assert store.submitted == []
        assert "Stage “To do” not moved" in person.said


async def test_a_move_that_the_store_rejects_is_put_back() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        store.failure = CallboardError("The disk is full.")
        await person.press("k", "space", "l", "space")
        assert order(person) == ["To do", "Doing", "Done"]
        assert "The disk is full." in person.said


async def test_news_are_merged_around_the_column() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("S", "m", "l")
        view = small()
        first, second, third = view.stages
        new = Stage(9, 1, "New")
        store.news(replace(view, stages=(new, first, replace(second, title="Now"), third)))
        await person.pilot.pause()
        assert order(person) == ["New", "Now", "To do", "Done"]
        assert "3 of 4" in person.said
        await person.press("enter")
        assert store.submitted == [MoveStage(1, 1, "To do", Place(2, 3))]


async def test_a_stage_that_vanishes_ends_the_move() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("l", "S", "m", "h")
        store.news(small().without_stage(2))
        await person.pilot.pause()
        assert not person.deck.is_lifting
        assert "The lifted stage is no longer on the board: nothing was moved" in person.said
        assert order(person) == ["To do", "Done"]
        assert store.submitted == []


async def test_a_column_stays_lifted_while_the_board_is_loading() -> None:
    first = replace(small(), complete=False)
    store = FakeStore(first)
    async with opened(store) as person:
        await person.press("l", "S", "m", "l")
        assert order(person) == ["To do", "Done", "Doing"]
        store.news(first.without_stage(2))
        await person.press()
        assert order(person) == ["To do", "Done"]
        assert person.deck.is_lifting
        assert not any(column.face.is_lifted for column in person.deck.columns)
        assert "◆ Moving stage" in person.said
        await person.press("l", "enter")
        assert "The board is still loading: try again in a moment" in person.said
        store.news(replace(first, stages=()))
        store.news(small())
        await person.press()
        assert order(person) == ["To do", "Done", "Doing"]
        assert "▌3 Doing" in person.text
        await person.press("enter")
        assert store.submitted == [MoveStage(1, 2, "Doing", Place(3, None))]


async def test_under_a_filter_the_cards_stay_filtered() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("slash", "d", "enter", "S", "m", "h", "enter")
        assert order(person) == ["Doing", "To do", "Done"]
        assert person.titles(2) == ["d"]
        assert [task.title for task in store.views[1].in_stage(1)] == ["a", "b", "c"]


async def test_the_mouse_drags_a_column() -> None:
    store = FakeStore(small())
    async with opened(store, size=(90, 30)) as person:
        await person.pilot.mouse_down(offset=(5, 1))
        await person.pilot.hover(offset=(40, 6))
        assert order(person) == ["Doing", "To do", "Done"]
        await person.pilot.hover(offset=(80, 6))
        assert "◆ Moving stage “To do”  → 3 of 3" in person.said
        await person.pilot.hover(offset=(41, 6))
        await person.pilot.mouse_up(offset=(41, 6))
        await person.pilot.pause()
        assert order(person) == ["Doing", "To do", "Done"]
        assert store.submitted == [MoveStage(1, 1, "To do", Place(2, 3))]


async def test_a_column_keeps_the_cards_in_view_that_it_shows() -> None:
    view = small()
    lane = tuple(task(number, f"card {number}") for number in range(100, 160))
    store = FakeStore(replace(view, tasks={**view.tasks, 1: lane}))
    async with opened(store) as person:
        await person.press("G", "l", "S", "m", "h")
        assert order(person) == ["Doing", "To do", "Done"]
        assert "card 159" in person.text
        await person.press("enter")
        assert "card 159" in person.text


@pytest.mark.parametrize("size", [(80, 24), (40, 15)])
async def test_the_view_goes_along(size: tuple[int, int]) -> None:
    view = small()
    more = tuple(Stage(number, 1, f"More {number}") for number in range(4, 9))
    async with opened(FakeStore(replace(view, stages=(*view.stages, *more))), size=size) as person:
        await person.press("S", "m", "$")
        assert "▌8 To do" in person.text
        await person.press("escape")
        assert "▸1 To do" in person.text
