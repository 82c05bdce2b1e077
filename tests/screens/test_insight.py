"""Insight on screen: ranges, words for every figure, reading back, and without a service."""

import asyncio
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.drivers.patience import patience
from tests.fakes.boards import NOW, small
from tests.fakes.store import FakeStore
from tests.pictures.boards import launch
from tests.pictures.insight import history, store
from tests.screens.driving import Driver, application
from tui.client.errors import Unreachable
from tui.model.events.history import BEGINNING, BoardHistory, Event, EventKind
from tui.model.standup.insight import insight
from tui.screens.lists.insight_rows import text_lines
from tui.theme import ANSI


class ReadInParts(FakeStore):
    """A store that reads more of the log with each part, when it may."""

    def __init__(self) -> None:
        super().__init__(launch())
        self.histories[1] = history(weeks=1)
        self.parts = [history(weeks=3), history(weeks=9), history(weeks=20)]
        self.may = asyncio.Semaphore(0)

    async def read_history(self, board_id: int, since: datetime) -> None:
        await self.may.acquire()
        await super().read_history(board_id, since)
        self.histories[1] = self.parts.pop(0)


async def shows(person: Driver, text: str) -> None:
    """Wait until a text is on the screen."""
    async with patience(text, lambda: person.text):
        while text not in person.text:
            await person.press()


@pytest.mark.long
async def test_figures_over_weeks_are_shown_and_said_in_words() -> None:
    app = application(store())
    async with app.run_test(size=(120, 36)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "i")
        await shows(person, "Website relaunch · 4 weeks, 26 Oct to 20 Nov")
        assert "Cards in each stage  known since 3 Jul" in person.text
        for figure, note in (
            ("5.2 closed per week", "previous 4 weeks: 6.2"),
            ("3d median cycle time", "85% within 6.5d"),
            ("20 open", "13 of them in Backlog"),
            ("2 aging", "#398 ≥12d, #412 9d"),
        ):
            assert figure in person.text
            assert note in person.text
        assert re.search(r"■ Done +5 +-8 *\n", person.text)
        assert re.search(r"Doing +· +1 +· +1 +· +· +#398 ≥12d ~ +2 Nov +█+ 6", person.text)
        await person.press("o")
        assert "Backlog: 1 of 13 open cards older than 3d" in person.text
        assert "most 16 on 1 Nov, least 13 on 28 Oct" in person.text
        await person.press("j", "enter")
        assert "Doing: 1 of 4 open cards older than 3d, 85% of cards leave sooner" in person.text
        await person.press("+")
        await shows(person, "12 weeks")
        assert "earlier weeks unknown" in person.text
        await person.press("+", "+")
        assert "26 weeks is the most" in person.text
        await shows(person, "25 May to 20 Nov")
        await person.press("G")
        assert re.search("25 May +≥0", person.text)
        await person.press("-", "-", "-", "-")
        assert "2 weeks is the least" in person.text
        await person.press("/", "r", "e", "v", "enter")
        assert not re.search(r"^▌? *Doing +·", person.text, re.MULTILINE)


async def test_the_weeks_are_below_the_ages_where_it_is_narrow_or_low() -> None:
    app = application(store())
    async with app.run_test(size=(80, 30)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "i")
        await shows(person, "Closed each week, from Monday")
        assert " 5.2 closed per week   3d median   20 open   2 old" in person.text
        await person.press("j", "j", "j", "j", "enter")
        assert "9 Nov to 15 Nov: 7 cards closed" in person.text
        await pilot.resize_terminal(120, 36)
        await shows(person, "3d median cycle time")
        assert "from Monday" not in person.text
        await pilot.resize_terminal(60, 12)
        await shows(person, "Age of open cards  known since 3 Jul")
        assert "Cards in each stage" not in person.text


async def test_without_colours_or_in_ascii_the_area_is_of_the_numbers_of_stages() -> None:
    for is_ascii in (True, False):
        app = application(store(), ascii_only=is_ascii)
        async with app.run_test(size=(120, 36)) as pilot:
            person = Driver(app, pilot)
            await person.press("g", "i")
            await shows(person, "3d median cycle time")
            assert ("4444444" in person.text) is is_ascii
            assert bool(re.search("4 Done +5", person.text)) is is_ascii
            if not is_ascii:
                app.theme = ANSI.name
                await person.press()
                assert "4444444" in person.text


async def test_the_history_is_read_back_in_parts_as_far_as_is_shown() -> None:
    store = ReadInParts()
    app = application(store)
    async with app.run_test(size=(100, 30)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "i")
        await shows(person, "loading back to 26 Oct …")
        assert "known since" not in person.text
        assert "≥" in person.text
        store.may.release()
        await person.press()
        await shows(person, "loaded back to 30 Oct …")
        store.may.release()
        await person.press()
        await shows(person, "known since 18 Sep")
        assert store.asked.count("history of 1 since 2026-10-26") == 2
        await person.press("escape")


async def test_what_is_known_is_shown_without_a_service() -> None:
    store = FakeStore(launch())
    app = application(store)
    async with app.run_test(size=(80, 24)) as pilot:
        person = Driver(app, pilot)
        store.failure = Unreachable("The service cannot be reached.")
        await person.press("g", "i")
        await shows(person, "no history yet")
        await shows(person, "The service cannot be reached.")
        assert re.search("■ Backlog +13", person.text)
        assert "– median" in person.text
        store.failure, store.histories[1] = None, history(weeks=20)
        await person.press("R")
        await shows(person, "known since 3 Jul")
        store.histories[1] = BoardHistory(1)
        store.news(launch().without_task(412))
        await person.press()
        await shows(person, "19 open")


async def test_a_board_without_stages_has_figures_and_weeks_only() -> None:
    empty = replace(launch(), stages=(), tasks={})
    printed = list(text_lines(insight(empty, BoardHistory(1), NOW.astimezone(), 4), 80))
    assert "Cards in each stage" not in printed
    assert "Closed each week, from Monday" in printed
    app = application(FakeStore(empty))
    async with app.run_test(size=(120, 36)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "i")
        await shows(person, "0 open")
        assert "Closed each week, from Monday" in person.text
        await person.press("enter")
        assert "16 Nov to 22 Nov: closed cards unknown" in person.text


def test_cards_closed_on_a_new_board_are_those_of_its_only_week() -> None:
    now = datetime(2026, 11, 28, 9, tzinfo=UTC)
    events = tuple(
        Event(1, 70 + card, kind, datetime(2026, 11, 25, 9, tzinfo=UTC), new="Done")
        for card in range(2)
        for kind in (EventKind.CREATED, EventKind.CLOSED)
    )
    shown = insight(small(), BoardHistory(1, events, BEGINNING, records_moves=True), now, 4)
    assert [week.closed for week in shown.weeks] == [0, 0, 0, 2]
    (first, *_) = text_lines(shown, 80)
    assert first == "2 closed per week  since 25 Nov"
