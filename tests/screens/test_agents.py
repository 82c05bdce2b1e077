"""Agents on a board: who has a card, what they said last, how long ago, and giving it back."""

import re
from dataclasses import replace
from datetime import UTC, timedelta

from tests.fakes.boards import ANN, JON, NOW
from tests.fakes.store import FakeStore
from tests.pictures.chained import CODEX, agents, card, with_agents
from tests.screens.driving import Driver, opened
from tui.context import Density
from tui.model.work.agent_log import AgentChange
from tui.store.events import Reversal
from tui.store.operations import release, set_title


async def settled(person: Driver) -> None:
    """Wait until what agents said is read and drawn."""
    await person.app.workers.wait_for_complete(
        [worker for worker in person.app.workers if worker.group == "agents"]
    )
    await person.pilot.pause()


async def test_agents_are_on_the_board_with_what_they_said() -> None:
    async with opened(agents(), size=(120, 36)) as person:
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
    async with opened(agents(20), size=(120, 24)) as person:
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
    async with opened(agents(), size=(80, 24), density=Density.COMPACT) as person:
        await settled(person)
        assert "◇" in next(line for line in person.text.splitlines() if "Rate-limit" in line)
        assert "codex" not in person.text


async def test_a_card_is_released_with_one_key_and_that_is_undone() -> None:
    store = agents()
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
    async with opened(agents(), size=(120, 36)) as person:
        await settled(person)
        person.board.click_count("◇ 2 agents")
        await person.press()
        assert "Rate-limit the public API" in person.text
        assert "Fix login redirect" not in person.text


def test_the_person_of_another_agent_stays_assigned() -> None:
    task = with_agents().task(398)
    assert task is not None
    assert [one.describe() for one in release(task, JON)] == [
        "Remove the label “◇ aider” from “Rate-limit the public API”"
    ]
    assert len(release(task, ANN)) == 2
    assert len(release(task, replace(ANN, name="A. Keller"))) == 2, "on some services"


def log_of_codex(store: FakeStore) -> None:
    """Let codex have done two things here and one elsewhere, aider one, within this hour."""
    at = NOW.astimezone(UTC) - timedelta(minutes=5)
    title = "Migrate the session store"
    store.agents_did = [
        AgentChange("codex", at, 1, 403, title, "set the priority to high", "low"),
        AgentChange("codex", at, 1, 403, title, "moved to “Doing”", "“Backlog”"),
        AgentChange("codex", at, 1, 403, title, "closed", is_undone=True),
        AgentChange("aider", at, 1, 398, "Rate-limit the public API", "closed"),
    ]
    task = with_agents().task(403)
    assert task is not None, "#403 is not on the board"
    renaming = (set_title(task, "As before"),)
    store.reversals["codex"] = Reversal(2, renaming, ("Add [b]One[/b]: Ann changed it since.",))


async def test_what_an_agent_did_is_listed_and_undone_as_one_step() -> None:
    store = agents()
    log_of_codex(store)
    async with opened(store, size=(120, 36)) as person:
        await settled(person)
        await person.press("l", "j")
        assert person.said.rstrip().endswith("O log  X release")
        await person.press("O")
        assert "◇ codex in the last hour" in person.text
        assert "moved to “Doing”, was “Backlog”" in person.text
        assert "undone: closed" in person.text
        assert "aider" not in person.text
        await person.press("W")
        assert "Undo 2 changes of codex?" in person.text
        assert "Add [b]One[/b]: Ann changed it since." in person.text
        await person.press("n")
        assert not store.submitted
        await person.press("W", "y")
        assert "Undone: 2 changes of codex" in person.text
        assert card(store.views[1], 403).title == "As before"
        await person.press("W")
        assert "Nothing to undo of codex" in person.said
        await person.press("u")
        assert card(store.views[1], 403).title == "Migrate the session store"
        await person.press("enter")
        assert "Migrate the session store" in person.text.splitlines()[2]


async def test_all_agents_of_a_board_are_listed_and_one_can_be_chosen() -> None:
    store = agents()
    log_of_codex(store)
    async with opened(store, size=(80, 24)) as person:
        await settled(person)
        await person.press("O")
        assert "aider" in person.text
        assert "codex" in person.text
        await person.press("f", "c")
        assert "aider" not in person.text
