"""A date is typed, chosen from the presets or in the calendar; all three agree."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from random import Random

import pytest
from textual.widgets import Input

from tests.fakes.boards import NOW, small
from tests.fakes.store import FakeStore
from tests.harness.cases import mostly_long
from tests.harness.zones import zone_of_machine
from tests.screens.driving import Driver, opened
from tui.dialogs.date import DateDialog
from tui.model.fields.values import moment, typed_reminder
from tui.text.dates import Customs, customs, parse_when
from tui.widgets import glyphs
from tui.widgets.calendar import Calendar

_WIDE = 100, 30
PRESETS = ("today", "tomorrow", "fri", "next week")


class Asked:
    """A person who is asked for a date."""

    def __init__(self, person: Driver) -> None:
        self.person = person
        self.press = person.press
        self.type = person.type
        self.answers: list[str | None] = []

    @property
    def typed(self) -> str:
        """The text so far."""
        return self.person.app.screen.query_one(Input).value

    def day(self) -> date | None:
        """The day that is chosen in the calendar."""
        return self.person.app.screen.query_one(Calendar).day

    def is_in_calendar(self) -> bool:
        """Whether arrows move the day."""
        return isinstance(self.person.app.focused, Calendar)


def due(typed: str) -> datetime | None:
    """A due date, at the time of the boards in the tests."""
    return parse_when(typed, NOW) if typed.strip() else None


def reminder(typed: str) -> datetime | None:
    """A reminder of a card that is due on Wednesday at noon."""
    return typed_reminder(typed, NOW, datetime(2026, 11, 25, 12))  # noqa: DTZ001


@asynccontextmanager
async def asked(
    value: str = "",
    *,
    read: object = due,
    presets: tuple[str, ...] = PRESETS,
    size: tuple[int, int] = _WIDE,
) -> AsyncIterator[Asked]:
    """A dialog for a date, on Friday 20 November 2026 at 9:00."""
    assert callable(read)

    def explain(typed: str) -> str:
        when = read(typed)
        return f"means {moment(when, NOW)}" if when else "means none"

    async with opened(FakeStore(small()), size=size) as person:
        front = Asked(person)
        dialog = DateDialog(
            "Due date",
            value,
            read=read,
            explain=explain,
            now=lambda: NOW,
            presets=presets,
            placeholder="fri",
        )
        await person.app.push_screen(dialog, front.answers.append)
        await person.pilot.pause()
        yield front


@pytest.mark.long
async def test_what_is_typed_replaces_the_old_date_and_the_calendar_follows() -> None:
    async with asked("2026-11-25 12:00") as front:
        assert front.day() == date(2026, 11, 25)
        assert "means Wed 25 Nov 12:00" in front.person.text
        await front.type("thu")
        assert (front.typed, front.day()) == ("thu", date(2026, 11, 26))
        assert "was Wed 25 Nov 12:00" in front.person.text
        await front.type("x")
        assert (front.typed, front.day()) == ("thux", None)
        assert "“thux” is not a valid date" in front.person.text
        await front.press("enter")
        assert front.answers == []
        await front.press("backspace", "enter")
        assert front.answers == ["thu"]


@pytest.mark.long
async def test_letters_and_digits_of_a_burst_are_all_typed_and_saved() -> None:
    async with asked("2026-11-25 12:00") as front:
        await front.person.burst(*"1 dec 14:30", "enter")
        assert front.answers == ["1 dec 14:30"]


async def test_arrows_choose_a_preset_to_which_a_time_can_be_typed() -> None:
    async with asked() as front:
        await front.type("+9d")
        await front.press("down", "down")
        assert (front.typed, front.day()) == ("tomorrow", date(2026, 11, 21))
        await front.press("up", "up")
        assert (front.typed, front.day()) == ("+9d", date(2026, 11, 29))
        await front.press("down", "down")
        await front.type(" 9:00")
        await front.press("enter")
        assert front.answers == ["tomorrow 9:00"]


async def test_arrows_go_on_from_the_preset_that_was_typed_and_stop_at_none() -> None:
    async with asked("2026-11-25") as front:
        await front.type("fri")
        assert f"{glyphs.BAR}3 fri" in front.person.text
        await front.press("down")
        assert front.typed == "next week"
        await front.press("down", "down", "down")
        assert (front.typed, front.day()) == ("", None)
        assert f"{glyphs.BAR}0 none" in front.person.text
        await front.press("enter")
        assert front.answers == [""]


@pytest.mark.parametrize(("key", "answer"), [("2", "tomorrow"), ("0", "")])
async def test_the_number_of_a_preset_alone_means_it(key: str, answer: str) -> None:
    async with asked("2026-11-25") as front:
        await front.person.burst(key, "enter")
        assert front.answers == [answer]


@pytest.mark.long
async def test_presets_that_are_refused_are_left_out_and_the_others_keep_their_numbers() -> None:
    texts = ("today 8:00", "tomorrow", "fri", "1 day before")
    async with asked(read=reminder, presets=texts) as front:
        assert "today 8:00" not in front.person.text
        assert "2 tomorrow" in front.person.text
        assert "4 1 day before" in front.person.text
        assert "Tue 24 Nov 12:00" in front.person.text
        await front.press("1")
        assert "“1” is not a valid date" in front.person.text
        await front.press("backspace", "4", "enter")
        assert front.answers == ["1 day before"]


async def test_an_empty_text_removes_the_date() -> None:
    async with asked("2026-11-25") as front:
        await front.press("backspace")
        assert front.day() is None
        await front.press("enter")
        assert front.answers == [""]


@pytest.mark.long
async def test_arrows_in_the_calendar_change_the_day_and_leave_the_time() -> None:
    async with asked() as front:
        await front.type("thu 14:30")
        await front.press("tab", "right")
        assert (front.typed, front.day()) == ("2026-11-27 14:30", date(2026, 11, 27))
        await front.press("down", "left")
        assert front.typed == "2026-12-03 14:30"
        await front.press("pagedown")
        assert front.typed == "2027-01-03 14:30"
        await front.press("pageup", "enter")
        assert front.answers == ["2026-12-03 14:30"]


async def test_keys_of_a_burst_that_end_in_the_calendar_save_its_day() -> None:
    async with asked() as front:
        await front.person.burst("t", "o", "m", "tab", "right", "right", "pagedown", "enter")
        assert front.answers == ["2026-12-23"]


async def test_months_go_on_while_the_text_has_the_focus() -> None:
    async with asked("2026-11-30") as front:
        await front.person.burst("pagedown", "pagedown", "enter")
        assert front.answers == ["2027-01-30"]


async def test_what_is_typed_in_the_calendar_is_typed_into_the_text() -> None:
    async with asked("2026-11-25") as front:
        await front.person.burst("tab", "right", "space", "8", ":", "3", "0")
        assert front.typed == "2026-11-26 8:30"
        await front.person.burst("tab", "m", "o", "n")
        assert (front.typed, front.is_in_calendar()) == ("mon", False)
        await front.press("tab")
        await front.person.paste("tue\nwed")
        assert (front.typed, front.is_in_calendar()) == ("tue", False)
        await front.press("enter")
        assert front.answers == ["tue"]


async def test_a_past_day_that_is_refused_keeps_its_place_in_the_calendar() -> None:
    async with asked("2026-11-20 18:00", read=reminder) as front:
        await front.press("tab", "left")
        assert front.day() == date(2026, 11, 19)
        assert "is in the past" in front.person.text
        await front.press("enter")
        assert front.answers == []
        await front.press("right", "right", "enter")
        assert front.answers == ["2026-11-21 18:00"]


async def test_days_and_presets_are_chosen_by_a_click() -> None:
    async with asked() as front:
        await front.person.click("tomorrow")
        assert (front.typed, front.day()) == ("tomorrow", date(2026, 11, 21))
        await front.person.click("26 27 28")
        assert (front.typed, front.day()) == ("2026-11-26", date(2026, 11, 26))
        await front.person.click("Mo Tu We")
        assert front.typed == "2026-11-26"
        await front.press("right", "enter")
        assert front.answers == ["2026-11-27"]


async def test_without_room_there_is_no_calendar_and_the_presets_are_one_row() -> None:
    async with asked("2026-11-25", size=(80, 24)) as front:
        assert "1 today   2 tomorrow   3 fri   4 next week   0 none" in front.person.text
        assert "Mo Tu We" not in front.person.text
        await front.press("tab")
        assert "‘tab’ does nothing here" in front.person.text
        assert not front.is_in_calendar()
        await front.person.click("2 tomorrow")
        await front.press("enter")
        assert front.answers == ["tomorrow"]


@pytest.mark.parametrize(
    "size",
    [
        *((99, 30), (100, 19)),
        *(pytest.param(size, marks=pytest.mark.long) for size in ((40, 15), (24, 8))),
    ],
)
async def test_a_terminal_that_shrinks_gives_the_focus_back_to_the_text(
    size: tuple[int, int],
) -> None:
    async with asked("2026-11-25") as front:
        await front.press("tab")
        assert front.is_in_calendar()
        await front.person.pilot.resize_terminal(*size)
        await front.person.pilot.pause()
        assert not front.is_in_calendar()
        await front.person.burst("space", "8", ":", "0", "0", "enter")
        assert front.answers == ["2026-11-25 8:00"]


@pytest.mark.long
async def test_esc_changes_nothing_wherever_the_focus_is() -> None:
    for keys in (("t",), ("tab", "right")):
        async with asked("2026-11-25") as front:
            await front.press(*keys, "escape")
            assert front.answers == [None]


@mostly_long(
    "first_day, zone, days",
    [
        *((0, "Europe/Berlin", 12), (5, "Pacific/Kiritimati", 12), (6, "America/St_Johns", 12)),
        *((0, "Europe/Berlin", 60), (6, "America/St_Johns", 60)),
    ],
    every=5,
)
async def test_text_and_calendar_agree_on_every_day(first_day: int, zone: str, days: int) -> None:
    chance = Random(first_day)  # noqa: S311  for examples
    token = customs.set(Customs(first_day=first_day))
    try:
        with zone_of_machine(zone):
            async with asked() as front:
                calendar = front.person.app.screen.query_one(Calendar)
                typed = front.person.app.screen.query_one(Input)
                for _ in range(days):
                    day = date(1970, 1, 1) + timedelta(days=chance.randrange(25_000))
                    typed.value = f"{day}{chance.choice(['', ' 00:00', ' 23:59', 'T02:30'])}"
                    await front.person.pilot.pause()
                    assert calendar.day == day
                    if chance.random() < 0.5:
                        calendar.action_move(chance.choice([-7, -1, 1, 7]))
                    else:
                        calendar.move_months(chance.randrange(-14, 15))
                    when = due(front.typed)
                    assert when is not None
                    assert when.date() == calendar.day
                typed.value = "2026-07-01T08:00:00+00:00"
                await front.person.pilot.pause()
                assert calendar.day == date(2026, 7, 1)
                typed.value = "2026-07-01T23:30:00+00:00"
                await front.person.pilot.pause()
                assert calendar.day == date(2026, 7, 1 if zone.startswith("America") else 2)
    finally:
        customs.reset(token)
