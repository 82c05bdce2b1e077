"""Which columns are in view, how wide they are, and the marks of those that are not."""

import re

import pytest
from hypothesis import given, strategies as st
from textual import events

from tests.fakes.boards import small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.model.board import Board, BoardView, Stage
from tui.screens.board.column import COLLAPSED_WIDTH, LEAST_WIDTH, columns_in_view
from tui.screens.board.columns import MARGIN
from tui.widgets.glyphs import ASCII

TINY, STANDARD, LARGE = (40, 15), (80, 24), (120, 36)


def wide(stages: int) -> FakeStore:
    """A board with so many stages, a card in each."""
    return FakeStore(
        BoardView(
            Board(1, "Wide"),
            tuple(Stage(i, 1, f"Stage {i}") for i in range(1, stages + 1)),
            {i: (task(i, f"t{i}", i),) for i in range(1, stages + 1)},
        )
    )


def edges(person: Driver) -> tuple[str, str]:
    """What stands at the left and right of the line below the columns."""
    edge = person.text.splitlines()[-2]
    left, right = re.match(r" ‹ \d+", edge), re.search(r"(\d+) (more columns? )?› $", edge)
    return left[0].strip() if left else "", f"{right[1]} ›" if right else ""


@given(
    st.lists(st.sampled_from([3, LEAST_WIDTH]), min_size=1, max_size=12),
    st.integers(1, 250),
    st.data(),
)
def test_as_many_columns_as_fit_are_in_view_and_the_cursor_with_them(
    widths: list[int], room: int, data: st.DataObject
) -> None:
    over = data.draw(st.integers(0, len(widths) - 1))
    first = data.draw(st.integers(0, len(widths) - 1))
    view = columns_in_view(widths, room, first, over)
    used = sum(widths[view.start : view.stop])
    assert over in view
    assert used <= room or len(view) == 1
    assert view.start == 0 or used + widths[view.start - 1] > room
    assert view.stop == len(widths) or used + widths[view.stop] > room
    assert columns_in_view(widths, room, view.start, over) == view


@pytest.mark.parametrize(
    ("stages", "size", "widths"),
    [
        (5, LARGE, [23, *[24] * 4]),
        (6, LARGE, [23, *[24] * 4]),
        (3, STANDARD, [26, 26, 27]),
        (5, STANDARD, [26, 26, 27]),
        (9, (200, 50), [24, 25, 25, 25, 25, 25, 25, 25]),
        (5, (47, 15), [23, 23]),
        (5, (46, 15), [45]),
        (5, TINY, [39]),
    ],
)
async def test_columns_of_at_least_22_cells_fill_the_width(
    stages: int, size: tuple[int, int], widths: list[int]
) -> None:
    async with opened(wide(stages), size=size) as person:
        shown = [column for column in person.deck.columns if column.display]
        assert sorted(column.size.width for column in shown) == sorted(widths)
        await person.press("dollar_sign")
        shown = [column for column in person.deck.columns if column.display]
        assert sum(column.size.width for column in shown) == size[0] - MARGIN


@pytest.mark.long
async def test_marks_say_how_many_columns_are_out_of_view() -> None:
    async with opened(wide(5), size=STANDARD) as person:
        assert (person.columns_shown, edges(person)) == ([1, 2, 3], ("", "2 ›"))
        await person.press("l", "l")
        assert (person.columns_shown, edges(person)) == ([1, 2, 3], ("", "2 ›"))
        await person.press("l")
        assert (person.columns_shown, edges(person)) == ([2, 3, 4], ("‹ 1", "1 ›"))
        assert edges(person)[0].translate(ASCII) == "< 1"
        assert edges(person)[1].translate(ASCII) == "1 >"
        await person.press("dollar_sign")
        assert (person.columns_shown, edges(person)) == ([3, 4, 5], ("‹ 2", ""))
        await person.press("h")
        assert person.columns_shown == [3, 4, 5]
        await person.press("0")
        assert (person.columns_shown, edges(person)) == ([1, 2, 3], ("", "2 ›"))


async def test_one_column_has_both_marks() -> None:
    async with opened(wide(5), size=TINY) as person:
        await person.press("l")
        assert (person.columns_shown, edges(person)) == ([2], ("‹ 1", "3 ›"))
        await person.pilot.resize_terminal(*LARGE)
        await person.pilot.pause()
        assert (person.columns_shown, edges(person)) == ([1, 2, 3, 4, 5], ("", ""))


async def test_a_column_shown_alone_says_how_many_others_there_are() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("l", "Z")
        assert (person.columns_shown, edges(person)) == ([2], ("‹ 1", "1 ›"))


async def test_a_folded_column_leaves_room_for_another_and_has_a_mark_too() -> None:
    async with opened(wide(9), size=STANDARD) as person:
        await person.press("l", "z")
        assert person.columns_shown == [1, 2, 3, 4]
        shown = [column.size.width for column in person.deck.columns if column.display]
        assert (shown[1], sum(shown)) == (COLLAPSED_WIDTH, 80 - MARGIN)
        await person.press("5")
        assert (person.columns_shown, edges(person)[1]) == ([2, 3, 4, 5], "4 ›")
        assert edges(person)[0] == "‹ 1"


async def test_a_folded_column_is_open_while_it_is_shown_alone() -> None:
    async with opened(wide(5), size=STANDARD) as person:
        await person.press("z", "Z")
        assert (person.columns_shown, person.here) == ([1], "t1")
        assert person.deck.columns[0].size.width == 80 - MARGIN
        await person.press("Z")
        assert person.deck.columns[0].size.width == COLLAPSED_WIDTH


async def test_folding_the_column_that_is_shown_alone_shows_the_others() -> None:
    async with opened(wide(5), size=STANDARD) as person:
        await person.press("Z", "z")
        assert person.columns_shown == [1, 2, 3, 4]
        assert person.deck.columns[0].size.width == COLLAPSED_WIDTH


async def test_a_card_is_carried_to_a_column_out_of_view() -> None:
    async with opened(wide(5), size=STANDARD) as person:
        await person.press("space", "l", "l", "l", "enter")
        assert person.titles(4) == ["t1", "t4"]
        assert person.columns_shown == [2, 3, 4]


async def test_a_wheel_turned_sideways_goes_to_the_next_column() -> None:
    async with opened(wide(5), size=STANDARD) as person:
        deck = person.deck
        for kind, title in (
            (events.MouseScrollRight, "t2"),
            (events.MouseScrollRight, "t3"),
            (events.MouseScrollLeft, "t2"),
        ):
            deck.post_message(kind(deck, 1, 1, 0, 0, 0, False, False, False))
            await person.pilot.pause()
            assert person.here == title
