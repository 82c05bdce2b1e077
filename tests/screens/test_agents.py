"""Agents on a board: who has a card, what they said last, how long ago, and giving it back."""

import re
from dataclasses import replace
from datetime import timedelta

from tests.fakes.boards import ANN, JON, NOW, relaunch
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.context import Density
from tui.model.board import BoardView
from tui.model.comment import Comment
from tui.model.detail import TaskDetail
from tui.model.people import Account
from tui.model.task import Label
from tui.store.operations import release
from tui.text.dates import LocalZone

CODEX, AIDER = Label(31, "◇ codex", "#579dff"), Label(32, "◇ aider", "#4bce97")


def board(minutes: int = 4) -> BoardView:
    """The board of the pictures: codex has #403, as it said so many minutes ago, aider #398."""
    view = replace(relaunch(), labels=(*relaunch().labels, CODEX, AIDER), pending=frozenset())
    at = (NOW - timedelta(minutes=minutes)).replace(tzinfo=LocalZone())
    for number, label in ((403, CODEX), (398, AIDER)):
        task = view.task(number)
        assert task is not None, f"#{number} is not on the board"
        labels = (*task.labels, label)
        view = view.with_task(replace(task, labels=labels, updated_at=at))
    return view


def store_with_agents(minutes: int = 4) -> FakeStore:
    """That board, and what codex said on its card."""
    view = board(minutes)
    task = view.task(403)
    assert task is not None, "#403 is not on the board"
    said = Comment(1, 403, "◇ codex: tests green, [b]3[/b] files\nand more", author=JON)
    store = FakeStore(view, details=[TaskDetail(task, comments=(said,))])
    store.me = Account(JON.login, JON.id)
    return store


async def settled(person: Driver) -> None:
    """Wait until what agents said is read and drawn."""
    await person.app.workers.wait_for_complete(
        [worker for worker in person.app.workers if worker.group == "agents"]
    )
    await person.pilot.pause()


async def test_agents_are_on_the_board_with_what_they_said() -> None:
    async with opened(store_with_agents(), size=(120, 36)) as person:
        await settled(person)
        assert "◇ 2 agents" in person.text.splitlines()[0]
        assert "◇ codex JR" in person.text
        assert "◇ MN" in person.text
        lines = [line for line in person.text.splitlines() if "tests green" in line]
        assert len(lines) == 1
        assert re.search(r"tests green, \[b\]3\[/b\].* 4m ", lines[0])
        assert "■◇" not in person.text
        await person.pilot.resize_terminal(40, 15)
        await person.press()
        assert "◇2" in person.text.splitlines()[0]


async def test_the_card_at_the_cursor_has_a_line_that_warns_of_silence() -> None:
    async with opened(store_with_agents(20), size=(120, 24)) as person:
        await settled(person)
        assert "◇ codex" not in person.said
        await person.press("l", "j")
        line = "◇ codex on #403  tests green, [b]3[/b] files  20m ago"
        assert line in person.said
        assert person.said.rstrip().endswith("X release")
        notice = person.board.agents.notice(person.deck.current)
        assert notice is not None
        assert notice.text[-1] == ("  20m ago", "warn")
        await person.press("j")
        assert "◇" not in person.said


async def test_a_narrow_card_keeps_the_sign_of_its_agent() -> None:
    async with opened(store_with_agents(), size=(80, 24), density=Density.COMPACT) as person:
        await settled(person)
        assert "◇" in next(line for line in person.text.splitlines() if "Rate-limit" in line)
        assert "codex" not in person.text


async def test_a_card_is_released_with_one_key_and_that_is_undone() -> None:
    store = store_with_agents()
    async with opened(store, size=(120, 36)) as person:
        await settled(person)
        await person.press("l", "j", "X")
        assert person.here == "Migrate the session store"
        task = store.views[1].task(403)
        assert task is not None
        assert (task.assignees, CODEX in task.labels) == ((), False)
        assert "Released “Migrate the session store”" in person.said
        assert "◇ 1 agent" in person.text
        await person.press("u")
        task = store.views[1].task(403)
        assert task is not None
        assert (task.assignees, CODEX in task.labels) == ((JON,), True)
        await person.press("j", "X")
        assert "No agent has claimed this card" in person.said


async def test_a_click_on_the_agents_shows_their_cards() -> None:
    async with opened(store_with_agents(), size=(120, 36)) as person:
        await settled(person)
        person.board.click_count("◇ 2 agents")
        await person.press()
        assert "Rate-limit the public API" in person.text
        assert "Fix login redirect" not in person.text


def test_the_person_of_another_agent_stays_assigned() -> None:
    task = board().task(398)
    assert task is not None
    assert [one.describe() for one in release(task, JON)] == [
        "Remove the label “◇ aider” from “Rate-limit the public API”"
    ]
    assert len(release(task, ANN)) == 2
