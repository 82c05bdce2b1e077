"""The forecast on screen: its words, other questions, filters, and where there is none."""

import re

import pytest

from tests.drivers.patience import patience
from tests.fakes.store import FakeStore
from tests.pictures.boards import launch
from tests.pictures.insight import history, store
from tests.screens.driving import Driver, application
from tui.client.errors import Unreachable
from tui.config.saved_views import ViewStore
from tui.model.events.history import BoardHistory
from tui.model.work.saved_view import SavedView
from tui.screens.lists.forecast import ForecastScreen
from tui.screens.lists.views import ViewsScreen
from tui.theme import ANSI


async def shows(person: Driver, text: str) -> None:
    """Wait until a text is on the screen."""
    async with patience(text, lambda: person.text):
        while text not in person.text:
            await person.press()


async def test_it_is_a_page_of_insight_and_says_every_number_in_words() -> None:
    app = application(store())
    async with app.run_test(size=(120, 36)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "i")
        await shows(person, "tab forecast")
        await person.press("tab")
        dates = "50% by Mon 14 Dec, 85% by Wed 16 Dec, 95% by Wed 16 Dec"
        await shows(person, f"20 open cards: {dates}")
        assert "Insight  Website relaunch › Forecast · 12 weeks" in person.text
        stands_on = "from 12 weeks, 75 cards · assumes the board gets no new cards · Mon–Fri"
        assert stands_on in person.text
        assert re.search(r"Fri 11 Dec  █+─+  31%", person.text)
        assert re.search(r"Fri 18 Dec  █+ >99%  ‹ 50%, 85%, 95%  +7 Sep  █+ 5", person.text)
        assert re.search(r"╌•╌+ 85% within 6.5d", person.text)
        screen = app.screen
        assert isinstance(screen, ForecastScreen)
        (drawn,) = screen._chances.values()
        await person.press("j", "k", "j", "enter")
        assert drawn is next(iter(screen._chances.values())), "a step draws no bar anew"
        assert "By Fri 11 Dec: 50% at least 19 cards, 85% 17, 95% 16; all 20: 31%" in person.text
        assert "15 working days, 10,000 trials" in person.text
        await person.press("+", "+", "+")
        assert "52 weeks is the most" in person.text
        await shows(person, "from 19 weeks")
        await person.press("tab")
        await shows(person, "Cards in each stage")


async def test_a_view_has_a_forecast_from_all_its_boards() -> None:
    app = application(store())
    ViewStore(app.context.preferences).add([SavedView("All open", "is:open")])
    async with app.run_test(size=(120, 36)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "v", "3", "g", "i")
        await shows(person, "Insight  All open · 4 weeks, 26 Oct to 20 Nov")
        await shows(person, "5.2 closed per week")
        assert "3d median cycle time" in person.text
        assert "20 open" in person.text
        assert "known since 3 Jul · history of all cards" in person.text
        await person.press("tab")
        await shows(person, "20 open cards: 50% by Mon 14 Dec")
        assert "Insight  All open › Forecast · 12 weeks" in person.text
        assert "from 12 weeks, 75 cards closed · assumes no new cards · Mon–Fri" in person.text
        await person.press("f", *"p:high", "enter")
        await shows(person, "closed matching priority:high")
        await person.press("escape")
        await shows(person, "20 open cards: 50% by Mon 14 Dec")
        await person.press("tab")
        await shows(person, "Cards in each stage")
        await person.press("g", "i")
        assert "you are already here" in person.text.lower()
        await person.press("escape")
        assert isinstance(app.screen, ViewsScreen)


async def test_other_cards_and_dates_can_be_asked_about() -> None:
    app = application(store())
    async with app.run_test(size=(80, 24)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "i", "tab")
        await shows(person, "20 open cards: 50%")
        await person.press("w", *"40")
        assert "40 cards" in person.text
        await person.press("enter")
        await shows(person, "40 cards: 50% by Tue 5 Jan")
        await person.press("w", *"10, 4 dec")
        assert "10 cards, and by Fri 4 Dec" in person.text
        await person.press("enter")
        await shows(person, "By Fri 4 Dec: 50% at least 12 cards, 85% 11, 95% 10; all 10: >99%")
        await person.press("escape")
        await shows(person, "20 open cards: 50%")
        assert "By Fri 4 Dec:" not in person.text
        for typed, why in (
            ("0", "must be from 1 to 9,999"),
            ("soon", "“soon” is not a valid date."),
            ("yesterday", "Thu 19 Nov is not in the future."),
            ("2037-01-01", "reaches two years ahead at most"),
        ):
            await person.press("w", *typed, "enter")
            assert why in " ".join(person.text.split()), typed
            await person.press("escape")


async def test_cards_are_filtered_as_on_a_board() -> None:
    kept = store()
    app = application(kept)
    async with app.run_test(size=(120, 36)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "i", "tab")
        await shows(person, "20 open cards: 50%")
        await person.press("f", *"label:bgu", "enter")
        assert "no label “bgu”" in person.text
        await person.press(*["backspace"] * 3, *"bug")
        assert "cards of Website relaunch" in person.text
        await person.press("enter")
        await shows(person, "Not enough history: 12 weeks, 0 cards.")
        assert "A forecast needs 5 weeks and 10 cards." in person.text
        assert "label:bug" in person.text.splitlines()[0]
        assert any(asked.startswith("archived of 1 since") for asked in kept.asked)
        await person.press("escape")
        await shows(person, "20 open cards: 50%")


async def test_there_is_none_without_history_and_an_error_is_said() -> None:
    kept = FakeStore(launch())
    app = application(kept)
    async with app.run_test(size=(80, 24)) as pilot:
        person = Driver(app, pilot)
        kept.failure = Unreachable("The service cannot be reached.")
        await person.press("g", "i", "tab")
        reason = "Not enough history: 0 weeks, 0 cards. A forecast needs 5 weeks and 10 cards."
        await shows(person, reason)
        await shows(person, "The service cannot be reached.")
        kept.failure, kept.histories[1] = None, history(weeks=20)
        await person.press("R")
        await shows(person, "20 open cards: 50%")
        kept.news(launch().without_task(412))
        await shows(person, "19 open cards: 50%")
        kept.histories[1] = BoardHistory(1)
        kept.news(launch())
        await shows(person, "Not enough history")


async def test_days_off_of_the_settings_count_and_are_said() -> None:
    app = application(store())
    app.context.current.set("working_days", ["mon", "tue", "wed", "thu"])
    app.context.current.set("holidays", [f"2026-12-{day:02}" for day in (7, 8, 9, 10, 11)])
    async with app.run_test(size=(120, 36)) as pilot:
        person = Driver(app, pilot)
        await person.press("g", "i", "tab")
        await shows(person, "Mon–Thu, 4 holidays off")
        assert "50% by Tue 22 Dec" in person.text
        assert "Thu 10 Dec" not in person.text


@pytest.mark.parametrize("is_ascii", [False, True], ids=["no colours", "ascii"])
async def test_bars_and_dots_need_neither_colours_nor_other_signs(*, is_ascii: bool) -> None:
    app = application(store(), ascii_only=is_ascii)
    async with app.run_test(size=(60, 24)) as pilot:
        person = Driver(app, pilot)
        if not is_ascii:
            app.theme = ANSI.name
        await person.press("g", "i", "tab")
        await shows(person, "20 open cards: 50%")
        assert re.search("#+-+  31%" if is_ascii else "█+─+  31%", person.text)
        assert ("•" not in person.text) is is_ascii
        await pilot.resize_terminal(40, 12)
        await shows(person, "no new cards")
        assert "Cycle time" not in person.text
