"""The stage at the cursor: made, renamed, set up, limited, sorted and archived."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.fakes.boards import ANN, JON, MIRA, small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.config.preferences import Preferences
from tui.config.stage_settings import KINDS, LIMITS
from tui.errors import CallboardError
from tui.model.board import Board, BoardView, Stage
from tui.model.people import Account
from tui.model.task import Priority, Status, Task
from tui.store.events import SyncStatus


def stages(store: FakeStore) -> tuple[Stage, ...]:
    return store.views[1].stages


def titles(store: FakeStore) -> str:
    return ", ".join(stage.title for stage in stages(store))


async def press(person: Driver, keys: str) -> None:
    """Press keys; what begins with `~` is typed, with a blank for each `_`."""
    for key in keys.split():
        if key.startswith("~"):
            await person.type(key[1:].replace("_", " "))
        else:
            await person.press(key)


@pytest.mark.long
async def test_a_stage_is_made_beside_the_one_at_the_cursor() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await press(person, "S n enter")
        assert "Title is required." in person.text
        await press(person, "~Next_up down right enter")
        assert titles(store) == "To do, Next up, Doing, Done"
        assert stages(store)[1].default_status is Status.CLOSED
        assert len(store.steps) == 1
        assert "▸2 Next up" in person.text
        assert "Added the stage “Next up”  u undo" in person.said
        await press(person, "S N ~Ready enter")
        assert titles(store) == "To do, Ready, Next up, Doing, Done"
        await press(person, "$ S n ~Shipped enter")
        assert titles(store) == "To do, Ready, Next up, Doing, Done, Shipped"
        assert len(store.steps[-1]) == 1
        await press(person, "S n escape u")
        assert titles(store) == "To do, Ready, Next up, Doing, Done"


async def test_the_first_stage_of_a_board_is_made() -> None:
    store = FakeStore(BoardView(Board(1, "Bare")))
    async with opened(store) as person:
        for key in "recsmAX":
            await press(person, f"S {key}")
            assert "This board has no stages yet  S n to add one" in person.said, key
        await press(person, "x")
        assert "This board has no stages yet" in person.said
        await press(person, "S N ~First enter")
        assert titles(store) == "First"
        assert "▸1 First" in person.text


async def test_a_stage_is_renamed() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await press(person, "l S r ctrl+u enter")
        assert "Title is required." in person.text
        await press(person, "~Now enter")
        assert titles(store) == "To do, Now, Done"
        await press(person, "S r enter")
        assert len(store.submitted) == 1


@pytest.mark.long
async def test_the_settings_of_a_stage_are_one_step() -> None:
    view = small()
    store = FakeStore(replace(view, people=(ANN, MIRA, JON)))
    async with opened(store) as person:
        await press(person, "S e end ~! down right")
        await press(person, "down space ~jon space ~ann enter")
        assert "Default assignees    Ann Keller, Jon Reyes" in person.text
        await press(person, "down ~dark_red down space enter")
        assert stages(store)[0] == Stage(
            1,
            1,
            "To do!",
            default_status=Status.CLOSED,
            color="#ae2e24",
            default_assignees=(1, 3),
            is_template=True,
        )
        assert len(store.steps) == 1
        assert "1 ■To do!" in person.text
        await press(person, "S e enter")
        assert len(store.steps) == 1
        assert "unchanged" in person.said
        await press(person, "S e down down space escape space ~jon enter enter")
        assert stages(store)[0].default_assignees == (1, 3)


async def test_a_stage_gets_a_colour() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await press(person, "S c j enter")
        assert stages(store)[0].color == "#4bce97"
        assert "Colour green (#4bce97): “To do”" in person.said
        assert "1 ■To do" in person.text
        await press(person, "S c k enter")
        assert stages(store)[0].color == ""
        assert "■" not in person.text.splitlines()[1]


@pytest.mark.long
async def test_a_card_limit_warns_and_is_kept(tmp_path: Path) -> None:
    kept = tmp_path / "preferences.json"
    store = FakeStore(small())
    async with opened(store, preferences=Preferences(kept)) as person:
        await press(person, "l S e up ~0 enter")
        assert "Card limit must be a number from 1 to 9999, or empty." in person.text
        await press(person, "ctrl+u ~2 enter")
        assert "2/2" in person.text
        assert store.submitted == []
        for keys in ("h space l enter", "2 n ~x enter", "escape 1 m ~doing enter", "1 L"):
            count = len(store.views[1].in_stage(2)) + 1
            await press(person, keys)
            passed = f"“Doing” has {count} cards, over its limit of 2"
            assert passed in person.said, keys
            assert f"{count}/2" in person.text
        await press(person, "2 x")
        assert "limit" not in person.said
        await press(person, "H")
        assert "limit" not in person.said
    async with opened(store, preferences=Preferences(kept)) as person:
        assert "5/2" in person.text
        await press(person, "l S e up ctrl+u enter")
        assert "5/2" not in person.text
        assert "“Doing”: card limit none  only on this computer" in person.said


def signs(person: Driver) -> str:
    """The signs in the headings of the stages."""
    return "".join(sign for sign in person.text.splitlines()[1] if sign in "◦◐✓")


async def test_the_kind_of_a_stage_is_chosen_and_kept(tmp_path: Path) -> None:
    kept = tmp_path / "preferences.json"
    store = FakeStore(small())
    async with opened(store, preferences=Preferences(kept)) as person:
        assert signs(person) == "◦◐✓"
        await press(person, "S e up up")
        assert "backlog (guess)" in person.text
        await press(person, "right right enter")
        assert signs(person) == "◐◐✓"
        assert "“To do”: active  only on this computer" in person.said
        assert store.submitted == []
    async with opened(store, preferences=Preferences(kept)) as person:
        assert signs(person) == "◐◐✓"
        await press(person, "S e up up left left enter")
        assert signs(person) == "◦◐✓"
        assert "“To do”: its kind is guessed" in person.said


async def test_own_settings_of_stages_from_another_window_stay(tmp_path: Path) -> None:
    path = tmp_path / "preferences.json"
    others = Preferences(path)
    async with opened(FakeStore(small()), preferences=Preferences(path)) as person:
        await press(person, "l S e")
        others.put(1, LIMITS, 1, 7)
        others.put(1, KINDS, 3, "active")
        await press(person, "up ~2 enter")
    assert Preferences(path).numbers_by_id(1, LIMITS) == {1: 7, 2: 2}
    assert Preferences(path).texts_by_name(1, KINDS) == {"3": "active"}


async def test_a_card_limit_follows_a_new_stage_to_its_id() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await press(person, "S n ~Next enter S e up ~3 enter")
        local = stages(store)[1].id
        view = store.views[1]
        renamed = tuple(replace(each, id=9) if each.id == local else each for each in view.stages)
        store.news(replace(view, stages=renamed), **{f"_{local}": 9})
        await person.pilot.pause()
        assert person.board.cards.limits == {9: 3}
        assert "0/3" in person.text
        assert "▸2 Next" in person.text


def dated(number: int, title: str, due: int | None, priority: Priority) -> Task:
    """A card that is due on a day and was made at an hour."""
    return Task(
        number,
        1,
        1,
        title,
        priority=priority,
        due_at=datetime(2026, 12, due) if due else None,  # noqa: DTZ001 (wall-clock time)
        created_at=datetime(2026, 1, 1, number, tzinfo=UTC),
    )


@pytest.mark.long
async def test_cards_are_sorted() -> None:
    lane = (
        dated(3, "b", 2, Priority.LOW),
        dated(1, "c", None, Priority.MEDIUM),
        dated(2, "a", 1, Priority.HIGH),
        dated(4, "e", None, Priority.LOW),
    )
    view = small()
    store = FakeStore(replace(view, tasks={**view.tasks, 1: lane}))
    async with opened(store) as person:
        for key, order in (
            ("p", "acbe"), ("P", "beca"), ("d", "abce"), ("D", "bace"), ("c", "cabe"),
            ("C", "ebac"), ("t", "abce"), ("T", "ecba"), ("r", "eacb"),
        ):  # fmt: skip
            await press(person, f"S s {key}")
            assert "".join(person.titles(1)) == order, key
            assert len(store.submitted) == 1, key
            assert "Sorted “To do”: " in person.said
            store.submitted.clear()
            store.news(replace(view, tasks={**view.tasks, 1: lane}))
        await press(person, "S s t S s t")
        assert len(store.submitted) == 1
        assert "The cards in “To do” are already in that order" in person.said


async def test_archiving_asks_first() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await press(person, "S A")
        assert "Its 3 cards go with it." in person.text
        await press(person, "enter n")
        assert store.submitted == []
        await press(person, "S X enter escape 3 S X")
        assert "“Done” has no cards to archive" in person.said
        assert store.submitted == []
        await press(person, "1 S X")
        assert "It has 3 cards" in person.text
        await press(person, "y")
        assert person.titles(1) == []
        assert "Archived 3 cards of “To do”  u undo" in person.said
        await press(person, "u l S A y")
        assert titles(store) == "To do, Done"
        await press(person, "u")
        assert titles(store) == "To do, Doing, Done"
        assert person.titles(2) == ["d", "e"]


@pytest.mark.long
async def test_a_stage_that_vanishes_while_something_is_asked() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        for keys, answer in (("S r", "enter"), ("S e", "enter"), ("S c", "enter"), ("S s", "t"),
                             ("S A", "y"), ("S X", "y")):  # fmt: skip
            store.news(small())
            await press(person, f"1 {keys}")
            store.news(small().without_stage(1))
            await person.pilot.pause()
            await press(person, answer)
            assert "Stage “To do” was deleted: nothing was changed" in person.said, keys
            await press(person, "escape")
        store.news(small())
        await press(person, "1 S n ~x")
        store.news(small().without_stage(1))
        await person.pilot.pause()
        await press(person, "enter")
        assert titles(store) == "Doing, Done, x"


@pytest.mark.parametrize("key", [*"sA", pytest.param("X", marks=pytest.mark.long)])
async def test_what_needs_all_cards_waits_for_them(key: str) -> None:
    store = FakeStore(replace(small(), complete=False, totals={1: 300}))
    async with opened(store) as person:
        person.send("S", key, "escape")
        await person.pilot.pause()
        assert "“To do”" not in person.text
        store.news(small())
        await person.press("j")  # the Esc before it has closed the dialog
        assert person.app.screen is person.board
        assert person.here == "b"
        assert store.submitted == []


@pytest.mark.parametrize("key", list("sAX"))
async def test_why_all_cards_do_not_come_is_said(key: str) -> None:
    store = FakeStore(replace(small(), complete=False, totals={1: 300}))
    async with opened(store) as person:
        store.now = SyncStatus(problem="The service is away.")
        await press(person, f"S {key}")
        assert "Not all cards are loaded: The service is away" in person.said


@pytest.mark.parametrize("key", list("nNrecsmAX"))
async def test_a_viewer_is_told_why(key: str) -> None:
    store = FakeStore(replace(small(), board=Board(1, "Small", is_view_only=True)))
    store.me = Account("vic")
    async with opened(store) as person:
        await press(person, f"S {key}")
        assert "You are a viewer of this board" in person.said
        assert not person.deck.is_lifting


async def test_an_error_of_the_store_is_shown() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        store.failure = CallboardError("The disk is full.")
        await press(person, "S n ~x enter")
        assert "The disk is full." in person.said
        assert titles(store) == "To do, Doing, Done"
