"""The timeline of a board and its agenda: what is seen, carried, dropped and put back."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast

import pytest

from tests.drivers.patience import patience
from tests.fakes.boards import ANN, JON, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.model.board import Board, BoardView
from tui.model.people import Account
from tui.model.task import Label, Status, Task
from tui.screens.lists.timeline import TimelineScreen
from tui.screens.task.screen import TaskScreen
from tui.store.events import BoardChanged, SyncStatus
from tui.store.operations import set_title

DAY = timedelta(days=1)
FRIDAY = datetime(2026, 11, 20, 17)  # noqa: DTZ001  as dates of cards are
"""The end of the day on which all is drawn."""


def dated() -> BoardView:
    """A board with a card of each kind of dates."""
    lanes = {
        1: (
            task(11, "Old", started_at=FRIDAY - 9 * DAY, due_at=FRIDAY - 2 * DAY),
            task(12, "Longer", started_at=FRIDAY - 4 * DAY, due_at=FRIDAY + 6 * DAY),
            task(13, "Loose"),
            task(14, "Closed", due_at=FRIDAY, status=Status.CLOSED),
        ),
        2: (
            task(21, "Due", 2, due_at=FRIDAY + 13 * DAY, assignees=(ANN, JON)),
            task(22, "Begun", 2, started_at=FRIDAY - DAY, labels=(Label(9, "Blocked"),)),
            task(23, "Far", 2, started_at=FRIDAY + 90 * DAY, due_at=FRIDAY + 99 * DAY),
        ),
        3: (),
    }
    return replace(small(), tasks=lanes, people=(ANN, JON))


def shown(person: Driver) -> TimelineScreen:
    """The timeline, which is in front."""
    screen = person.app.screen
    assert isinstance(screen, TimelineScreen), screen
    return screen


def line_of(person: Driver, words: str) -> str:
    """The line of the screen with these words."""
    return next(line for line in person.text.splitlines() if words in line).rstrip()


def dates(store: FakeStore, number: int) -> tuple[datetime | None, datetime | None]:
    """The start and the due date of a card in the store."""
    card = store.views[1].task(number)
    assert card is not None
    return card.started_at, card.due_at


def here(person: Driver) -> str:
    """The title of the card at the cursor."""
    row = shown(person).row_list.row
    assert row is not None
    return cast("Task", row.task).title


async def test_bars_are_drawn_on_their_days_in_groups() -> None:
    async with opened(FakeStore(dated()), size=(120, 30)) as person:
        await person.press("g", "d")
        lines = [line.rstrip() for line in person.text.splitlines()]
        assert lines[0].startswith(" Small  › Timeline  6 cards  1 overdue  ⊘ 1 blocked")
        today = lines[2].index("F S S M", 70)
        assert lines[1].index("16 Nov") == today - 8
        rows = {line[8:12].strip(): line[42:] for line in lines}
        assert rows["Old"] == f"{' ' * 18}├─────────────┤┄┄┄│ 2d overdue"
        assert rows["Long"] == f"{' ' * 28}├───────┼───────────┤"
        assert rows["Due"] == f"{' ' * 36}│{' ' * 25}◆"
        assert rows["Begu"] == f"{' ' * 34}├─┼›  ⊘ blocked"
        assert rows["Far"].endswith("›")
        assert "Closed" not in person.text
        assert "Loose" not in person.text
        assert " 1 card without dates · z to see them" in person.text
        assert lines[-2].index("today Fri 20") in range(today - 8, today + 4)
        assert {line[today] for line in lines[3:-2]} <= {"│", "┼", "┤"}


async def test_a_card_is_lifted_carried_dropped_and_undone() -> None:
    store = FakeStore(dated())
    store.now = SyncStatus(problem="no connection")
    async with opened(store, size=(120, 30)) as person:
        await person.press("g", "d", "j", "space")
        assert "Moving “Longer”, Mon 16 Nov 2026 – Thu 26 Nov 2026" in person.said
        before = line_of(person, "Longer").index("├")
        await person.press("l", "l", "l")
        assert line_of(person, "Longer").index("├") == before + 6
        assert "Moving #12 to Thu 19 Nov 2026 – Sun 29 Nov 2026" in person.said
        assert " h l carry  ↵ drop  esc cancel" in person.hints
        assert store.submitted == []
        await person.press("x", "j")
        assert here(person) == "Longer"
        await person.press("enter")
        assert dates(store, 12) == (FRIDAY - DAY, FRIDAY + 9 * DAY)
        assert len(store.steps) == 1
        assert "Moved #12 to Thu 19 Nov 2026 – Sun 29 Nov 2026" in person.said
        await person.press("u")
        assert dates(store, 12) == (FRIDAY - 4 * DAY, FRIDAY + 6 * DAY)
        assert here(person) == "Longer"


async def test_a_lifted_card_is_put_back_and_stays_if_it_was_not_carried() -> None:
    store = FakeStore(dated())
    async with opened(store, size=(120, 30)) as person:
        await person.press("g", "d", "space", "h", "h", "escape")
        assert line_of(person, "Old").index("├") == 60
        await person.press("space", "l", "h", "space")
        assert "Nothing was moved: “Old”" in person.said
        assert store.submitted == []
        await person.press("escape", "escape")
        assert not isinstance(person.app.screen, TimelineScreen)


async def test_days_moved_without_lifting_are_one_change() -> None:
    store = FakeStore(dated())
    async with opened(store, size=(120, 30)) as person:
        await person.press("g", "d", "L", "L", "H", "L")
        assert "Moving #11 to Fri 13 Nov 2026 – Fri 20 Nov 2026" in person.said
        assert store.submitted == []
        await person.press("j")
        assert dates(store, 11) == (FRIDAY - 7 * DAY, FRIDAY)
        assert len(store.steps) == 1
        await person.press("H", "escape")
        assert "Moving" not in person.said
        # Leaving the timeline keeps what was moved.
        await person.press("H", "g", "b")
        assert len(store.steps) == 2


async def test_after_a_pause_they_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    # The clock of the screen is real: what else takes nearly a second is a moment.
    monkeypatch.setattr(TimelineScreen, "pause_seconds", 0.001)
    store = FakeStore(dated())
    async with opened(store, size=(120, 30)) as person:
        await person.press("g", "d", "L")
        async with patience("a change of the dates", lambda: person.text):
            while not store.submitted:
                await person.pilot.pause()
        assert dates(store, 11) == (FRIDAY - 8 * DAY, FRIDAY - DAY)
        assert "Moved #11 to" in person.said


async def test_marked_cards_move_together_and_those_without_dates_stay() -> None:
    store = FakeStore(dated())
    async with opened(store, size=(120, 30)) as person:
        await person.press("g", "d", "v", "v", "z", "v", "space", "l", "l", "enter")
        assert "Moved 2 cards 2 days later" in person.said
        assert dates(store, 11) == (FRIDAY - 7 * DAY, FRIDAY)
        assert dates(store, 12) == (FRIDAY - 2 * DAY, FRIDAY + 8 * DAY)
        assert dates(store, 13) == (None, None)
        assert len(store.steps) == 1
        assert not shown(person).row_list.marks


async def test_cards_without_dates_are_reached_and_say_how_they_get_some() -> None:
    async with opened(FakeStore(dated()), size=(120, 30)) as person:
        await person.press("g", "d", "z")
        assert here(person) == "Loose"
        assert "z to hide them" in person.text
        await person.press("space")
        assert "No dates to move" in person.said
        await person.press("d")
        await person.type("fri")
        await person.press("enter")
        assert "without dates" not in person.text
        await person.press("z")
        await person.press("z")
        assert "All open cards have dates" in person.said


async def test_zooming_scrolling_and_going_back_to_today() -> None:
    async with opened(FakeStore(dated()), size=(120, 30)) as person:
        await person.press("g", "d")
        begun = person.text
        await person.press("l")
        assert line_of(person, "Old").index("├") == 46
        await person.press("h", "h", "h", "h")
        assert line_of(person, "Longer").endswith("├──────›")
        await person.press("0")
        assert person.text == begun
        await person.press("plus")
        assert "F 20" in person.text
        await person.press("plus")
        assert "Days are the closest view" in person.said
        await person.press("minus", "minus")
        assert "Jan 2027" in person.text
        await person.click("weeks")
        assert person.text == begun


async def test_carrying_scrolls_to_the_bar() -> None:
    async with opened(FakeStore(dated()), size=(120, 30)) as person:
        await person.press("g", "d", "G")
        assert here(person) == "Far"
        assert "├" not in line_of(person, "Far")
        await person.press("space", "l")
        assert line_of(person, "Far").endswith("┤")
        assert person.app.screen.size.width == 120


async def test_narrow_terminals_show_the_agenda_by_day() -> None:
    async with opened(FakeStore(dated()), size=(80, 30)) as person:
        await person.press("g", "d")
        lines = [" ".join(line.rstrip(" ─").split()) for line in person.text.splitlines()]
        assert [line for line in lines[1:-2] if line] == [
            "day # title stage who due",
            "Overdue 1",
            "▌ ◆ due #11 Old To do ○ 2d overdue",
            "Started, no due date 1",
            "› start #22 Begun ⊘ blocked Doing ○",
            "Thu 26 Nov 1",
            "◆ due #12 Longer To do ○",
            "Thu 3 Dec 1",
            "◆ due #21 Due Doing AK +1",
            "Thu 18 Feb 2027 1",
            "› start #23 Far Doing ○",
            "Sat 27 Feb 2027 1",
            "◆ due #23 Far Doing ○",
        ]
        await person.press("l", "l", "l")
        assert here(person) == "Due"
        await person.press("h", "0")
        assert here(person) == "Longer"
        await person.press("L")
        assert "Fri 27 Nov" in line_of(person, "Longer")
        await person.press("tab")
        assert here(person) == "Longer"
        assert "weeks" in person.text
        await person.pilot.resize_terminal(59, 20)
        assert "Agenda" in person.text
        await person.press("tab")
        assert "A timeline needs 60 columns" in person.said


async def test_a_viewer_moves_nothing_and_opens_cards() -> None:
    view = dated()
    board = Board(1, "Small", people=(ANN, JON), viewers=frozenset({ANN.id}))
    store = FakeStore(replace(view, board=board))
    store.me = Account(ANN.login, ANN.id)
    async with opened(store, size=(120, 30)) as person:
        await person.press("g", "d")
        for key in ("space", "H", "L"):
            await person.press(key)
            assert "You are a viewer" in person.said
        await person.press("enter")
        assert isinstance(person.app.screen, TaskScreen)


async def test_a_lifted_card_that_others_delete_is_not_dropped_anywhere() -> None:
    store = FakeStore(dated())
    async with opened(store, size=(120, 30)) as person:
        await person.press("g", "d", "space", "l")
        view = store.views[1]
        await store.submit(set_title(next(iter(view.all_tasks())), "Renamed"))
        await person.pilot.pause()
        assert "◆ Moving #11" in person.said
        assert "▌  #11  Renamed" in person.text
        store.views[1] = view.without_task(11)
        store.notify(BoardChanged(1))
        await person.pilot.pause()
        assert "The lifted card is no longer here" in person.said
        await person.press("l")
        assert len(store.steps) == 1


async def test_a_board_without_dates_says_what_to_do() -> None:
    async with opened(FakeStore(small()), size=(120, 30)) as person:
        await person.press("g", "d")
        assert "No cards with dates" in person.text
        await person.press("z")
        assert "No dates  5" in person.text
        await person.press("slash")
        await person.type("nothing like it")
        assert "No card matches the search" in person.text


async def test_new_cards_are_added_on_the_board() -> None:
    async with opened(FakeStore(dated()), size=(120, 30)) as person:
        await person.press("g", "d", "n")
        assert "New cards are added on the board" in person.said
