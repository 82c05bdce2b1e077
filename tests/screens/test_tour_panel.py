"""The tutorial board: its panel, and how doing what a card says ticks it off."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.fakes.boards import small, task
from tests.fakes.store import FakeStore
from tests.harness.cases import mostly_long
from tests.lint import tables
from tests.screens.driving import Driver, opened
from tui import tour
from tui.config.preferences import Preferences
from tui.model.board import Board, BoardView, Stage
from tui.model.task import Status
from tui.screens.board.screen import BoardScreen
from tui.tour import ALL_LESSONS, LESSONS, OVER_THERE

_WORDS = "Try these, like moving a card, to tick them off, or press x."
_COUNT = len(ALL_LESSONS)


def _board() -> BoardView:
    stages = tuple(Stage(number, 1, title, number) for number, title in enumerate(tour.STAGES, 1))
    first, second = (
        tuple(replace(task(number, lesson.title), stage_id=stage_id) for number, lesson in lessons)
        for stage_id, lessons in (
            (1, [*enumerate(LESSONS, 1)]),
            (2, [*enumerate(OVER_THERE, len(LESSONS) + 1)]),
        )
    )
    board = replace(small().board, id=1, title=tour.TITLE)
    return BoardView(board, stages, {1: first, 2: second, 3: ()})


def bar(person: Driver) -> str:
    return person.text.splitlines()[0]


def ticked(person: Driver) -> set[str]:
    """The titles of the lessons that are drawn with a sign."""
    whole, look = person.deck.whole, person.board.deck.columns[0].face.look
    return {each.title for each in whole.all_tasks() if each.id in look.ticked_ids}


@mostly_long("size", [(80, 24), (120, 36), (80, 20)], every=3)
async def test_the_panel_says_what_the_board_is_for_until_esc_hides_it(
    size: tuple[int, int],
) -> None:
    preferences = Preferences()
    async with opened(FakeStore(_board()), size=size, preferences=preferences) as person:
        assert _WORDS in person.text
        assert "Your own boards: g b, then n.   esc close" in person.text
        assert f"0 of {_COUNT} done" in bar(person)
        await person.press("escape")
        assert _WORDS not in person.text
    async with opened(FakeStore(_board()), size=size, preferences=preferences) as person:
        assert _WORDS not in person.text


@pytest.mark.parametrize(("view", "height"), [(_board(), 19), (small(), 36)])
async def test_low_terminals_and_other_boards_have_no_panel(view: BoardView, height: int) -> None:
    async with opened(FakeStore(view), size=(120, height)) as person:
        assert _WORDS not in person.text


def test_no_stage_is_called_like_a_verb() -> None:
    assert tour.STAGES == ("First steps", "In progress", "Done")


DOING = {
    "j down, k back up": "j",
    "L moves me right": "L",
    "Space lifts, l carries": "space l enter",
    "v marks me, then next": "v",
    "x closes, u undoes": "x u",
    "d, then type: fri": "d f r i enter",
    "p makes me urgent": "p h",
    "n writes a new card": "n a b c enter escape",
    "e rewrites this title": "e a b c enter",
    "c writes a comment": "c a b c ctrl+s",
    "/urgent finds a card": "slash u r g e n t enter",
    "Enter opens me": "enter",
    "ctrl+e: more or less": "ctrl+e",
    "? lists every key": "question_mark",
    "g s: your standup": "g s",
    "g b: all your boards": "g b",
    "Drop a card below me": "space l enter",
}
"""The lessons, and the keys that do what they say."""


def test_each_lesson_is_done_here() -> None:
    titles = {lesson.title for lesson in ALL_LESSONS}
    lines = (f'"{title}": "KEYS THAT DO IT",' for title in titles - DOING.keys())
    tables.check(
        tables.missing(lines, "`DOING`", __file__),
        tables.obsolete(DOING.keys() - titles, "`DOING`", __file__),
    )


@mostly_long("title", DOING, every=3)
async def test_doing_what_a_card_says_ticks_it_off(title: str) -> None:
    store, preferences = FakeStore(_board()), Preferences()
    async with opened(store, preferences=preferences) as person:
        await person.press("G", "k", *DOING[title].split())
        kept = set(preferences.texts(1, "tutorial"))
        assert title in kept
        assert kept <= {title, "j down, k back up", *_together(title)}
        await person.press("escape", "escape")
        if isinstance(person.app.screen, BoardScreen):
            assert title in ticked(person)
            return
    async with opened(store, preferences=preferences) as person:
        assert title in ticked(person), "a restart forgets nothing"


def _together(title: str) -> set[str]:
    lessons = [lesson for lesson in ALL_LESSONS if lesson.title == title]
    return {other.title for other in ALL_LESSONS if {*other.actions} & {*lessons[0].actions}}


async def test_an_action_without_effect_ticks_nothing_off() -> None:
    preferences = Preferences()
    async with opened(FakeStore(_board()), preferences=preferences) as person:
        for keys in (
            *("u", "d escape", "d x y z enter escape", "p escape", "n escape", "n enter escape"),
            *("e escape", "e enter", "slash escape", "slash enter", "space escape"),
            *("space l escape", "space enter", "c escape"),
        ):
            await person.press(*keys.split())
            assert set(preferences.texts(1, "tutorial")) == set(), keys


@pytest.mark.parametrize("keys", ["f1 escape", "G question_mark escape"])
async def test_looking_at_the_help_ticks_it_off_alone(keys: str) -> None:
    preferences = Preferences()
    async with opened(FakeStore(_board()), preferences=preferences) as person:
        await person.press(*keys.split())
        assert set(preferences.texts(1, "tutorial")) == {"? lists every key"}


@pytest.mark.long
async def test_progress_is_said_and_closing_a_card_by_hand_counts() -> None:
    async with opened(FakeStore(_board()), size=(100, 36)) as person:
        await person.press("j")
        assert person.said.strip() == f"Ticked off: 1 of {_COUNT} done"
        assert f"1 of {_COUNT} done" in bar(person)
        assert "✓ j down, k back up" in person.text
        await person.press("L")
        assert f"ticked off: 2 of {_COUNT} done" in person.said
        assert "Moved" in person.said
        await person.press("1", "G", "x")
        assert f"3 of {_COUNT} done" in bar(person)
        await person.press("u")
        assert f"3 of {_COUNT} done" in bar(person), "one is open again, one is learnt"


@pytest.mark.long
async def test_what_is_done_in_an_opened_task_counts_as_well() -> None:
    preferences = Preferences()
    async with opened(FakeStore(_board()), preferences=preferences) as person:
        await person.press("enter", "d", *"fri", "enter")
        assert "d, then type: fri" in preferences.texts(1, "tutorial")


async def test_own_cards_do_not_count() -> None:
    view = _board()
    own = (task(90, "Mine"), replace(task(91, "Also mine"), status=Status.CLOSED))
    mine = tuple(replace(each, stage_id=3) for each in own)
    async with opened(FakeStore(replace(view, tasks={**view.tasks, 3: mine}))) as person:
        assert f"0 of {_COUNT} done" in bar(person)


async def test_a_card_that_was_renamed_or_taken_away_is_done() -> None:
    view = _board()
    cards = [*view.in_stage(1)]
    cards[0] = replace(cards[0], title="Mine now")
    tasks = {**view.tasks, 1: tuple(cards[:-1])}
    async with opened(FakeStore(replace(view, tasks=tasks))) as person:
        assert f"2 of {_COUNT} done" in bar(person)


def _renamed(view: BoardView) -> BoardView:
    return replace(view, board=Board(1, "Not a tutorial"))


@pytest.mark.parametrize("changed", [lambda _: small(), _renamed])
async def test_other_boards_tick_nothing_off(changed: Callable[[BoardView], BoardView]) -> None:
    preferences = Preferences()
    async with opened(FakeStore(changed(_board())), preferences=preferences) as person:
        await person.press("j", "x", "v", "enter", "escape", "question_mark", "escape")
        assert preferences.texts(1, "tutorial") == []
        assert " done" not in bar(person)
