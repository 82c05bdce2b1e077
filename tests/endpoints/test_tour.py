"""The board that teaches the keys, made again."""

import pytest

from tests.day.world import BOARD, OTHER_BOARD, Day
from tui.tour import LESSONS, TITLE

pytestmark = pytest.mark.long


async def test_the_tour_is_made_beside_the_other_boards_and_opened(day: Day) -> None:
    before = day.held().cards
    await day.press(": ~show_the_tour enter")
    assert f"Create a new board “{TITLE}”?" in day.person.text
    await day.press("n")
    assert len(titles(day)) == 2
    for count in (3, 4):
        await day.press(": ~show_the_tour enter y")
        await day.until(lambda: len(titles(day)) == count, "a new board")  # noqa: B023  awaited here
        await day.until(lambda: day.person.text.startswith(f" {TITLE} "), "the tour")
        await day.until(lambda: LESSONS[0].title in day.person.text, "its cards")
    assert {*titles(day)} == {BOARD, OTHER_BOARD, TITLE}
    kept = day.held().cards
    assert {title: kept[title] for title in before} == before


def titles(day: Day) -> list[str]:
    return [board.title for board in day.person.board.store.boards()]
