"""Searchable lists: what is listed, chosen, created and clicked."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from textual.widgets import OptionList

from tests.dialogs.showing import shown
from tests.fakes.boards import ANN, BUG, JON, MIRA, relaunch, small
from tui.dialogs.pick.find import MOST, Choice, FilterDialog, FilterRow, FindDialog, Pick
from tui.dialogs.pick.many import PickChoice, Picked, PickLabels, PickMany
from tui.dialogs.pick.person import PickPerson
from tui.dialogs.pick.places import Destination, MoveToDialog, PickedPlace, PickParent, PlaceChoice
from tui.errors import CallboardError
from tui.model.board import Board
from tui.model.task import Person

CITIES = [Choice(1, "Bern"), Choice(2, "Basel", "by the Rhine"), Choice(3, "")]


async def test_a_list_needs_only_its_rows_and_answers_with_what_one_stands_for() -> None:
    async with shown(lambda: Pick("Which [b]city?", CITIES, "a city")) as front:
        assert all(words in front.text for words in ("Which [b]city?", "a city", "by the Rhine"))
        assert "(no title)" in front.text
        await front.type("rhine")
        assert "nothing matches “rhine”" in front.text, "hints are not searched"
        await front.press("enter")
        assert front.answers == []
        await front.press("ctrl+u", "b", "down", "enter")
        assert front.answers == [2]


async def _nobody(_: str) -> Sequence[Person]:
    return []


@pytest.mark.parametrize(
    "dialog",
    [
        lambda: Pick("Which city?", CITIES),
        lambda: PickParent("Where?", [PlaceChoice(1, "Home")]),
        lambda: MoveToDialog("Move", small()),
        lambda: FilterDialog("Filter", [FilterRow("mine", "@me", "Mine", is_saved=True)]),
        lambda: PickPerson(
            "Add", [JON], frozenset(), _nobody, invite="callboard serve", pause_seconds=0.0
        ),
    ],
    ids=["pick", "parent", "stage", "filter", "person"],
)
async def test_keys_are_offered_only_where_there_is_something_to_choose(
    dialog: Callable[[], FindDialog[Any]],
) -> None:
    async with shown(dialog) as front:
        assert "↵ select" in front.text
        await front.type("xyzzy")
        assert not any(key in front.text for key in ("↵", "↑↓", "delete")), front.text
        await front.press("ctrl+u")
        assert "↵ select" in front.text


async def test_a_long_list_is_paged_and_clicked() -> None:
    async with shown(
        lambda: Pick("n", [Choice(number, f"row {number}") for number in range(100)])
    ) as front:
        await front.press("pagedown")
        rows = front.person.app.screen.query_one(OptionList)
        page = rows.highlighted
        assert page
        await front.press("pageup", "pageup", "up")
        assert rows.highlighted == 99, "around the end"
        await front.press("down")
        await front.person.pilot.click(OptionList, offset=(5, 2))
        assert front.answers == [2]


@pytest.mark.long
async def test_of_many_places_the_first_are_listed_and_a_new_one_is_created_by_its_title() -> None:
    places = [PlaceChoice(number, f"place {number}") for number in range(MOST + 3)]
    async with shown(lambda: PickParent("Where?", places, create="a new group")) as front:
        dialog = front.person.app.screen
        assert isinstance(dialog, PickParent)
        assert [str(row.shown) for row in dialog.rows("")][MOST:] == [
            " … 3 more: type to find them",
            " + a new group: type its title",
        ]
        await front.type("place 7")
        assert "a new group “" not in front.text, "there is one of that title"
        await front.type(" b ")
        assert "+ a new group “place 7 b”" in front.text
        await front.press("enter")
        assert front.answers == [PickedPlace(0, "place 7 b")]
    async with shown(lambda: PickParent("Where?", places)) as front:
        await front.type("place 7")
        await front.press("enter")
        assert front.answers == [PickedPlace(7)]


async def test_cards_go_to_either_end_of_a_stage_and_to_the_bottom_of_a_board() -> None:
    boards = (Board(7, "Elsewhere"),)
    recent = ("board 7", "stage 1")
    async with shown(
        lambda: MoveToDialog("Move", small(), current_stages={1}, boards=boards, recent=recent)
    ) as front:
        assert "another board · recent" in front.text
        assert "3 · here · recent" not in front.text, "they are there already"
        assert "↵ select" in front.text
        await front.press("down")
        assert "↵ select bottom tab top instead" in front.text
        await front.press("tab")
        assert "↵ select top tab bottom instead" in front.text
        await front.press("enter")
        assert front.answers == [Destination(1, is_top=True)]
    note = "other boards are not offered here"
    async with shown(lambda: MoveToDialog("Move", small(), both_ends=False, note=note)) as front:
        await front.press("tab")
        assert "↵ select" in front.text
        await front.type("qq")
        assert note in front.text
        await front.press("enter", "ctrl+u", "down", "enter")
        assert front.answers == [Destination(2)]


async def test_a_person_is_asked_for_at_the_service_while_a_name_is_typed() -> None:
    may_answer = asyncio.Event()
    asked: list[str] = []

    async def find(words: str) -> Sequence[Person]:
        asked.append(words)
        if words == "zoe":
            await may_answer.wait()
            return [Person(9, "Zoe Frei", "zf"), ANN]
        if words == "m":
            raise CallboardError("No connection.")
        return [JON]

    people = [ANN, MIRA]
    async with shown(
        lambda: PickPerson(
            "Who?", people, frozenset({ANN.id}), find, invite="Ask.", pause_seconds=0
        )
    ) as front:
        assert "Ann Keller" not in front.text
        assert "Jon Reyes jon" in front.text
        await front.type("zoe")
        assert "searching …" in front.text
        may_answer.set()
        await front.person.pilot.pause()
        assert "Zoe Frei zf" in front.text
        await front.press("ctrl+u", "m")
        assert "Mira Novak mira No connection." in front.text
        await front.press("ctrl+u")
        await front.type("zoe")
        await front.press("enter")
        assert front.answers == [Person(9, "Zoe Frei", "zf")]
    assert asked[0] == ""


async def test_enter_waits_for_who_is_found_at_the_service() -> None:
    may_answer = asyncio.Event()
    zoe = Person(9, "Zoe Frei", "zf")

    async def find(_: str) -> Sequence[Person]:
        await may_answer.wait()
        return [zoe]

    async with shown(
        lambda: PickPerson("Who?", (), frozenset(), find, invite="Ask.", pause_seconds=0)
    ) as front:
        front.person.send(*"zoe", "enter", "j")
        await front.person.pilot.pause()
        assert "searching …" in front.text
        may_answer.set()
        await front.person.press()
        assert front.answers == [zoe]
        assert front.person.here == "b"


async def test_the_service_is_asked_for_a_person_once_typing_pauses() -> None:
    asked: list[str] = []

    async def find(words: str) -> Sequence[Person]:
        asked.append(words)
        return [Person(9, "Zoe Frei", "zf")] if words == "zoe" else []

    async with shown(
        lambda: PickPerson("Who?", (), frozenset(), find, invite="Ask.", pause_seconds=1000)
    ) as front:
        await front.type("zoe")
        assert "searching …" in front.text
        assert asked == [""]
        await front.press("enter")
        assert asked == ["", "zoe"]
        assert front.answers == [Person(9, "Zoe Frei", "zf")]


async def test_if_nobody_else_is_there_it_says_so() -> None:
    async def find(words: str) -> Sequence[Person]:
        return [Person(9, "", "zf")] if words == "zf" else []

    async with shown(
        lambda: PickPerson("Who?", (), frozenset(), find, invite="Ask.", pause_seconds=0)
    ) as front:
        assert "no one else Ask." in front.text
        await front.type("x")
        assert "no one matches “x” Ask." in front.text
        await front.press("backspace")
        await front.type("zf")
        assert "person 9 zf" in front.text
        await front.press("enter")
        assert front.answers == [Person(9, "", "zf")]


async def test_several_are_toggled_searched_and_clicked() -> None:
    choices = [PickChoice("1", "Ann", "me"), PickChoice("2", "Bob"), PickChoice("3", "Cleo")]
    async with shown(lambda: PickMany("Who?", choices, frozenset({"1"}), recent=["3"])) as front:
        assert "[ ] Cleo recent [x] Ann me [ ] Bob" in front.text
        await front.type("bob")
        assert "space select Bob ↵ save with Bob" in front.text
        await front.press("space")
        assert "[x] Bob" in front.text
        assert "space remove Bob ↵ save esc cancel" in front.text
        await front.person.pilot.click(OptionList, offset=(5, 1))
        assert "[ ] Ann" in front.text
        await front.type("cl")
        await front.press("enter")
        assert front.answers == [Picked(frozenset({"2", "3"}))]


async def test_an_item_to_create_is_taken_back_before_it_is_created() -> None:
    async with shown(
        lambda: PickMany("What?", [], frozenset(), create="tag", created=("old",))
    ) as front:
        assert "[x] old new" in front.text
        await front.press("space")
        assert "no tag yet: type a title" in front.text
        await front.type("two words")
        assert "create tag “two words”" in front.text
        await front.press("enter")
        assert front.answers == [Picked(frozenset(), ("two words",))]


async def test_a_label_to_edit_is_answered_with_what_was_toggled_before() -> None:
    tasks = relaunch().in_stage(1)[:2]
    async with shown(lambda: PickLabels("Labels", relaunch(), tasks, {BUG.id}, at="3")) as front:
        assert "ctrl+r edit" in front.text
        await front.press("space", "ctrl+r")
        assert front.answers == [Picked(frozenset({str(BUG.id), "3"}), (), "edit", "3")]
