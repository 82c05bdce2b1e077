"""What is found while it is still being read, in the palette, and with hostile texts."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta

import pytest
from textual.widgets import OptionList

from tests.fakes.boards import NOW, relaunch, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tests.screens.service_lists import store_with_lists
from tests.screens.test_hostile import HOSTILE
from tui.dialogs.palette import FindAnywhereDialog, PaletteDialog
from tui.model.find import Found, Thing
from tui.model.task import Person
from tui.screens.task.screen import TaskScreen
from tui.text.cells import width as cell_width


class Slow(FakeStore):
    """A store that has read half of what there is, until it may go on."""

    def __init__(self) -> None:
        super().__init__(small())
        self.may_go_on = asyncio.Event()

    async def everything(self) -> AsyncIterator[Sequence[Found]]:
        half = len(self.found) // 2
        yield self.found[:half]
        await self.may_go_on.wait()
        yield self.found[half:]


_END_OF_SCROLLBAR = "▁▂▃▄▅▆▇█"


def rows(person: Driver) -> list[str]:
    """The rows of the dialog, without its title, its input and its line with the keys."""
    frame = person.app.screen.query_one(".dialog").region
    lines = person.text.splitlines()[frame.y + 3 : frame.bottom - 2]
    texts = (" ".join(line[frame.x + 1 : frame.right - 1].split()) for line in lines)
    return [bare for text in texts if (bare := text.rstrip(f" {_END_OF_SCROLLBAR}"))]


def card(number: int, title: str) -> Found:
    return Found(Thing.CARD, number, title, 1, "Small", "Open")


@pytest.mark.long
async def test_enter_waits_for_the_best_match_unless_the_cursor_was_moved() -> None:
    store = Slow()
    store.found = (card(12, "bottle opener"), card(13, "best boat"), card(11, "b"), card(15, "e"))
    async with opened(store) as person:
        await person.press("g", "f")
        await person.type("b")
        assert "bottle opener" in person.text
        person.send("enter", "escape")
        await person.pilot.pause()
        assert isinstance(person.app.screen, FindAnywhereDialog), "there may be a better one"
        store.may_go_on.set()
        await person.press()
        assert "open task 11 of 1" in store.asked, "the card with the number 11"
        assert person.here == "a"
        store.may_go_on.clear()
        await person.press("g", "f")
        await person.type("b")
        await person.press("down")
        store.may_go_on.set()
        await person.press("f12", "enter", "escape")
        assert person.here == "b", "the cursor stays where it was moved"
        store.news(small().without_task(13))
        await person.press("g", "f")
        await person.type("best boat")
        await person.press("enter", "escape")
        assert person.here == "b"
        store.news(small())
        await person.press("f12")
        assert person.here == "c", "as soon as all cards are read"


async def test_what_is_found_stands_in_groups_with_its_place_and_date() -> None:
    store = FakeStore(small())
    ann = Person(8, "Ann Lamp", "ann")
    store.found = (
        Found(Thing.BOARD, 1, "Small", 1),
        Found(Thing.PERSON, 8, "Ann Lamp", place="Small", people=(ann,)),
        card(13, "lamp on")._replace(due_at=NOW - timedelta(days=2), people=(ann,)),
        card(14, "lamp off")._replace(is_closed=True),
        Found(Thing.COMMENT, 5, "a lamp?", 1, "Small", "lamp on", 13, (ann,)),
    )
    async with opened(store, size=(120, 36)) as person:
        await person.press("g", "f")
        await person.type("lamp")
        assert rows(person) == [
            "Cards",
            "▌ #13 lamp on Small › Open 2d overdue",
            "#14 lamp off Small › Open closed",
            "Comments",
            "#13 ann: a lamp? Small › lamp on",
            "Boards and people",
            "@ann Ann Lamp 1 open",
        ]
        assert "4 found" in person.text
        assert "↵ open   ↑↓ choose   esc close    #12  @name  words  " in person.text
        await person.type(" zzz")
        assert "No results for “lamp zzz”" in person.text
        assert "2 cards, 1 comment, 1 board, 1 person." in person.text
        assert "use / on a board" in person.text
        assert "help (use ?)" in person.text
        assert " esc close    #12  @name  words " in person.text


async def test_an_action_is_found_anywhere_too() -> None:
    async with opened(FakeStore(small()), size=(120, 36)) as person:
        await person.press("g", "f")
        await person.type("due date")
        assert "Actions" in person.text
        await person.press("enter")
        assert "Due date" in person.text
        assert not isinstance(person.app.screen, FindAnywhereDialog)


@pytest.mark.long
async def test_the_palette_says_which_cards_it_is_about_and_what_was_used() -> None:
    async with opened(FakeStore(small()), size=(120, 36)) as person:
        await person.press("colon")
        assert "on “a”" in person.text
        await person.type("column.zoom")
        await person.press("enter", "v", "v", "colon")
        assert "on 2 cards" in person.text
        assert rows(person)[:2] == ["Recently used", "▌ Show column alone or all Z"]
        await person.type("due")
        assert rows(person) == [
            "▌ Set due date … d",
            "Recently used",
            "Show column alone or all Z",
        ]
        await person.press(*("backspace",) * 3)
        await person.type("zzz")
        assert "Recently used" not in person.text, "Enter would run something else"


@pytest.mark.long
async def test_the_palette_finds_more_below_its_actions_from_two_letters_on() -> None:
    store = FakeStore(small())
    store.found = (card(13, "zoom lens"), *(card(50 + n, title) for n, title in enumerate(HOSTILE)))
    store.found += (Found(Thing.PERSON, 7, "Zoe", people=(Person(7, "Zoe", "zoe"),)),)
    async with opened(store, size=(60, 24)) as person:
        await person.press("colon")
        await person.type("z")
        assert "lens" not in person.text
        await person.type("oo")
        listed = rows(person)
        heading = listed.index("Cards")
        assert heading > 0
        assert listed[heading - 1].endswith("Z")
        assert listed[heading + 1] == "#13 zoom lens Small › Open"
        await person.press("down")
        assert "↵ open   esc close" in person.text
        await person.press("enter")
        assert isinstance(person.app.screen, TaskScreen)
        await person.press("escape", "space", "colon")
        await person.type("zoom lens")
        await person.press("enter")
        assert "Drop the card first" in person.said, "as for actions"
        await person.press("escape", "colon")
        await person.type("@zoe")
        await person.press("enter")
        assert type(person.app.screen_stack[-1]) is PaletteDialog, "no cards are theirs"
        await person.press("escape", "g", "f")
        for title in HOSTILE:
            await person.press("ctrl+u")
            await person.paste(title[:40])
            lines = person.text.splitlines()
            assert all(cell_width(each) == 60 for each in lines)
            assert not any(ord(each) < 32 or 127 <= ord(each) < 160 for each in "".join(lines))


async def test_a_group_beside_others_lists_its_best_matches_and_the_rest_when_asked() -> None:
    store = FakeStore(small())
    store.found = (Found(Thing.BOARD, 2, "lamps", 2), card(13, "lap mop"))
    store.found += tuple(card(50 + number, f"lamp {number:02}") for number in range(20))
    async with opened(store, size=(100, 40)) as person:
        await person.press("g", "f")
        await person.type("lamp")
        assert rows(person)[8:] == [
            "#57 lamp 07 Small › Open",
            "… 12 more",
            "Boards and people",
            "lamps board",
        ], "scattered letters count only where nothing has them together"
        assert "21 found" in person.text
        await person.press(*("down",) * 8)
        assert "↵ open list" in person.text
        await person.press("enter")
        assert "▌ #57 lamp 07 Small › Open" in rows(person), "the cursor stays"
        await person.press("down")
        assert "▌ #58 lamp 08 Small › Open" in rows(person)
        await person.press("end")
        await person.type("s")
        assert rows(person) == ["Boards and people", "▌ lamps board"]
        await person.press("backspace")
        assert "… 12 more" in rows(person)


@pytest.mark.long
async def test_what_is_done_to_cards_comes_first_and_what_is_not_possible_last() -> None:
    store = FakeStore(small())
    async with opened(store, size=(120, 36)) as person:
        await person.press("colon")
        await person.type("mo")
        assert rows(person)[:2] == ["▌ Move to stage or board … m", "Move card up K"]
        assert rows(person)[5] == "Move stage S m", "a stage is not a card"
        await person.press("escape", "3", "colon")
        assert "on “" not in person.text
        await person.type("set due")
        assert rows(person) == ["▌ Set due date … no card d"]
        assert "Not available: no card" in person.text
        await person.press("ctrl+u")
        await person.type("stage")
        ways = rows(person)
        assert ways[-1] == "Move to stage or board … no card m"
        assert not any("no card" in row for row in ways[:-1])
        await person.press("up", "enter")
        assert store.submitted == []


@pytest.mark.long
async def test_what_concerns_the_card_comes_first_and_the_program_last() -> None:
    async with opened(FakeStore(small()), size=(120, 36)) as person:
        await person.press("colon")
        listed = rows(person)
        assert listed[:4] == ["Card", "▌ Open card ↵", "Edit title e", "Close or reopen card x"]
        palette = person.app.screen
        assert isinstance(palette, PaletteDialog)
        assert list(palette.groups("")) == [
            *("Recently used", "Card", "Stage", "View", "Go to", "Program")
        ]
        await person.type("ar")
        found = [row.lstrip("▌ ") for row in rows(person)]
        assert found[0] == "Archive or restore card A"
        order = ("Archive stage … S A", "Go to archived cards g x")
        assert [row for row in found if row in order] == [*order]


async def test_on_a_list_its_own_actions_come_first() -> None:
    store, _ = store_with_lists()
    async with opened(store, size=(120, 36)) as person:
        await person.press("g", "l", "colon")
        assert rows(person)[2:4] == ["Label", "Edit label … e"]


@pytest.mark.long
async def test_what_was_run_by_a_key_is_offered_again_but_no_step_of_the_cursor() -> None:
    async with opened(FakeStore(small()), size=(120, 36)) as person:
        await person.press("x", "j", "escape", "Z", "question_mark", "escape", "colon")
        first = [row.rstrip(" ▁▂▃▄▅▆▇█") for row in rows(person)[:3]]  # without the scroll bar
        assert first == ["Recently used", "▌ Close or reopen card x", "Card"]


@pytest.mark.long
async def test_the_row_at_the_cursor_has_one_style_and_its_sign_at_the_edge() -> None:
    store = FakeStore(small())
    store.found = (card(13, "alone at night"),)
    async with opened(store, size=(120, 36)) as person:
        await person.press("colon")
        await person.type("alone")
        for down in range(2):
            picks = person.app.screen.query_one(OptionList)
            line = next(line for line in map(picks.render_line, range(9)) if "▌" in line.text)
            assert line.text.startswith("▌")
            styles = {(each.style.color, each.style.bgcolor) for each in line if each.style}
            assert len(styles) == 1, down
            assert any(each.style.underline for each in line if each.style), "found letters"
            await person.press("down")


WORDS = (
    "invite assignee comment due standup delete archive theme login logout log_in log_out mention"
    " sort column tag swimlane dark mute zoom rename deadline search history copy done"
)


@pytest.mark.long
@pytest.mark.parametrize("dialog", ["colon", "question_mark"])
async def test_what_people_call_things_finds_an_action_in_the_palette_and_in_the_help(
    dialog: str,
) -> None:
    async with opened(FakeStore(relaunch()), size=(120, 36)) as person:
        await person.press(dialog)
        for words in WORDS.split():
            await person.paste(words.replace("_", " "))
            first = (rows(person) or [""])[0]
            assert not first.startswith(("No results", "Help: ")), words
            await person.press("ctrl+u")


async def test_the_palette_knows_what_cannot_be_done_to_what_is_chosen() -> None:
    store, _ = store_with_lists()
    parent = task(11, "a", subtasks_total=2)
    store.views[1] = small().with_task(parent)
    async with opened(store, size=(120, 36)) as person:
        await person.press("colon")
        await person.type("demote")
        assert rows(person)[0] == "▌ Convert to subtask … has subtasks >"
        await person.press("enter")
        assert "has subtasks, so it cannot become one" in person.said
        await person.press("g", "b", "colon")
        await person.type("folder")
        listed = rows(person)
        last = listed.index("Recently used") - 1
        assert listed[last] == "Remove board from folder no folder F o", "what works is first"


async def test_the_cards_of_a_person_are_all_listed_whatever_their_titles() -> None:
    store, ann = FakeStore(small()), Person(8, "Ann Lamp", "ann")
    store.found = (
        Found(Thing.PERSON, 8, "Ann Lamp", people=(ann,)),
        card(13, "annual report")._replace(people=(ann,)),
        card(14, "lamp off")._replace(people=(ann,)),
    )
    async with opened(store, size=(120, 36)) as person:
        await person.press("g", "f")
        await person.type("ann lamp")
        assert rows(person) == ["Boards and people", "▌ @ann Ann Lamp 2 open"]
        await person.press("enter")
        assert len(rows(person)) == 3
        await person.type("off")
        assert rows(person)[1:] == ["▌ #14 lamp off Small › Open"]
