"""A task by itself: read part by part, changed by the board's keys, left."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.drivers.quiet import drawn_lines
from tests.fakes.boards import small, task
from tests.fakes.store import FakeStore
from tests.pictures.tasks import UNREAD, board, login_redirect, without_extras
from tests.screens.driving import Driver, opened
from tui.actions.links import numbered
from tui.dialogs.questions import ChooseDialog
from tui.errors import CallboardError
from tui.model.board import BoardView, Place
from tui.model.detail import DetailPart, TaskDetail
from tui.model.events.history import BoardHistory, Event, EventKind
from tui.screens.base import CallboardScreen
from tui.screens.board.screen import BoardScreen
from tui.screens.task.panes import TaskSection
from tui.screens.task.screen import TaskScreen
from tui.screens.thread.screen import ThreadScreen
from tui.store.events import BoardChanged
from tui.store.operations import is_edit


def here(person: Driver) -> TaskScreen:
    """The task screen, which is in front."""
    assert isinstance(person.app.screen, TaskScreen)
    return person.app.screen


def said(person: Driver) -> str:
    """The status line of the task screen."""
    return here(person).status.words


def current_tab(person: Driver) -> str:
    """The words above the thick part of the rule below the tabs."""
    lines = person.text.splitlines()
    at, rule = next((at, line) for at, line in enumerate(lines) if "━━" in line and "──" in line)
    start, end = rule.index("━"), rule.rindex("━") + 1
    return lines[at - 1][start:end]


def around(**values: object) -> FakeStore:
    """A store with a task that was opened before."""
    detail: TaskDetail = replace(login_redirect(), **values)  # type: ignore[arg-type]  # named by the caller
    return FakeStore(board(), details=(detail,))


async def test_the_hints_of_subtasks_are_about_what_is_at_the_cursor() -> None:
    async with opened(around(), size=(120, 40)) as person:
        await person.press("enter", "2", "g", "g")
        hints = here(person).status.footer
        assert "lift" not in hints.words
        assert "e rename  N new group  D delete" in hints.words
        await person.press("j")
        assert "space lift" in hints.words
        await person.press("v", "g", "g")
        assert "space lift" in hints.words, "the marked ones can be lifted from anywhere"
        await person.press("1")
        assert "x close" in hints.words
    async with opened(around(groups=()), size=(120, 40)) as person:
        await person.press("enter", "2")
        hints = here(person).status.footer
        assert "n new subtask  P paste lines  N new group" in hints.words
        assert "lift" not in hints.words


async def test_enter_opens_it_whole_and_esc_comes_back() -> None:
    store = around()
    store.unread = frozenset({UNREAD})
    async with opened(store, size=(120, 60)) as person:
        await person.press("enter")
        for words in (
            *("Fix login redirect after SSO", "› Backlog › #412", "Stage        "),
            *("high", "bug", "Ann Keller", "Wed 18 Nov ·", "Nordlicht AG"),
            *("Subtasks 1 of 4", "The round trip", "Carry it in the signed state"),
            *(
                "Comments 4, newest first · ● 1 unread",
                "● Jon Reyes replied",
                "the cookie is set too late",
            ),
            "T to open the comments · 4 comments · 1 unread",
        ):
            assert words in person.text
        assert "open task 412 of 1" in store.asked
        await person.press("escape")
        assert isinstance(person.app.screen, BoardScreen)
        assert store.asked[-1] == "close task"


async def test_the_description_is_read_not_shown_as_html_and_its_links_open_by_number() -> None:
    html = '<h2>Why</h2><p>Users <b>land</b> on <a href="https://example.test/x">a page</a></p>'
    two = html + '<ul><li>one</li></ul><p><a href="https://example.test/y">other</a></p>'
    view = small().with_task(task(11, "a", description=two))
    async with opened(FakeStore(view)) as person:
        await person.press("enter")
        for words in ("Why", "• one", "a page[1]", "[1] https://example.test/x"):
            assert words in person.text
        assert "<" not in person.text
        await person.press("o")
        assert isinstance(person.app.screen, ChooseDialog)
        assert "https://example.test/y" in person.text
        await person.press("escape", "]", "o")
        assert "No link" in said(person)


def test_of_many_links_the_number_is_typed() -> None:
    links = [f"https://example.test/{n}" for n in range(1, 13)]
    assert numbered(links, " 12 ") == "https://example.test/12"
    assert numbered([*links, "#12"], " #12 ") == "#12"
    for words in ("0", "13", "x", "", "9" * 5000, "#12"):
        with pytest.raises(CallboardError, match="Type a number from 1 to 12"):
            numbered(links, words)


async def test_brackets_go_to_the_neighbours_and_a_deleted_task_says_so() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("enter", "right_square_bracket")
        assert "› To do › #12" in person.text
        assert store.asked[-1] == "open task 12 of 1"
        await person.press("left_square_bracket", "left_square_bracket")
        assert "This is the first card here" in said(person)
        await person.press("right_square_bracket", "right_square_bracket", "right_square_bracket")
        assert "This is the last card here" in said(person)
        await person.press("D", "y")
        assert "no longer on the board" in person.text
        await person.press("right_square_bracket", "j", "ctrl+d", "tab", "5", "e", "o", "escape")
        assert isinstance(person.app.screen, BoardScreen)


async def test_the_facts_say_how_long_the_card_has_been_in_its_stage() -> None:
    store, moved = FakeStore(small()), datetime(2026, 11, 11, 9, tzinfo=UTC)
    log = Event(1, 11, EventKind.MOVED, moved, old="Done", new="To do")
    store.histories[1] = BoardHistory(1, (log,), seen_since={12: moved, 21: moved})
    async with opened(store) as person:
        await person.press("enter")
        assert "To do 9d" in person.text
        await person.press("right_square_bracket")
        assert "To do ≥9d" in person.text
        await person.press("right_square_bracket")
        assert "≥" not in person.text
        store.histories[1] = BoardHistory(1, seen_since={13: moved, 21: moved})
        store.notify(BoardChanged(1, {}))
        await person.press("j")
        assert "To do ≥9d" in person.text
        await person.press("escape", "l", "enter")
        assert "Doing ≥9d ~ stale" in person.text
        await person.press("x")
        assert "9d" not in person.text


@pytest.mark.long
async def test_a_click_on_a_fact_edits_it_and_one_on_a_tab_opens_it() -> None:
    store = around()
    async with opened(store, size=(120, 40)) as person:
        await person.press("enter")
        for words, title in (
            ("2d overdue", "Due date of"),
            ("▲ high", "Priority of"),
            ("■bug", "Labels of"),
            ("Jon Reyes", "Assign people to"),
            ("Backlog  2d", "Move “Fix"),
            ("overdue by", "Due date of"),
            ("Nordlicht", "Customer of"),
            ("medium", "Effort of"),
        ):
            await person.click(words)
            assert title in person.text
            await person.press("escape")
        await person.click("2 Subtasks")
        assert current_tab(person) == "2 Subtasks 1/4"
        await person.click("▲ high")
        assert "Priority of “Fix login redirect after SSO”" in person.text
        await person.press("escape")
        await person.click("5 Activity")
        assert current_tab(person) == "5 Activity"
        await person.click("☑1/4")
        assert current_tab(person) == "2 Subtasks 1/4"
        await person.click("✎4")
        assert isinstance(person.app.screen, ThreadScreen)
        await person.press("escape")
        await person.click("Then the signed", times=2)
        assert isinstance(person.app.screen, ThreadScreen)


async def test_the_boards_keys_change_the_task() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("enter", "x")
        assert "closed ✓" in person.text
        await person.press("e", "backspace", "z", "enter")
        closed, renamed = store.submitted
        assert is_edit(closed, "status")
        assert is_edit(renamed, "title")
        assert store.views[1].in_stage(1)[0].title == "z"
        await person.press("u")
        assert store.views[1].in_stage(1)[0].title == "a"
        await person.press("e", "q", "escape")
        assert len(store.submitted) == 2
        assert here(person).focused is here(person).panes.text
        await person.press("4", "j", "enter")
        assert is_edit(store.submitted[-1], "status")


async def test_undo_goes_to_the_subtask_and_says_in_which_group() -> None:
    store = around()
    async with opened(store, size=(120, 40)) as person:
        await person.press("enter", "2", "j", "J", "1", "u")
        assert here(person).panes.section is TaskSection.SUBTASKS
        (move,) = store.submitted
        assert here(person).subtasks.chosen[0].id == move.subject.id
        assert "Undone: moved the subtask" in said(person)
        assert "of “Fix login redirect after SSO”" in said(person)


async def test_tab_and_numbers_go_to_the_parts_side_by_side() -> None:
    async with opened(around(), size=(120, 36)) as person:
        await person.press("enter")
        panes, signs = here(person).panes, []
        for _ in range(4):
            signs.append(panes.section)
            assert current_tab(person).startswith(f"{panes.section + 1} ")
            assert here(person).focused is panes.of(panes.section)
            await person.press("tab")
        assert signs == [
            TaskSection.TEXT,
            TaskSection.SUBTASKS,
            TaskSection.COMMENTS,
            TaskSection.FIELDS,
        ]
        assert panes.section is TaskSection.TEXT
        await person.press("3")
        assert current_tab(person) == "3 Comments 4"
        await person.press("enter")
        assert isinstance(person.app.screen, ThreadScreen)
        await person.press("escape", "5")
        assert "Lena Óskarsdóttir moved it from Doing to Backlog" in person.text
        assert "Done when" not in person.text
        await person.press("shift+tab")
        assert current_tab(person) == "4 Fields"
        await person.press("2")
        assert "Carry it in the signed state" in person.text


async def test_one_by_one_where_there_is_no_room_and_side_by_side_when_there_is() -> None:
    async with opened(around(), size=(80, 24)) as person:
        await person.press("enter")
        assert "Backlog  2d overdue  ▲ high  ■bug  ■auth  Ann Keller  Jon Reyes" in person.text
        assert "The round trip" not in person.text
        await person.press("shift+tab", "shift+tab")
        assert "Nordlicht AG" in person.text
        await person.press("2")
        assert "The round trip" in person.text
        await person.pilot.resize_terminal(40, 20)
        assert current_tab(person) == "2 Subtasks 1/4"
        await person.pilot.resize_terminal(130, 40)
        await person.pilot.pause()
        for words in ("Subtasks 1 of 4", "Nordlicht AG", "Done when", "Comments 4"):
            assert words in person.text


@pytest.mark.long
async def test_keys_act_on_the_subtask_that_has_the_focus_and_enter_opens_it() -> None:
    store = around()
    async with opened(store, size=(120, 40)) as person:
        await person.press("enter", "2", "x")
        assert store.submitted == []
        await person.press("j", "space", "j")
        assert "◆ Moving" in said(person)
        await person.press("escape", "g", "g")
        assert "◆ Moving" not in said(person)
        await person.press("j", "j", "x")
        assert [each.task_id for each in store.submitted] == [502]
        assert "Subtasks 2 of 4" in person.text
        await person.press("enter")
        assert here(person).shown.task_id == 502
        assert "subtask of “Fix login redirect after SSO”" in person.text
        assert "a subtask cannot have subtasks" in person.text
        await person.press("right_square_bracket")
        assert "Follow addresses of our own only" in person.text
        await person.press("p", "l")
        assert is_edit(store.submitted[-1], "priority")
        assert store.submitted[-1].task_id == 503
        await person.press("escape")
        assert here(person).shown.task_id == 412
        assert store.asked[-1] == "open task 412 of 1"


async def test_older_activities_are_asked_for_as_one_comes_near() -> None:
    whole = login_redirect()
    assert whole.activities is not None
    first = replace(whole, activities=whole.activities[:2], all_activities=False)
    store = around(activities=None, all_activities=False)
    store.older[412] = first
    async with opened(store, size=(120, 36)) as person:
        await person.press("enter")
        assert "older activities of 412" not in store.asked
        store.older[412] = whole
        await person.press("5")
        assert "Lena Óskarsdóttir created it in Doing" in person.text
        asked = store.asked.count("older activities of 412")
        await person.press("O")
        assert "Oldest first" in said(person)
        assert person.text.index("Wed 11 Nov") < person.text.index("Today")
        await person.press("j", "ctrl+d", "G", "k", "g", "g")
        assert store.asked.count("older activities of 412") == asked == 1


async def test_activities_that_do_not_come_say_so_and_are_not_asked_for_again_and_again() -> None:
    store = around(activities=None, all_activities=False)
    async with opened(store) as person:
        await person.press("enter", "5")
        assert "no older activity" in person.text
        assert store.asked.count("older activities of 412") == 1


class SlowActivities(FakeStore):
    """Older activity comes when the test lets it."""

    def __init__(self, *views: BoardView, details: Iterable[TaskDetail] = ()) -> None:
        super().__init__(*views, details=details)
        self.may_answer = asyncio.Event()

    async def older_activities(self, task_id: int) -> None:
        await super().older_activities(task_id)
        await self.may_answer.wait()


async def test_what_came_of_one_card_s_activity_is_not_said_of_the_next_card() -> None:
    opened_card = replace(login_redirect(), activities=None, all_activities=False)
    cards = [*board().all_tasks()]
    following = replace(opened_card, task=cards[cards.index(opened_card.task) + 1])
    next_id = following.task.id
    store = SlowActivities(board(), details=(opened_card, following))
    async with opened(store, size=(120, 36)) as person:
        await person.press("enter", "5")
        assert store.asked.count("older activities of 412") == 1
        await person.press("]")
        assert here(person).shown.task_id == next_id
        await person.press("5")
        store.may_answer.set()
        await person.press("j")
        assert f"older activities of {next_id}" in store.asked


async def test_what_a_service_does_not_offer_says_why() -> None:
    store = FakeStore(board(), details=(without_extras(),))
    async with opened(store, size=(120, 40)) as person:
        await person.press("enter")
        assert "This service offers no subtasks." in person.text
        await person.press("5")
        assert without_extras().why[DetailPart.ACTIVITIES] in person.text
        assert not [each for each in store.asked if each.startswith("older")]


async def test_it_stays_when_the_service_gives_it_a_number() -> None:
    def named(number: int) -> BoardView:
        return small().with_task_at(task(number, "new one"), 1, Place())

    store = FakeStore(named(-1), details=(TaskDetail(task(-1, "new one")),))
    async with opened(store) as person:
        await person.press("enter")
        assert "› To do › new" in person.text
        store.views[1] = named(77)
        store.notify(BoardChanged(1, {-1: 77}))
        await person.pilot.pause()
        assert "› To do › #77" in person.text


def grounds(person: Driver, column: int) -> list[str]:
    """The colour behind each cell of a column."""
    strips = drawn_lines(person.app)
    cells = [next(iter(strip.crop(column, column + 1))).style for strip in strips]
    return [cell.bgcolor.name for cell in cells if cell is not None and cell.bgcolor is not None]


@pytest.mark.long
async def test_the_panel_of_fields_goes_down_to_the_footer() -> None:
    async with opened(around(), size=(80, 24)) as person:
        await person.press("enter")
        await person.pilot.resize_terminal(120, 36)
        await person.press()
        side = here(person).panes.side.region
        panel = grounds(person, side.x + 3)
        assert len(set(panel[side.y : 35])) == 1
        assert panel[34] != panel[35]
        assert panel[34] != grounds(person, 119)[34]
        assert panel[34] != grounds(person, side.x - 1)[34]


async def test_a_long_description_scrolls() -> None:
    html = "".join(f"<p>paragraph {i}</p>" for i in range(100))
    view = small().with_task(task(11, "a", description=html))
    async with opened(FakeStore(view), size=(80, 24)) as person:
        await person.press("enter")
        assert "paragraph 50" not in person.text
        await person.press(*["ctrl+d"] * 14)
        assert "paragraph 50" in person.text
        await person.press("ctrl+u", "k", "up", "down", "j", "pagedown", "pageup")
        assert isinstance(person.app.screen, TaskScreen)


@pytest.mark.long
async def test_pages_turned_in_a_burst_are_as_many_as_turned_slowly() -> None:
    html = "".join(f"<p>paragraph {number}</p>" for number in range(100))
    store = FakeStore(small().with_task(task(11, "a", description=html)))
    async with opened(store, size=(100, 30)) as person:
        await person.press("enter", *["ctrl+d"] * 5)
        slowly = here(person).panes.main.scroll_y
        await person.press(*["ctrl+u"] * 5)
        assert here(person).panes.main.scroll_y == 0
        await person.burst(*["ctrl+d"] * 5)
        assert here(person).panes.main.scroll_y == slowly > 40


async def test_the_title_is_typed_over_several_lines_with_its_keys_in_the_footer() -> None:
    long = "Fix login redirect after SSO for guests who come back later and then once again"
    async with opened(FakeStore(small()), size=(60, 24)) as person:
        await person.press("enter", "e", "ctrl+u")
        await person.paste(long.removesuffix("again"))
        await person.type("again")
        assert long in " ".join(person.text.split())
        assert here(person).status.footer.words.split() == ["↵", "save", "esc", "cancel"]
        await person.press("enter")
        assert "save" not in here(person).status.footer.words
        await person.press("escape")
        assert person.here == long


async def test_a_search_in_a_list_has_its_keys_in_the_footer() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("g", "l", "slash")
        screen = person.app.screen
        assert isinstance(screen, CallboardScreen)
        assert screen.status.footer.words.split() == ["↵", "keep", "esc", "clear"]
