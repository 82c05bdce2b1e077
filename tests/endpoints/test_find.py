"""Finding anything anywhere, from the keyboard, on two boards of the embedded service."""

import re

import pytest
from textual.widgets import OptionList

from tests.day.world import BOARD, OTHER_BOARD, Day
from tui.dialogs.one_line import OneLine
from tui.screens.board.screen import BoardScreen
from tui.screens.lists.labels import LabelsScreen
from tui.screens.task.screen import TaskScreen
from tui.screens.thread.screen import ThreadScreen

pytestmark = pytest.mark.long


def front(day: Day) -> object:
    """The screen in front."""
    return day.app.screen


def rows(day: Day) -> list[str]:
    """The rows of the dialog, without its frame and the board behind it."""
    picks = day.app.screen.query_one(OptionList)
    return [
        " ".join(str(option.prompt.line(90)).split())
        for option in picks.options
        if isinstance(option.prompt, OneLine)
    ]


async def look_for(day: Day, keys: str) -> None:
    """Press keys that look for something, and wait until everything was read."""
    await day.press(keys)
    for worker in list(day.app.workers):
        if worker.group == "reading":
            await worker.wait()
    await day.person.pilot.pause()


def flat(day: Day) -> str:
    return " ".join(day.person.text.split())


async def test_boards_cards_comments_and_people_are_found_and_opened(day: Day) -> None:
    other = next(board.id for board in day.store.boards() if board.title == OTHER_BOARD)
    await day.press("n ~Fix_login_@bob enter escape c ~First ctrl+s c ~It_is_the_cookie ctrl+s")
    await day.settled()
    fix = next(task.id for task in day.board.all_tasks() if task.title == "Fix login")
    await day.press("g f ~oth enter")
    board = day.app.screen
    assert isinstance(board, BoardScreen)
    assert board.board_id == other
    await day.press("n ~Elsewhere enter escape")
    await day.settled()

    await look_for(day, "g f ~zqx")
    assert rows(day) == []
    assert "No results for “zqx”" in flat(day)
    await look_for(day, "ctrl+u ~log_fix")
    assert rows(day) == [f"#{fix} Fix login Day › Backlog"]
    assert "1 found" in flat(day)
    await day.press("enter")
    assert isinstance(front(day), TaskScreen)
    assert "Fix login" in day.person.text
    await day.press("escape")
    assert (day.person.board.board_id, day.person.here) == (day.board_id, "Fix login")
    await day.press("escape")
    await day.press(f"g f ~{fix} enter escape")
    assert day.person.here == "Fix login", "by its number, from the list of boards"

    await day.press("g f ~cookie enter escape")
    await look_for(day, "g f ~first")
    assert rows(day)[0].endswith(" first Day › Backlog"), "a title before a comment"
    await day.press("ctrl+n")
    await day.press("enter")
    thread = front(day)
    assert isinstance(thread, ThreadScreen)
    assert thread.current is not None
    assert thread.current.text == "First", "the earlier of the two comments"
    await day.press("escape")
    assert day.person.here == "Fix login"

    await day.press("g l g f ~elsewhere enter x escape")
    assert isinstance(day.app.screen, LabelsScreen), "back to where it was looked for"
    await day.press("escape")
    assert day.person.board.board_id == day.board_id
    await day.settled()
    assert day.held().cards["Elsewhere"].status == "closed"
    await look_for(day, "g f ~cook")
    assert rows(day)[:2] == [
        f"#{fix} ann: It is the cookie Day › Fix login 1m ago",
        "@bob Bob Cook 1 open",
    ]
    await day.press("ctrl+n")
    await day.press("enter")
    assert rows(day) == [f"#{fix} Fix login Day › Backlog"]
    assert "@bob" in day.person.text
    await day.press("escape")

    await _opened_last(day)
    await _archived(day, fix)


async def _opened_last(day: Day) -> None:
    """Without words it is what was opened last, also in a small terminal."""
    await day.person.pilot.resize_terminal(40, 15)
    await look_for(day, "g f")
    found = [" ".join(line.strip("│▌ ").split()) for line in day.person.text.splitlines()[3:7]]
    assert found[0] == "Recently opened"
    assert re.fullmatch(r"#\d+ Elsewhere closed", found[1])
    assert re.match(r"#\d+ Fix login", found[2])
    assert re.fullmatch(r"Day \d open", found[3])
    await day.press("ctrl+p")
    picks = day.app.screen.query_one(OptionList)
    assert picks.highlighted == picks.option_count - 1
    await day.press("escape")

    await day.person.pilot.resize_terminal(100, 40)


async def _archived(day: Day, fix: int) -> None:
    """What is archived says so."""
    await day.press("A")
    await day.settled()
    await look_for(day, "g f ~fix_login")
    assert rows(day)[0] == f"#{fix} Fix login Day › Backlog archived"
    await day.press("escape g b / ~other enter A g f ~other enter")
    assert "“Other” is archived" in day.said
    assert BOARD in day.person.text
