"""The cursor is on a card that is drawn after any change of what is drawn."""

from dataclasses import replace
from random import Random

import pytest

from tests.fakes.boards import ANN, API, BUG, JON, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.config.preferences import Preferences
from tui.context import Density
from tui.model.board import Board, BoardView, Stage
from tui.model.task import Priority

_STAGES = tuple(Stage(number, 1, f"Stage {number}", float(number)) for number in (1, 2, 3))
_DRAWN = 40
"""How many cards of each stage are drawn before all have arrived."""


def arrived(numbers: list[int], count: int) -> BoardView:
    """A board of which the cards with the first `count` of these numbers have arrived."""
    lanes = {
        stage.id: tuple(
            task(1000 + number, f"card {number}", stage.id)
            for number in sorted(numbers[:count])
            if number % 3 == stage.id - 1
        )
        for stage in _STAGES
    }
    if is_complete := count == len(numbers):
        return BoardView(Board(1, "Large"), _STAGES, lanes, complete=is_complete)
    lanes = {stage_id: lane[:_DRAWN] for stage_id, lane in lanes.items()}
    return BoardView(Board(1, "Large"), _STAGES, lanes, complete=False)


async def arrive(person: Driver, store: FakeStore, numbers: list[int], *counts: int) -> None:
    """Show the board with so many cards, one state after another."""
    for count in counts:
        store.news(arrived(numbers, count))
        await person.pilot.pause()


@pytest.mark.parametrize("order", ["newest first", "any order"])
async def test_the_first_load_of_a_board_ends_with_the_cursor_on_its_first_card(order: str) -> None:
    numbers = list(range(300))[::-1]
    if order == "any order":
        Random(4).shuffle(numbers)  # noqa: S311 (an order, no secret)
    store = FakeStore(BoardView(Board(1, "Large"), complete=False))
    async with opened(store, density=Density.COMPACT) as person:
        await arrive(person, store, numbers, 0, 1, 5, 50, 100, 200, 300)
        assert person.here == "card 0"
        assert "▌card 0 " in person.text
        edge = person.text.splitlines()[-2]
        assert edge.count("more") == 3, "no column is scrolled"
        assert "↑" not in edge
        await person.press("j")
        store.news(arrived([*range(-30, 0), *numbers], 330))
        await person.pilot.pause()
        assert person.here == "card 3", "once the board is there, the cursor keeps its card"


async def test_a_key_during_the_first_load_keeps_the_cursor_on_the_card_it_is_on() -> None:
    numbers = list(range(300))[::-1]
    store = FakeStore(BoardView(Board(1, "Large"), complete=False))
    async with opened(store) as person:
        await arrive(person, store, numbers, 0, 50)
        assert person.here == "card 252"
        await person.press("v", "v", "g", "g")
        first = person.here
        await arrive(person, store, numbers, 100, 300)
        assert person.here == first
        assert first is not None
        assert f"◆{first} " in person.text


async def test_a_board_begins_on_a_card_though_the_first_column_has_none() -> None:
    view = small()
    preferences = Preferences()
    preferences.keep(1, collapsed=frozenset({2}))
    lanes = {1: (), 2: view.in_stage(2), 3: (task(31, "f", 3),)}
    store = FakeStore(replace(view, tasks=lanes))
    async with opened(store, preferences=preferences) as person:
        assert person.here == "f", "the column before it is folded"


async def test_a_column_that_was_folded_before_is_narrow_from_the_start() -> None:
    preferences = Preferences()
    preferences.keep(1, collapsed=frozenset({1}))
    async with opened(FakeStore(small()), preferences=preferences, size=(100, 24)) as person:
        headings = person.text.splitlines()[1]
        assert headings.index("2 Doing") == len("  1  ▸")
        await person.press("h", "z")
        assert person.text.splitlines()[1].index("2 Doing") > 30


async def test_the_only_match_of_a_filter_in_another_column_has_the_cursor() -> None:
    numbers = list(range(300))
    store = FakeStore(arrived(numbers, 300))
    async with opened(store, size=(60, 20)) as person:
        await person.press("slash", *"299", "enter")
        assert person.here == "card 299"
        assert "▌card 299 " in person.text, "and the board is scrolled to it"
        await person.press("escape")
        assert person.here == "card 299"
        assert "▌card 299 " in person.text


async def test_a_filter_that_is_cancelled_gives_the_cursor_back() -> None:
    store = FakeStore(arrived(list(range(300)), 300))
    async with opened(store) as person:
        await person.press("j", "slash", *"299")
        assert person.here == "card 299"
        await person.press("escape")
        assert person.here == "card 3"


@pytest.mark.long
async def test_the_cursor_is_on_a_card_whatever_others_do_and_whatever_is_filtered() -> None:
    random, view = Random(11), small()  # noqa: S311 (an order, no secret)
    store = FakeStore(view)

    def any_board() -> BoardView:
        lanes = {
            stage.id: tuple(
                task(
                    number,
                    random.choice("abcd"),
                    stage.id,
                    priority=random.choice(list(Priority)),
                    labels=random.choice([(), (BUG,), (BUG, API)]),
                    assignees=tuple(random.sample((ANN, JON), random.randrange(3))),
                )
                for number in random.sample(range(stage.id * 10, stage.id * 10 + 9), 3)
                if random.random() < 0.4
            )
            for stage in view.stages
        }
        return replace(view, tasks=lanes)

    async with opened(store, size=(70, 20)) as person:
        steps = {
            "reload": lambda: store.news(any_board()),
            "filter": lambda: person.board.filter.use(random.choice(["", "a", "b", "c", "bug"])),
        }
        for number in range(120):
            name = random.choice([*steps, "lanes", "key"])
            had_card = person.deck.current is not None
            if name in steps:
                steps[name]()
                await person.pilot.pause()
            elif name == "lanes":
                await person.press("B", random.choice("prln"))
            else:
                await person.burst(random.choice("jlhk"))
            drawn = any(person.deck.shown.tasks.values())
            if drawn and had_card and name in ("reload", "filter", "lanes"):
                assert person.here is not None, (number, name)
                assert f"▌{person.here} " in person.text, (number, name)
