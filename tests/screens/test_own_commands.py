"""Own commands on cards: run by their key, from menu and palette, and stopped with Esc."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from textual import events

from tests.drivers.patience import patience
from tests.fakes.boards import ANN, relaunch
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, application
from tui.actions.own_commands import OwnCommands
from tui.config.own_commands import OwnCommand
from tui.config.settings import Settings
from tui.dialogs.command_pane import CommandPane
from tui.model.board import BoardView
from tui.model.people import Account

SHOW = ("sh", "-c", 'printf "<%s>\\n" "$@"; echo "$CALLBOARD_BOARD"', "sh", "{number}", "{title}")
COMMANDS = (
    OwnCommand("show", "Show the card", SHOW, "alt+v"),
    OwnCommand("fail", "Fail", ("sh", "-c", "echo no network; exit 3"), "alt+f", "silent"),
    OwnCommand("done", "Tag", ("true", "{id}"), "alt+y", "silent"),
    OwnCommand("sleep", "Wait", ("sleep", "60"), "alt+w", "silent"),
    OwnCommand("tail", "Follow", ("sh", "-c", "echo $$; exec sleep 60"), "alt+t"),
    OwnCommand("lost", "Lost", ("/nowhere/tool", "{id}")),
    OwnCommand("read", "Read", ("less", "{title}"), "alt+l", "terminal"),
)


@asynccontextmanager
async def with_commands(board: BoardView | None = None) -> AsyncIterator[Driver]:
    """The program with commands."""
    store = FakeStore(board or relaunch())
    store.me = Account(ANN.login, ANN.id)
    app = application(store)
    commands = {command.name: command for command in COMMANDS}
    app.context.current.settings = Settings(density=1, commands=commands)
    async with app.run_test(size=(120, 36)) as pilot:
        yield Driver(app, pilot)


async def until_shown(person: Driver, words: str) -> None:
    """Wait until a text is on the screen: a process takes its time."""
    async with patience(f"“{words}” on the screen", lambda: person.text):
        while words not in person.text:
            await person.pilot.pause(0.01)


async def until_gone(pid: int) -> None:
    """Wait until a process has ended and was waited for."""
    async with patience(f"the end of the process {pid}"):
        with suppress(ProcessLookupError):
            while True:
                os.kill(pid, 0)
                await asyncio.sleep(0.01)


async def test_a_command_gets_the_card_and_shows_its_output_in_a_pane() -> None:
    async with with_commands() as person:
        card = person.deck.current
        assert card is not None
        await person.press("alt+v")
        await until_shown(person, "done  3 lines")
        assert f"Show the card #{card.id}" in person.text
        assert f"<#{card.id}>" in person.text
        assert f"<{card.title}>" in person.text
        assert "Website relaunch" in person.text
        await person.press("y")
        assert person.app.clipboard.startswith(f"<#{card.id}>")
        await person.press("escape")
        assert person.here == card.title


async def test_it_runs_for_each_marked_card() -> None:
    async with with_commands() as person:
        await person.press("v", "j", "v", "alt+v")
        await until_shown(person, "done  ")
        assert person.text.count("Website relaunch") >= 2
        assert "Show the card on 2 cards" in person.text
        await person.press("escape", "alt+y")
        await until_shown(person, "Tag: done on 2 cards")


async def test_a_silent_one_says_how_it_ended() -> None:
    async with with_commands() as person:
        await person.press("alt+f")
        await until_shown(person, "Fail: failed with exit code 3: no network")
        await person.press("alt+y")
        await until_shown(person, "Tag: done")


async def test_esc_right_after_its_key_stops_a_silent_one_which_holds_no_keys() -> None:
    async with with_commands() as person:
        await person.press("alt+w")
        assert "Wait: running …  esc to stop it" in person.said
        await person.press("v", "j", "escape")
        assert person.deck.marks == frozenset()
        await person.press("alt+w")
        assert "Wait: still running  esc to stop it" in person.said
        await person.press("escape")
        await until_shown(person, "Wait: stopped")


async def test_esc_stops_what_runs_in_a_pane_and_then_closes_it() -> None:
    async with with_commands() as person:
        await person.press("alt+t")
        pane = person.app.screen
        assert isinstance(pane, CommandPane)
        await until_shown(person, "esc stop")
        await person.press("q")
        assert "still running: esc to stop it" in person.text
        await person.press("escape")
        await until_shown(person, "stopped")
        await person.press("escape")
        assert person.app.screen is person.board


async def test_leaving_the_program_ends_it() -> None:
    async with with_commands() as person:
        await person.press("alt+t")
        pane = person.app.screen
        assert isinstance(pane, CommandPane)
        async with patience("its process id", lambda: person.text):
            while not pane.lines:
                await person.pilot.pause(0.01)
        pid = int(pane.lines[0])
        os.kill(pid, 0)
        await person.press("ctrl+q")
    await until_gone(pid)


async def test_leaving_the_program_ends_a_silent_one_too(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    async with with_commands() as person:
        words = ("sh", "-c", 'echo $$ > "$0"; exec sleep 60', str(told))
        current = person.app.context.current
        command = current.settings.commands["sleep"]._replace(words=words)
        person.board.actions.offer_one(
            OwnCommands.action(command),
            person.board,
            lambda: OwnCommands(lambda: person.board.cards).run(command),
        )
        await person.press("alt+w")
        async with patience("its process id", lambda: person.text):
            while not told.exists() or not told.read_text():
                await person.pilot.pause(0.01)
        await person.press("ctrl+q")
    await until_gone(int(told.read_text()))


async def test_menu_palette_and_help_list_commands() -> None:
    async with with_commands() as person:
        await person.press("comma")
        assert "Show the card" in person.text
        assert "alt+v" in person.text
        await person.press("alt+v")
        await until_shown(person, "done  3 lines")
        await person.press("escape", "question_mark")
        await person.type("own commands")
        assert "show the card" in person.text
        await person.press("escape", "ctrl+p")
        await person.type("lost")
        await person.press("enter")
        await until_shown(person, "/nowhere/tool cannot be run: no such file or directory.")


@pytest.mark.parametrize("keys", [["enter"], ["g", "m"], ["g", "v"]])
async def test_commands_work_wherever_cards_are(keys: Sequence[str]) -> None:
    async with with_commands() as person:
        await person.press(*keys, "alt+v")
        await until_shown(person, "Website relaunch")
        await until_shown(person, "done  3 lines")


async def test_the_menu_takes_a_key_with_alt_as_terminals_send_it() -> None:
    async with with_commands() as person:
        await person.press("comma")
        person.app.post_message(events.Key("alt+v", "v"))
        await until_shown(person, "done  3 lines")


async def test_one_that_needs_a_card_says_so_without_one() -> None:
    async with with_commands(replace(relaunch(), tasks={})) as person:
        await person.press("alt+v")
        assert "No card here" in person.said


async def test_the_terminal_is_handed_over_or_that_is_said() -> None:
    async with with_commands() as person:
        await person.press("alt+l")
        assert "this terminal cannot be handed to another program" in person.said
