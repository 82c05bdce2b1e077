"""The cursor: every key that moves it."""

from dataclasses import replace

import pytest

from tests.fakes.boards import bare_details, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import opened
from tui.actions.action import declared_actions
from tui.model.board import Board, BoardView, Stage
from tui.screens.board.stages import StageActions

STEPS = (
    ("j", "b"),
    ("k j", "a"),
    ("k k down", "a"),
    ("k l j", "d"),
    ("k 3 h j", "d"),
    ("j k", "a"),
    ("3 h", "d"),
    ("down", "b"),
    ("j j", "c"),
    ("j j j", "c"),
    ("j k", "a"),
    ("j up", "a"),
    ("l", "d"),
    ("right", "d"),
    ("l h", "a"),
    ("l left", "a"),
    ("j j l", "e"),
    ("j l", "e"),
    ("G", "c"),
    ("end", "c"),
    ("G g g", "a"),
    ("G home", "a"),
    ("2", "d"),
    ("2 1", "a"),
    ("l 0", "a"),
    ("0 l", "d"),
    ("ctrl+d", "c"),
    ("pagedown", "c"),
    ("G ctrl+u", "a"),
    ("G pageup", "a"),
    ("h", "a"),
    ("k g g", "a"),
    ("k", None),
    ("up", None),
    ("k h", None),
    ("l k 3 1", None),
)
"""Keys, and the card that the cursor is on then, from the first card on; None is the title."""


@pytest.mark.long
async def test_a_key_moves_the_cursor() -> None:
    async with opened(FakeStore(small())) as person:
        for keys, title in STEPS:
            await person.burst("1", "g", "g")
            assert person.here == "a"
            await person.burst(*keys.split())
            assert person.here == title, keys


async def test_the_last_column_may_be_empty() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("dollar_sign")
        assert person.deck.stage_id == 3
        assert person.here is None


async def test_the_title_of_a_column_is_marked_and_has_no_card() -> None:
    store = FakeStore(small())
    async with opened(store, size=(90, 30)) as person:
        assert "▸1 To do" in person.text
        assert "▌a" in person.text
        await person.press("k")
        assert "▌1 To do" in person.text
        assert "▌a" not in person.text
        for key in "xeDLv":
            await person.burst(key)
            assert "The cursor is on the title of the column  j to go" in person.said, key
        await person.burst("enter")
        assert "The cursor is on the title" in person.said
        await person.press("j")
        assert "▸1 To do" in person.text
        await person.burst("3", "x")
        assert "▸3 Done" in person.text
        assert "No card here  n to add one" in person.said
        await person.burst("1", "z", "x")
        assert "The column is folded  z to unfold it" in person.said
        await person.press("z")
        await person.pilot.click(offset=(40, 1), times=2)
        assert "▌2 Doing" in person.text
        assert "The cursor" not in person.said
        await person.press("3", "z", "1")
        await person.pilot.click(offset=(88, 5))
        assert person.deck.stage_id == 3
        await person.press("z")
        await person.pilot.click(offset=(40, 3))
        assert person.here == "d"
        assert store.submitted == []


async def test_a_new_card_at_the_title_goes_to_the_top() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("k", "n", "x", "enter", "escape")
        assert person.titles(1) == ["x", "a", "b", "c"]
        assert person.here == "x"


async def test_the_cursor_stays_in_its_stage_when_others_reorder_the_stages() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("l", "j")
        view = small()
        store.news(replace(view, stages=(view.stages[1], view.stages[2], view.stages[0])))
        await person.pilot.pause()
        assert person.here == "e"
        await person.press("k", "k")
        store.news(view)
        await person.pilot.pause()
        assert "▌2 Doing" in person.text


async def test_a_column_that_is_not_there_is_explained() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("9")
        assert "This board has 3 columns" in person.said
        assert person.here == "a"


async def test_a_key_without_meaning_says_so() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("r")
        assert "‘r’ does nothing here" in person.said
        await person.press("j")
        assert "does nothing" not in person.said


async def test_the_space_key_is_called_by_its_name() -> None:
    async with opened(FakeStore(small(), details=bare_details(small()))) as person:
        await person.press("T", "space")
        assert "‘Space’ does nothing here" in person.text
        await person.press("g", "space")
        assert "‘g Space’ does nothing here" in person.text


async def test_the_first_key_of_a_chord_shows_what_may_follow() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("g")
        assert "first card" in person.text
        assert "boards" in person.text
        await person.press("y")
        assert "‘g y’ does nothing here" in person.said


@pytest.mark.parametrize("size", [(80, 24), (40, 15)])
async def test_what_may_follow_is_shown_in_columns_if_it_is_too_long(size: tuple[int, int]) -> None:
    actions = [action for _, action in declared_actions(StageActions)]
    labels = [action.label.lower() for action in actions if action.keys.startswith("S ")]
    async with opened(FakeStore(small()), size=size) as person:
        before = person.text
        await person.press("S")
        for label in labels:
            assert label in person.text, label
        assert "── S  stage ──" in person.text
        await person.press("escape")
        assert person.text == before
        await person.press("S", "q")
        assert "‘S q’ does nothing here" in person.said
        assert labels[0] not in person.text


async def test_the_cursor_scrolls_by_half_a_window_at_the_edge() -> None:
    lane = tuple(task(i, f"card {i}") for i in range(1, 101))
    view = BoardView(Board(1, "Long"), (Stage(1, 1, "One"),), {1: lane})
    async with opened(FakeStore(view), size=(80, 24)) as person:
        window = person.deck.columns[0].window
        await person.press(*["j"] * window)
        assert person.here == f"card {window + 1}"
        assert person.deck.columns[0].top.row == window - window // 2
        assert f"card {window + 1}" in person.text
        await person.press("G")
        assert "card 100" in person.text
        assert "more" not in person.text.splitlines()[-2]
        assert f"↑ {100 - window}" in person.text.splitlines()[-2]


async def test_news_keep_the_cursor_on_its_card() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("j")
        view = small()
        store.news(
            BoardView(view.board, view.stages, {**view.tasks, 1: (task(10, "new"), *view.tasks[1])})
        )
        await person.pilot.pause()
        assert person.here == "b"


async def test_the_cursor_follows_a_card_that_gets_its_id() -> None:
    before = small()
    view = BoardView(before.board, before.stages, {**before.tasks, 2: (task(-5, "new", 2),)})
    store = FakeStore(view)
    async with opened(store) as person:
        await person.press("l", "v")
        after = BoardView(
            before.board, before.stages, {**before.tasks, 2: (task(8, "x", 2), task(55, "new", 2))}
        )
        store.views[1] = after
        store.news(after, **{"_-5": 55})
        await person.pilot.pause()
        assert person.here == "new"
        assert person.deck.marks == {55}
