"""Notifications of the program: off unless they are chosen, and not of what is on the screen."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from textual import events

from tests.fakes.boards import ANN, MIRA, NOW, bare_details, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, connected
from tui.app import CallboardApp
from tui.config.settings import Settings
from tui.config.settings_writing import CurrentSettings
from tui.context import Context
from tui.model.people import Account

BOARD = replace(
    small(),
    board=replace(small().board, people=(ANN, MIRA)),
    people=(ANN, MIRA),
    tasks={1: tuple(task(10 + number, f"card {number}") for number in range(1, 40)), 2: (), 3: ()},
)


class App(CallboardApp):
    """The program; what it sends to the terminal for notifications is in `notices`."""

    notices: list[str]

    def _write_notice(self, sequence: str) -> None:
        self.notices.append(sequence)


@asynccontextmanager
async def opened(**chosen: str) -> AsyncIterator[Driver]:
    """The program with these settings."""
    store = FakeStore(BOARD, details=bare_details(BOARD))
    store.me = Account("ann")
    current = CurrentSettings(Settings()._replace(**chosen))  # type: ignore[arg-type]
    context = Context(store, current, now=lambda: NOW, glance_seconds=60)
    app = App(context, connect=connected, board_id=1)
    app.notices = []
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        yield Driver(app, pilot)


@pytest.mark.long
async def test_they_are_off_unless_they_are_chosen() -> None:
    async with opened() as person:
        store = person.app.context.store
        assert isinstance(store, FakeStore)
        assert not store.followed
        person.app.post_message(events.AppBlur())
        await person.press()
        assert store.asked[-1] == "seen False"
        person.app.post_message(events.AppFocus())
        await person.press("g", "comma")
        await person.press("slash", *"notifyyou", "enter", "enter", "3")
        assert person.app.context.settings.notify == "bell"
        await person.press()
        assert store.followed == (1,)
        await person.press("enter", "1")
        await person.press()
        assert person.app.context.settings.notify == "off"
        assert not store.followed


async def test_the_service_is_asked_while_the_terminal_is_not_seen() -> None:
    async with opened(notify="bell") as person:
        store = person.app.context.store
        assert isinstance(store, FakeStore)
        person.app.post_message(events.AppBlur())
        await person.press()
        assert store.asked[-1] == "seen True"


@pytest.mark.long
async def test_a_key_shows_that_the_terminal_is_seen() -> None:
    async with opened() as person:
        store = person.app.context.store
        assert isinstance(store, FakeStore)
        person.app.post_message(events.AppBlur())
        await person.press("j")
        assert store.asked[-1] == "seen True"


async def test_cards_are_in_sight_on_the_board_the_card_and_its_comments() -> None:
    async with opened() as person:
        screen = person.board
        assert screen.shows(11)
        assert not screen.shows(48)
        await person.press("G")
        assert screen.shows(48)
        assert not screen.shows(11)
        await person.press("z")
        assert not screen.shows(48)
        await person.press("z", "enter")
        assert person.app.screen is not screen
        assert person.app._shows(49)
        assert not person.app._shows(48)
        await person.press("T")
        assert person.app._shows(49)
        person.app.post_message(events.AppBlur())
        await person.press()
        assert not person.app._shows(49)
