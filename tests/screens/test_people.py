"""Who does a task and who watches it: one card, several cards, and what cannot be done."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from tests.fakes.boards import ANN, JON, MIRA, NOW, relaunch, small
from tests.fakes.store import FakeStore
from tests.harness.cases import mostly_long
from tests.screens.driving import Driver, connected
from tui.actions.tasks.people import choices, offered
from tui.app import CallboardApp
from tui.client.capabilities import Feature
from tui.context import Context
from tui.dialogs.pick.many import PickChoice, PickMany
from tui.errors import CallboardError
from tui.model.detail import TaskDetail
from tui.model.people import Account
from tui.model.task import Person
from tui.store.operations import Operation, is_edit
from tui.store.operations.fields.people import people_in


@asynccontextmanager
async def opened_as(
    login: str, store: FakeStore, size: tuple[int, int] = (64, 18)
) -> AsyncIterator[Driver]:
    """The board, with somebody at the keyboard."""
    store.me = Account(login)
    context = Context(store, now=lambda: NOW)
    app = CallboardApp(context, connect=connected, board_id=1)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Driver(app, pilot)


def people(operation: Operation) -> set[str]:
    """Who works on a task after a change."""
    assert is_edit(operation, "assignees")
    return {person.login for person in people_in(operation.text)}


def working(store: FakeStore, task_id: int) -> set[str]:
    """Who works on a card."""
    found = store.views[1].task(task_id)
    assert found is not None
    return {person.login for person in found.assignees}


async def test_people_are_found_toggled_and_taken() -> None:
    store = FakeStore(relaunch())
    async with opened_as("MIRA", store) as person:
        await person.press("a")
        lines = [line for line in person.text.split("\n") if "[" in line and "] " in line]
        assert [name in line for name, line in zip(("Mira", "Ann", "Jon"), lines, strict=False)]
        assert "[x] Ann Keller" in person.text
        assert "Mira Novak  me · mira" in person.text
        await person.press("j", "o", "space")
        assert "[x] Jon Reyes" in person.text
        await person.press("escape")
        assert store.submitted == []
        await person.press("a", "j", "o", "n")
        assert "↵ save with Jon Reyes" in person.text
        await person.press("enter")
        assert people(store.submitted[0]) == {"ann", "jon"}
        assert person.said.strip().startswith("✓ Assigned to Jon Reyes: “Fix login")
        await person.press("a", "down", "down", "space", "enter")
        assert working(store, 412) == {"jon"}
        assert "Unassigned Ann Keller" in person.said
        await person.press("a", "space", "space", "enter")
        assert "Nothing was changed" in person.said
        await person.press("u")
        assert working(store, 412) == {"ann", "jon"}
        assert len(store.steps) == 2


@mostly_long(
    "keys, line, assigned",
    [
        ((), "↵ save without Ann Keller", set()),
        (("down",), "↵ save with Jon Reyes", {"ann", "jon"}),
        ((*"jon",), "↵ save with Jon Reyes", {"ann", "jon"}),
        ((*"ann",), "↵ save without Ann Keller", set()),
        (("space", "down", "space"), "remove Jon Reyes   ↵ save   esc", {"jon"}),
        (("down", "space", *"ann"), "↵ save without Ann Keller", {"jon"}),
        ((*"ann", "space"), "↵ save   esc", set()),
    ],
    every=3,
)
async def test_enter_toggles_the_person_at_the_cursor_unless_others_were(
    keys: Sequence[str], line: str, assigned: set[str]
) -> None:
    store = FakeStore(relaunch())
    async with opened_as("ann", store) as person:
        await person.press("a", *keys)
        assert line in person.text
        await person.press("enter")
        assert working(store, 412) == assigned
        await person.press("escape")
        assert working(store, 412) == assigned


@pytest.mark.long
async def test_who_was_assigned_lately_comes_first() -> None:
    store = FakeStore(relaunch())
    async with opened_as("mira", store) as person:
        await person.press("a", "j", "o", "n", "enter", "l", "a")
        lines = [line for line in person.text.split("\n") if "[" in line and "] " in line]
        assert [name in line for name, line in zip(("Jon", "Mira", "Ann"), lines, strict=False)]
        assert "Jon Reyes  jon · recent" in person.text
        assert person.text.count("recent") == 1
        await person.press("escape", "i", "a")
        assert person.text.count("recent") == 1, "only what was chosen from the list"


async def test_marked_cards_share_one_step_and_keep_who_else_works_on_them() -> None:
    store = FakeStore(relaunch())
    async with opened_as("Ann", store) as person:
        await person.press("v", "v", "a")
        assert "Assign people to 2 cards" in person.text
        assert "[-] Ann Keller  me · ann · on 1 of 2" in person.text
        await person.press("m", "i", "enter")
        assert len(store.steps) == 1
        assert [people(each) for each in store.submitted] == [{"ann", "mira"}, {"jon", "mira"}]
        assert person.deck.marks == frozenset()
        await person.press("home", "v", "v", "i")
        assert people(store.submitted[-1]) == {"jon", "mira", "ann"}
        assert len(store.submitted) == 3
        assert "Assigned to Ann Keller: 2 cards" in person.said
        await person.press("home", "i")
        assert working(store, 412) == {"mira"}
        store.failure = CallboardError("The disk is full.", hint="Make room.")
        await person.press("i", "w", "a", "space", "enter")
        assert "The disk is full" in person.said
        assert working(store, 412) == {"mira"}
        assert len(store.steps) == 3


async def test_a_stranger_cannot_be_assigned_and_an_unknown_board_says_so() -> None:
    store = FakeStore(relaunch())
    async with opened_as("zoe", store) as person:
        await person.press("i")
        assert "You (zoe) are not a member of this board" in person.said
        store.news(small())
        await person.press("i")
        assert "not loaded yet" in person.said
        await person.press("a")
        assert "not loaded yet" in person.said
        await person.press("3", "a")
        assert "No card here" in person.said
        assert store.submitted == []


async def test_w_watches_and_stops() -> None:
    view = small()
    first = view.in_stage(1)[0]
    store = FakeStore(view, details=[TaskDetail(first, watching=True)])
    async with opened_as("ann", store) as person:
        await person.press("w")
        assert "Stopped watching “a”" in person.said
        await person.press("w")
        assert "Watching “a”" in person.said
        await person.press("v", "v", "w")
        assert [each.text for each in store.submitted if is_edit(each, "watching")] == [
            "false", "true", "true",
        ]  # fmt: skip
        assert store.submitted[-1].task_id == 12
        store.detail_news(replace(store.details[11], watching=None))
        await person.press("home", "w")
        assert "not loaded yet" in person.said
        assert len(store.submitted) == 3


@pytest.mark.parametrize("offers", [True, False, None])
async def test_watching_a_card_of_ones_own_ends_unless_the_service_refuses(
    *, offers: bool | None
) -> None:
    view = small()
    mine = replace(view.in_stage(1)[0], assignees=(ANN,))
    store = FakeStore(view.with_task(mine), details=[TaskDetail(mine, watching=True)])
    if offers is not None:
        (store.offered if offers else store.missing).add(Feature.UNWATCHING_OWN)
    async with opened_as("ann", store) as person:
        await person.press("w")
        if offers is False:
            assert "edition does not offer unwatching a card that you work on" in person.said
            assert store.submitted == []
        else:
            assert "Stopped watching “a”" in person.said
            assert [is_edit(each, "watching") for each in store.submitted] == [True]


def test_those_who_left_can_be_taken_off_and_names_are_no_markup() -> None:
    gone = Person(9, "[/b] \x1b[31mX", "gone")
    nameless = Person(8, "", "bot")
    task = replace(relaunch().in_stage(1)[0], assignees=(gone,))
    found = offered((JON, MIRA, ANN, nameless), (task,), MIRA)
    assert [each.login for each in found] == ["mira", "gone", "ann", "bot", "jon"]
    lines = choices(found, [(JON, MIRA, ANN)], (task, relaunch().in_stage(1)[1]), MIRA)
    assert lines[1] == PickChoice(
        "9", "[/b] \x1b[31mX", "gone · on 1 of 2 · no longer on this board"
    )
    picker = PickMany("[b]Who?", lines, frozenset({"9"}))
    shown = picker.rows("")
    assert str(shown[1].shown).startswith("[x] [/b]")
    assert [row.key for row in picker.rows("zzz")] == [""]


@pytest.mark.long
async def test_different_people_have_different_initials() -> None:
    adams, arbor = Person(1, "Ann Adams", "adams"), Person(2, "Ann Arbor", "arbor")
    view = relaunch()
    cards = view.in_stage(1)
    view = replace(view, board=replace(view.board, people=(adams, arbor)), people=(adams, arbor))
    view = view.with_task(replace(cards[0], assignees=(adams, arbor)))
    view = view.with_task(replace(cards[1], assignees=(arbor,)))
    store = FakeStore(view, details=[TaskDetail(replace(cards[0], assignees=(adams, arbor)))])
    async with opened_as("adams", store, size=(68, 18)) as person:
        assert "AA AR" in person.text
        await person.press("slash")
        await person.type("@ar ")
        assert "#415" in person.text
        await person.press("enter", "escape", "enter")
        assert "Ann Adams  Ann Arbor" in person.text
        await person.press("g", "b")
        assert "AA AA" not in person.text
