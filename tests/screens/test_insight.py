"""Insight on screen: ranges, words for every figure, reading back, and without a service."""

import asyncio
from datetime import datetime

from tests.fake_store import FakeStore
from tests.picture_boards import launch
from tests.picture_insight import history, store
from tests.screens.driving import Driver, application
from tui.client.errors import Unreachable
from tui.model.history import BoardHistory


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
    async with asyncio.timeout(10):
        while text not in person.text:
            await person.press()


async def test_figures_over_weeks_are_shown_and_said_in_words() -> None:
    app = application(store())
    async with app.run_test(size=(100, 40)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "i")
        await shows(person, "4 weeks   known since 3 Jul   Website relaunch")
        assert "Cards in each stage, 26 Oct to 20 Nov" in person.text
        assert "1 over 3d     oldest ≥12d" in person.text
        await person.press("o")
        assert "Backlog: 13 cards now, at most 16 on 1 Nov, at least 13 on 28 Oct" in person.text
        await person.press("j", "j", "j", "j", "j", "enter")
        assert (
            "Doing: 1 of 4 open cards older than 3d, 85 of 100 cards stayed no longer"
            in person.text
        )
        await person.press("j", "j", "j", "enter")
        assert "9 Nov to 15 Nov: 7 cards closed" in person.text
        await person.press("+")
        await shows(person, "12 weeks")
        await person.press("+", "+")
        assert "26 weeks are the most that can be shown" in person.text
        await shows(person, "25 May to 20 Nov")
        await person.press("G")
        assert "≥0" in person.text
        await person.press("-", "-", "-", "-")
        assert "2 weeks are the least that can be shown" in person.text
        await person.press("/", "r", "e", "v", "enter")
        assert "Doing" not in person.text


async def test_the_history_is_read_back_in_parts_as_far_as_is_shown() -> None:
    store = ReadInParts()
    app = application(store)
    async with app.run_test(size=(100, 30)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "i")
        await shows(person, "reading back to 26 Oct …")
        assert "known since" not in person.text
        assert "≥" in person.text
        store.may.release()
        await person.press()
        await shows(person, "read back to 30 Oct …")
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
        await shows(person, "nothing is known of the past")
        await shows(person, "The service cannot be reached.")
        assert "13 → 13" in person.text
        store.failure, store.histories[1] = None, history(weeks=20)
        await person.press("R")
        await shows(person, "known since 3 Jul")
        store.histories[1] = BoardHistory(1)
        store.news(launch().without_task(412))
        await person.press()
        await shows(person, "12 → 12")
