"""Marked cards: the bar that says what can be done with all of them, and what they do not share."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from tests.fakes.boards import ANN, AUTH, BUG, JON, MIRA, NOW, relaunch
from tests.fakes.store import FakeStore
from tests.scenes import SCENES
from tests.screens.driving import opened
from tui.model.task import Person, Priority, Task

BAR = " ◆ 2 marked   m move  a assign  t label  d due  x close  A archive "


@pytest.mark.parametrize("width", [80, 120])
async def test_the_footer_says_what_can_be_done_with_marked_cards(width: int) -> None:
    async with opened(FakeStore(relaunch()), size=(width, 30)) as person:
        usual = person.hints
        await person.press("v", "v")
        last = person.text.splitlines()[-1]
        assert last.startswith(BAR)
        assert last.rstrip().endswith("│ esc clear")
        assert len(person.text.splitlines()) == 30
        await person.press("g")
        assert "g … one more key" in person.hints, "chords say what may follow"
        await person.press("escape", "question_mark")
        assert "Keys that work here" in person.text
        await person.press("escape", "space")
        assert "↵ drop" in person.hints, "lifted cards have their keys"
        await person.press("escape", "escape")
        assert person.hints == usual


@pytest.mark.long
async def test_marks_are_gone_from_the_whole_screen_at_once() -> None:
    async with opened(FakeStore(relaunch())) as person:
        usual, header = person.hints, person.board.bar.words
        await person.press("v", "v", "d", *"fri", "enter")
        assert person.hints == usual
        assert "◆" not in person.board.bar.words
        await person.press("v")
        assert "◆ 1 marked" in person.board.bar.words
        await person.press("escape", "escape")
        assert person.hints == usual
        assert "◆" not in person.board.bar.words
        assert "◆" not in header


async def test_the_bar_can_be_clicked() -> None:
    store = FakeStore(relaunch())
    async with opened(store) as person:
        usual = person.hints
        await person.press("v", "v")
        await person.click("x close")
        assert "Closed 2 cards" in person.said
        await person.press("v")
        await person.click("clear")
        assert person.hints == usual


@pytest.mark.parametrize("name", ["standup", "my-work"])
async def test_lists_of_cards_have_the_bar(name: str) -> None:
    async with SCENES[name].shown((120, 36)) as person:
        usual = person.hints
        await person.press("v", "v")
        assert person.hints.startswith(BAR)
        assert "marked" not in person.said, "it is said once"
        await person.press("escape")
        assert person.hints == usual


@pytest.mark.long
async def test_cards_that_a_filter_hides_keep_its_hints() -> None:
    async with opened(FakeStore(relaunch())) as person:
        await person.press("v", "slash", *"nothing_has_this", "enter")
        assert "clear filter" in person.hints


def two_cards(**different: Sequence[Any]) -> FakeStore:
    """A store whose first two cards differ in fields."""
    view = relaunch()
    cards = view.in_stage(1)[:2]
    for at, task in enumerate(cards):
        values = {field: values[at] for field, values in different.items()}
        view = view.with_task(replace(task, **values))
    return FakeStore(view)


def first_two(store: FakeStore) -> Sequence[Task]:
    view = store.board(1)
    assert view is not None
    return view.in_stage(1)[:2]


DATES = (datetime(2026, 12, 4, 17, tzinfo=NOW.tzinfo), None)


@pytest.mark.parametrize(
    ("key", "field"),
    [pytest.param("d", "due_at", marks=pytest.mark.long), ("s", "started_at")],
)
async def test_different_dates_are_mixed_and_stay_unless_one_is_typed(key: str, field: str) -> None:
    store = two_cards(**{field: DATES})
    async with opened(store) as person:
        await person.press("v", "v", key)
        assert "mixed: Fri 4 Dec 17:00, none" in person.text
        assert "unchanged if left empty" in person.text
        assert "0 none" in person.text
        await person.press("enter")
        assert "Nothing was changed" in person.said
        assert [getattr(task, field) for task in first_two(store)] == [*DATES]
        assert store.submitted == []
        await person.press(key, *"2026-12-11 12:00", "enter")
        assert {f"{getattr(task, field):%d %H}" for task in first_two(store)} == {"11 12"}
        assert len(store.steps) == 1, "one undo for both"
        await person.press("home", "v", "v", key)
        assert "mixed" not in person.text
        assert "2026-12-11 12:00" in person.text, "all have this one"


@pytest.mark.parametrize("typed", ["none", "0"])
async def test_mixed_dates_can_be_cleared_on_all(typed: str) -> None:
    store = two_cards(due_at=DATES)
    async with opened(store) as person:
        await person.press("v", "v", "d", *typed)
        assert "no due date" in person.text
        await person.press("enter")
        assert [task.due_at for task in first_two(store)] == [None, None]


async def test_mixed_priorities_stay_unless_one_is_chosen() -> None:
    store = two_cards(priority=(Priority.HIGH, Priority.LOW))
    async with opened(store) as person:
        await person.press("v", "v", "p")
        assert "mixed: high, low" in person.text
        await person.press("enter")
        assert [task.priority for task in first_two(store)] == [Priority.HIGH, Priority.LOW]
        assert "Nothing was changed" in person.said
        await person.press("p", "m")
        assert {task.priority for task in first_two(store)} == {Priority.MEDIUM}


async def test_people_of_some_cards_are_mixed_and_go_to_all_or_none() -> None:
    store = two_cards(assignees=((ANN, JON), (JON,)))
    async with opened(store) as person:
        await person.press("v", "v", "a")
        assert "[-] Ann Keller" in person.text
        assert "[x] Jon Reyes" in person.text
        await person.press("m", "i", "space", "enter")
        assert people(store) == [{ANN, JON, MIRA}, {JON, MIRA}], "who was mixed stays so"
        await person.press("home", "v", "v", "a", *"ann", "space")
        assert "[x] Ann Keller" in person.text
        assert "space remove Ann Keller" in person.text
        await person.press("space")
        assert "[ ] Ann Keller" in person.text
        assert "space reset Ann Keller" in person.text
        await person.press("space")
        assert "[-] Ann Keller" in person.text
        await person.press("space", "space", "enter")
        assert people(store) == [{JON, MIRA}, {JON, MIRA}]
        assert "Unassigned Ann Keller: 2 cards" in person.said


async def test_labels_of_some_cards_are_mixed_and_go_to_all_or_none() -> None:
    store = two_cards(labels=((BUG, AUTH), (AUTH,)))
    async with opened(store) as person:
        await person.press("v", "v", "t")
        assert "[-] ■ bug" in person.text
        await person.press("enter")
        assert "No labels changed" in person.said
        await person.press("t", *"bug", "ctrl+space", "enter")
        assert [set(task.labels) for task in first_two(store)] == [{AUTH, BUG}] * 2
        await person.press("u", "home", "v", "v", "t", *"bug", "ctrl+space")
        await person.press(*"bug", "ctrl+space", "enter")
        assert [set(task.labels) for task in first_two(store)] == [{AUTH}] * 2


def people(store: FakeStore) -> list[set[Person]]:
    return [set(task.assignees) for task in first_two(store)]
