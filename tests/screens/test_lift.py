"""Picking up, carrying, dropping: with keys, marks, filters, news, and the mouse."""

from dataclasses import replace

import pytest

from tests.fakes.boards import relaunch, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.model.board import BoardView, Place
from tui.store.operations import MoveTask


def moves(store: FakeStore) -> list[tuple[int, int, Place]]:
    """What was asked of the store, as (task, stage, place)."""
    asked = []
    for each in store.submitted:
        assert isinstance(each, MoveTask)
        asked.append((each.task_id, each.stage_id, each.place))
    return asked


async def put_back(person: Driver, store: FakeStore) -> None:
    """Make the board what it was at first, nothing marked and the cursor on the first card."""
    store.submitted.clear()
    store.steps.clear()
    store.news(small())
    await person.burst(*(["escape"] if person.deck.marks else []), "1", "g", "g")
    assert person.here == "a"
    assert person.deck.marks == frozenset()


async def test_a_card_is_carried_and_dropped() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        for keys, stage, titles in (
            ("space l space", 2, ["a", "d", "e"]),
            ("space l j enter", 2, ["d", "a", "e"]),
            ("space right down down enter", 2, ["d", "e", "a"]),
            ("space j enter", 1, ["b", "a", "c"]),
            ("space G enter", 1, ["b", "c", "a"]),
            ("G space g g enter", 1, ["c", "a", "b"]),
            ("space 3 enter", 3, ["a"]),
            ("space dollar_sign enter", 3, ["a"]),
            ("space 3 0 l enter", 2, ["a", "d", "e"]),
            ("G space l enter", 2, ["d", "e", "c"]),
            ("G space shift+right enter", 2, ["c", "d", "e"]),
            ("G space L enter", 2, ["c", "d", "e"]),
            ("space l shift+down enter", 2, ["d", "e", "a"]),
            ("space l h l enter", 2, ["a", "d", "e"]),
        ):
            await person.press(*keys.split())
            assert person.titles(stage) == titles, keys
            assert len(store.submitted) == 1, keys
            assert person.deck.lift is None, keys
            await put_back(person, store)


async def test_the_card_keeps_the_cursor() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("space", "l", "j", "enter")
        assert person.here == "a"


async def test_a_drop_asks_for_one_move_however_far() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("space", "l", "l", "h", "j", "j", "k", "enter")
        assert moves(store) == [(11, 2, Place(21, 22))]


async def test_nothing_is_asked_before_the_drop() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("space", "l", "j")
        assert store.submitted == []
        assert "◆ Moving “a”" in person.said
        assert "To do 1 → Doing 2" in person.said


async def test_the_ghost_is_drawn_and_an_outline_stays() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("space", "l")
        assert "▌→ Doing 1 of 3" in person.text
        assert "▐" in person.text
        assert "┌╌" in person.text


async def test_esc_puts_back_and_says_nothing_more() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("space", "l", "escape")
        assert store.submitted == []
        assert person.deck.lift is None
        assert person.here == "a"
        assert "◆ Moving" not in person.said


async def test_dropping_at_home_sends_nothing() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("space", "l", "h", "space")
        assert store.submitted == []
        assert "Nothing was moved" in person.said


async def test_marked_cards_move_together_in_their_order() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("v", "j", "v", "k")
        assert person.deck.marks == {11, 13}
        await person.press("space")
        assert "◆ Moving 2 cards" in person.said
        await person.press("l", "j", "enter")
        assert moves(store) == [(11, 2, Place(21, 22)), (13, 2, Place(11, 22))]
        assert len(store.steps) == 1
        assert person.titles(2) == ["d", "a", "c", "e"]


async def test_under_a_filter_the_place_counts_hidden_cards() -> None:
    view = small()
    lane = (task(21, "x one", 2), task(22, "hidden", 2), task(23, "x two", 2))
    store = FakeStore(
        BoardView(view.board, view.stages, {**view.tasks, 1: (task(11, "x"),), 2: lane})
    )
    async with opened(store) as person:
        await person.press("slash", "x", "enter", "space", "l", "j")
        assert "1 hidden between" in person.said
        await person.press("enter")
        assert moves(store) == [(11, 2, Place(21, 23))]
        assert [each.title for each in store.views[1].in_stage(2)] == [
            "x one",
            "x",
            "hidden",
            "x two",
        ]


async def test_a_stage_is_found_by_its_name() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("space", "slash", "d", "o", "n", "e", "enter", "enter")
        assert moves(store) == [(11, 3, Place(None, None))]


async def test_giving_up_the_name_goes_back_to_the_stage_before() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("space", "l", "slash", "d", "o", "n", "e", "escape")
        assert person.deck.lift is not None
        assert person.deck.lift.stage_id == 2


async def test_a_folded_column_opens_below_the_hand() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("l", "z", "h", "space")
        assert "-collapsed" in person.deck.columns[1].classes
        await person.press("l")
        assert "-collapsed" not in person.deck.columns[1].classes
        await person.press("escape")
        assert "-collapsed" in person.deck.columns[1].classes


async def test_news_are_merged_around_the_ghost() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("space", "l", "j")
        view = small()
        store.news(
            BoardView(
                view.board, view.stages, {**view.tasks, 2: (task(20, "new", 2), *view.tasks[2])}
            )
        )
        await person.pilot.pause()
        await person.press("enter")
        assert person.titles(2) == ["new", "d", "a", "e"]


async def test_a_card_that_vanishes_leaves_the_hand() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("space", "l")
        store.news(small().without_task(11))
        await person.pilot.pause()
        assert person.deck.lift is None
        assert "no longer on the board" in person.said
        await person.press("enter")
        assert store.submitted == []


async def test_a_board_that_is_still_loading_takes_nothing_from_the_hand() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("v", "g", "g", "space", "l")
        store.news(replace(small().without_task(11), complete=False))
        await person.pilot.pause()
        assert person.deck.lift is not None
        assert person.deck.lift.task_ids == (11,)
        assert person.deck.marks == {11}
        store.news(small())
        await person.press("enter")
        assert [each[:2] for each in moves(store)] == [(11, 2)]


async def test_marks_of_cards_that_are_gone_go() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("v")
        store.news(small().without_task(11))
        await person.pilot.pause()
        assert person.deck.marks == frozenset()


async def test_other_keys_wait_and_say_so() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("space", "l")
        for key in "xenADuvzpd":
            await person.burst(key)
            assert person.deck.lift is not None
            assert f"‘{key}’ waits: drop the card first" in person.said
        assert store.submitted == []


async def test_the_mouse_drags_a_card() -> None:
    store = FakeStore(small())
    async with opened(store, size=(90, 30)) as person:
        await person.pilot.mouse_down(offset=(5, 3))
        assert person.here == "a"
        await person.pilot.hover(offset=(40, 7))
        assert person.deck.lift is not None
        assert "◆ Moving “a”" in person.said
        await person.pilot.mouse_up(offset=(40, 7))
        await person.pilot.pause()
        assert person.titles(2) == ["d", "a", "e"]
        assert len(store.submitted) == 1


async def test_the_ghost_is_under_the_mouse_below_the_outline() -> None:
    view = small()
    tasks = tuple(task(at, title) for at, title in enumerate("pqrstu", 11))
    async with opened(
        FakeStore(replace(view, tasks={**view.tasks, 1: tasks})), size=(90, 40)
    ) as person:
        lines = person.text.splitlines()
        rows = [
            next(y for y, line in enumerate(lines) if line[2:4] == f"{each} ") for each in "pqrstu"
        ]
        await person.pilot.mouse_down(offset=(5, rows[0]))
        await person.pilot.hover(offset=(5, rows[3]))
        assert person.deck.lift is not None
        assert person.deck.lift.row == 2, "the outline is above, and the ghost under the mouse"
        await person.pilot.mouse_up(offset=(5, rows[3]))
        await person.pilot.pause()
        assert person.titles(1) == [*"qrpstu"]


async def test_a_click_moves_the_cursor_and_nothing_else() -> None:
    store = FakeStore(small())
    async with opened(store, size=(90, 30)) as person:
        await person.pilot.click(offset=(40, 7))
        assert person.here == "e"
        assert person.deck.lift is None
        assert store.submitted == []


@pytest.mark.long
async def test_a_card_is_moved_a_step_at_once() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        for keys, stage, titles in (
            ("L", 2, ["a", "d", "e"]),
            ("shift+right", 2, ["a", "d", "e"]),
            ("j L", 2, ["d", "b", "e"]),
            ("J", 1, ["b", "a", "c"]),
            ("shift+down", 1, ["b", "a", "c"]),
            ("j K", 1, ["b", "a", "c"]),
            ("j shift+up", 1, ["b", "a", "c"]),
            ("l H", 1, ["d", "a", "b", "c"]),
            ("l shift+left", 1, ["d", "a", "b", "c"]),
            ("J J", 1, ["b", "c", "a"]),
            ("v v L", 2, ["a", "b", "d", "e"]),
        ):
            await person.press(*keys.split())
            assert person.titles(stage) == titles, keys
            await put_back(person, store)


async def test_a_step_that_cannot_be_made_is_explained() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        for keys, words in (
            ("H", "No column on that side"),
            ("K", "Nothing was moved"),
            ("3 L", "No card here"),
        ):
            await person.press(*keys.split())
            assert words in person.said
        assert store.submitted == []


async def test_a_drop_says_where_the_card_is_now() -> None:
    async with opened(FakeStore(relaunch())) as person:
        await person.press("space", "l", "enter")
        assert "✓ Moved #412 from Backlog to Doing" in person.said
        assert "u undo" in person.said
