"""The standup: both lenses, cards changed in place, speakers, the window, topics, and copying."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from tests.day.world import BOARD, OTHER_BOARD, Day, Edition, opened_day
from tests.drivers.quiet import until_work_ends
from tests.endpoints.conftest import furnish
from tests.fakes.boards import ANN, JON, NOW
from tests.fakes.store import FakeStore
from tests.pictures import standup as pictures
from tests.screens.driving import Driver, connected
from tui.app import CallboardApp
from tui.cli.scripts.chosen import NothingFound
from tui.cli.scripts.standup import StandupOptions, request
from tui.client.errors import NotOffered, Unreachable
from tui.config.paths import Places
from tui.config.preferences import ALL_BOARDS, STANDUP_BOARDS, Preferences
from tui.context import Context
from tui.model.events.history import BoardHistory, Event, EventKind
from tui.model.people import Account
from tui.model.standup.report import BoardSource, Flag, SectionKind, Speaker, standup
from tui.model.standup.writing import Lens
from tui.model.task import Status
from tui.navigation import StandupRequested
from tui.screens.board.screen import BoardScreen
from tui.screens.standup.rows import COLUMNS, StandupRow, cells, rows_of
from tui.screens.standup.screen import StandupScreen, boards_for
from tui.screens.standup.speaker import large
from tui.screens.standup.state import Speakers, StandupState
from tui.screens.task.screen import TaskScreen
from tui.text import clean
from tui.text.dates import LocalZone
from tui.widgets.painted import line_width
from tui.widgets.row_list import columns_line
from tui.workspace import Workspace

MOST_KEYS = 10


class Person(Driver):
    """Somebody at the standup."""

    @property
    def screen(self) -> StandupScreen:
        """The standup, which is in front."""
        assert isinstance(self.app.screen, StandupScreen)
        return self.app.screen

    @property
    def said(self) -> str:
        """The status line."""
        return self.screen.status.words

    @property
    def bar(self) -> str:
        """The bar."""
        return self.screen.bar.words

    @property
    def summary(self) -> str:
        """The line below the bar."""
        return self.screen.summary_bar.words

    @property
    def card(self) -> str:
        """The title of the card at the cursor, or the text of another row."""
        row: StandupRow = self.screen.row_list.rows[self.screen.row_list.cursor]
        return row.card.task.title if row.card else row.text

    def go_to(self, title: str) -> None:
        """Put the cursor on the first row of a card."""
        rows = self.screen.row_list.rows
        at = next(i for i, row in enumerate(rows) if row.card and row.card.task.title == title)
        self.screen.row_list.go_to(at)

    def section(self, title: str) -> tuple[str, ...]:
        """The headings above a card."""
        rows = self.screen.row_list.rows
        return next(
            tuple(heading.title for heading in row.headings)
            for row in rows
            if row.card and row.card.task.title == title
        )


@asynccontextmanager
async def at_standup(
    store: FakeStore, *, preferences: Preferences | None = None,
    now: Callable[[], datetime] = lambda: NOW,
) -> AsyncIterator[Person]:  # fmt: skip
    """The standup of the pictures in front."""
    context = Context(store, preferences=preferences or pictures.preferences(), now=now)
    app = CallboardApp(context, connect=connected, board_id=1)
    async with app.run_test(size=(120, 60)) as pilot:
        person = Person(app, pilot)
        await person.press("g", "s")
        yield person


class SlowStore(FakeStore):
    """Histories come some time after they were asked for."""

    async def history(self, board_id: int, task_id: int | None = None) -> BoardHistory:
        for _ in range(100):
            await asyncio.sleep(0)
        return await super().history(board_id, task_id)


@pytest.mark.long
async def test_both_lenses_are_shown_and_copied() -> None:
    store = pictures.store(SlowStore)
    async with at_standup(store) as person:
        assert "Standup  since Thu 19 Nov · Website relaunch, Support" in person.bar
        assert "1 parked" in person.bar
        assert " ".join(person.summary.split()) == (
            "✓ 3 closed → 2 moved ⊘ 1 blocked ! 2 overdue ~ 2 stale ○ 2 unassigned ● 2 new"
            " tab by board by person"
        )
        assert person.section("Rotate the signing keys") == ("Website relaunch", "Done  2")
        assert person.section("Dark theme for mails") == (
            "Website relaunch",
            "Review  !3/2 over by 1",
        )
        lines = person.text.splitlines()
        at = next(at for at, line in enumerate(lines) if "#407 Image upload" in line)
        assert "⊘ blocked " in lines[at]
        assert lines[at + 1].strip() == "└ “waiting for the design”"
        assert "New  2" not in person.text, "nothing is to be told of that backlog"
        assert person.card == "Names with an apostrophe"
        await person.press("y")
        assert "Copied as Markdown: 13 cards" in person.said
        walk = person.app.clipboard
        assert walk.startswith("# Standup: Website relaunch, Support\n\nFriday 20 November 2026,")
        assert "- **overdue** · #412 Fix login redirect after SSO · Ann Keller, Jon Reyes" in walk
        assert walk.endswith("\n\n## Parking lot\n\n- Who goes to the fair?\n")
        await person.press("tab", "Y")
        assert person.section("Search by label") == ("Ann Keller",)
        assert "No movement" in person.text
        assert "Eve Hart" in person.text
        plain = person.app.clipboard
        assert "#" not in plain.splitlines()[0]
        assert "\nAnn Keller\n\nDone or moved\n\n- #341 " in plain
        assert plain.endswith("\n\nParking lot\n\n- Who goes to the fair?\n")
        await person.press("slash", *"apostrophe", "enter")
        assert len(person.screen.row_list.rows) == 0
        await person.press("escape", "tab", "slash", *"apostrophe", "enter")
        assert [row.card.task.id for row in person.screen.row_list.rows] == [364]
        await person.press("escape", "g", "s")
        assert "You are already here" in person.said
        assert store.asked.count("history of 8 since 2026-11-19") == 1
        assert [one for one in store.asked if one.endswith("since 2026-10-20")] == [
            "history of 1 since 2026-10-20",
            "history of 8 since 2026-10-20",
        ]
        await person.burst("escape", "escape", *"gsy")
        assert "Copied as Markdown: 13 cards" in person.said
        assert person.app.clipboard == walk


async def test_a_card_is_left_when_the_standup_comes_back() -> None:
    store = pictures.store()
    async with at_standup(store) as person:
        await person.press("enter")
        assert isinstance(person.app.screen, TaskScreen)
        await person.press("g", "s")
        assert person.screen.row_list.rows
        assert store.asked[-1] == "close task"


async def test_a_narrow_summary_keeps_every_count() -> None:
    async with at_standup(pictures.store()) as person:
        await person.pilot.resize_terminal(80, 24)
        await person.press()
        summary = " ✓3  →2  ⊘1 blocked  !2 overdue  ~2 stale  ○2  ●2"
        assert person.summary.startswith(summary)


@pytest.mark.long
async def test_the_cursor_stays_on_its_card_when_others_change_the_board() -> None:
    store = pictures.store()
    async with at_standup(store) as person:
        for removed in ((341, 381, 409), (390,)):
            person.go_to("Migrate the session store")
            rows = len(person.screen.row_list.rows)
            view = store.views[1]
            for number in removed:
                view = view.without_task(number)
            store.news(view)
            await person.press()
            await until_work_ends(person.app)
            assert person.card == "Migrate the session store"
            assert len(person.screen.row_list.rows) < rows
            await person.press("tab")


@pytest.mark.long
async def test_the_cursor_follows_a_card_that_goes_to_another_section() -> None:
    store, at = pictures.store(), NOW.astimezone()
    closed = Event(8, 805, EventKind.CLOSED, at)
    store.histories[8] = replace(store.histories[8], events=(*store.histories[8].events, closed))
    async with at_standup(store) as person:
        person.go_to("Lost mails of a customer")
        await person.press("x")
        assert person.card == "Lost mails of a customer"
        assert person.section(person.card) == ("Support", "Done  2")
        await person.press("u", "tab")
        for name in ("Ann Keller", "Jon Reyes"):
            rows = enumerate(person.screen.row_list.rows)
            now = next(
                i for i, row in rows if row.words.startswith("#805") and row.turn.name == name
            )
            person.screen.row_list.go_to(now)
            await person.press("x")
            row = person.screen.row_list.rows[person.screen.row_list.cursor]
            assert (row.turn.name, row.kinds, row.card.task.id) == (name, {SectionKind.MOVED}, 805)
            await person.press("u")


async def test_a_card_stays_marked_when_it_goes_to_another_section() -> None:
    store = pictures.store()
    closed = Event(8, 805, EventKind.CLOSED, NOW.astimezone())
    store.histories[8] = replace(store.histories[8], events=(*store.histories[8].events, closed))
    async with at_standup(store) as person:
        person.go_to("Lost mails of a customer")
        await person.press("v")
        task = store.views[8].task(805)
        assert task is not None
        store.news(store.views[8].with_task(replace(task, status=Status.CLOSED)))
        await person.press()
        assert person.section("Lost mails of a customer") == ("Support", "Done  2")
        assert [row.card.task.id for row in person.screen.row_list.chosen] == [805]
        assert "◆ 1 marked" in person.hints


@pytest.mark.long
async def test_changes_of_others_are_looked_for_while_the_standup_is_looked_at() -> None:
    store = pictures.store()
    async with at_standup(store) as person:
        told: list[str] = []
        screen, state = person.screen, person.screen.state
        state.changed = lambda: told.append(state.progress)
        store.asked.clear()
        screen.look_for_news()
        await person.press()
        asked = {"refresh 1", "history of 1 since 2026-11-19", "refresh 8"}
        assert asked <= set(store.asked)
        assert set(told) == {""}
        store.asked.clear()
        await person.press("g", "u")
        screen.look_for_news()
        await person.press("escape")
        assert "refresh 1" not in store.asked


@pytest.mark.long
async def test_speakers_have_their_turns_in_an_order_that_can_be_shuffled() -> None:
    clock = [NOW]
    async with at_standup(pictures.store(), now=lambda: clock[0]) as person:
        await person.pilot.resize_terminal(120, 30)
        await person.press(">")
        assert "· 1 of 3 speakers" in person.bar
        assert shows_turn(person, "Ann Keller", "next: Jon ›")
        assert {row.turn.name for row in person.screen.row_list.rows} == {"Ann Keller"}
        await person.press(";")
        assert shows_turn(person, "Ann Keller", "2:00 of 2:00 left", "next: Jon ›")
        clock[0] += timedelta(seconds=125)
        person.screen.draw_bar()
        await person.pilot.pause()
        assert shows_turn(person, "Ann Keller", "over by 0:05")
        await person.press(">")
        assert shows_turn(person, "Jon Reyes", "2:00 of 2:00 left", "next: Mira ›")
        await person.press("<", "<")
        assert "That was the first speaker" in person.said
        assert len({row.turn for row in person.screen.row_list.rows}) > 3
        await person.press("<")
        assert "· 3 speakers" in person.bar
        assert shows_turn(person, "Parking lot", "2:00 of 2:00 left", "last speaker")
        await person.press(">")
        assert "That was the last speaker" in person.said
        await person.press(";", ">", "escape")
        assert "Standup  since" in person.bar
        await person.press("!")
        shuffled = [one.person.name for one in person.screen.state.standup.people]
        assert shuffled != ["Ann Keller", "Jon Reyes", "Mira Novak"]
        assert f"Order of speakers: {', '.join(shuffled)}" in person.said
        await person.press("R", ">", "y")
        assert shows_turn(person, shuffled[0], f"next: {shuffled[1].partition(' ')[0]} ›")
        told = person.app.clipboard
        assert sorted(shuffled, key=lambda name: told.index(f"## {name}")) == shuffled
        await person.press("colon", *"minutes per", "enter", *"70", "enter")
        assert "A whole number from 1 to 60 is required." in person.text
        await person.press("backspace", "backspace", "5", "enter")
        assert "5 minutes per speaker" in person.said


def shows_turn(person: Person, *words: str) -> bool:
    """Whether the line below the bar and the order of the speakers have these words."""
    lines = person.text.splitlines()
    return all(word in f"{lines[1]}{lines[-3]}" for word in words)


@pytest.mark.long
async def test_the_view_of_a_speaker_is_for_a_room() -> None:
    clock = [NOW]
    async with at_standup(pictures.store(), now=lambda: clock[0]) as person:
        assert "▸ Ann" not in person.text
        await person.press(">")
        assert "Parked  Who goes to the fair?" in person.text
        rows = person.screen.row_list.rows
        titles = list(dict.fromkeys(row.headings[0].title for row in rows))
        assert titles == ["Did since Thursday", "Now", "Next"]
        assert "2 need attention" in person.text
        assert "Review, 19h · moved from Doing" in person.text
        assert "▀ ▀▀▀" in person.text
        assert "▸ Ann   Jon   Mira" in person.text
        await person.press(";")
        assert "of 2:00 left" in person.text
        assert "━" * 116 in person.text
        clock[0] += timedelta(seconds=60)
        person.screen.draw_bar()
        await person.pilot.pause()
        assert f"{'━' * 58}{'─' * 58}" in person.text
        clock[0] += timedelta(seconds=72)
        person.screen.draw_bar()
        await person.pilot.pause()
        assert "over by" in person.text
        assert "━" not in person.text
        await person.press(">")
        assert "✓ Ann   ▸ Jon   Mira" in person.text
        await person.pilot.resize_terminal(80, 24)
        await person.pilot.pause()
        lines = person.text.splitlines()
        assert "█" not in person.text
        assert "Jon Reyes" in lines[1]
        assert "2:00 of 2:00 left" in lines[1]
        await person.pilot.resize_terminal(120, 36)
        await person.pilot.pause()
        assert "of 2:00 left  ▀▀▀ ▀ ▀▀▀ ▀▀▀" in person.text
        await person.pilot.resize_terminal(80, 24)
        await person.pilot.pause()
        await person.press("escape")
        assert "▸ Jon" not in person.text
        assert "Parked  " not in person.text


async def test_a_name_that_cannot_be_drawn_large_stays_in_one_line() -> None:
    assert large("Jürgen O'Neil-2") != []
    assert large("山田") == large("") == []


async def test_a_click_chooses_the_lens() -> None:
    async with at_standup(pictures.store()) as person:
        line = person.text.splitlines()[1]
        seen = []
        for tab in ("by person", "by person", "by board"):
            await person.pilot.click(offset=(line.index(tab) + 1, 1))
            seen.append(person.screen.state.lens)
        assert seen == [Lens.BY_PERSON, Lens.BY_PERSON, Lens.WALK]


async def test_cards_of_a_board_of_one_person_are_never_nobody_s() -> None:
    store = pictures.store()
    for board_id, view in store.views.items():
        store.views[board_id] = replace(view, people=(JON,))
    async with at_standup(store) as person:
        assert "unassigned" not in person.summary
        assert "unassigned" not in person.text
        await person.press("tab")
        assert "Unassigned" not in person.text
        assert "Wrong totals in a report" in person.text


@pytest.mark.parametrize(
    ("lens", "widths"),
    [
        ((), (40, 55, 56, 69, 70, 141)),
        (("tab",), (40, 70, 141)),
        *(
            pytest.param(lens, (40, 55, 56, 69, 70, 80, 100, 141, 160, 220), marks=pytest.mark.long)
            for lens in ((), ("tab",))
        ),
    ],
)
async def test_a_reason_is_below_the_title_of_its_card(
    lens: Sequence[str], widths: Sequence[int]
) -> None:
    async with at_standup(pictures.store()) as person:
        await person.press(*lens)
        for width in widths:
            await person.pilot.resize_terminal(width, 60)
            lines = person.text.splitlines()
            at = next(at for at, line in enumerate(lines) if "└ “waiting for" in line)
            assert lines[at].index("└") == lines[at - 1].index("Image upload"), width


async def test_what_somebody_does_now_is_counted_once_in_both_views() -> None:
    async with at_standup(pictures.store()) as person:
        await person.press("tab")
        notes = {
            row.turn.name: "".join(text for text, _ in row.headings[0].note)
            for row in person.screen.row_list.rows
            if row.card is not None and row.turn.person_id > 0
        }
        assert len(notes) == 3
        for name, note in notes.items():
            await person.press(">")
            columns = person.screen.state.groups_of_speaker()
            now = next(rows for heading, rows in columns.items() if heading.title == "Now")
            assert f"{len(now)} now" in note, name


@pytest.mark.long
async def test_parked_topics_are_shown_once() -> None:
    async with at_standup(pictures.store()) as person:
        assert person.text.count("Who goes to the fair?") == 1
        await person.press(">")
        assert person.text.count("Who goes to the fair?") == 1
        while not shows_turn(person, "Parking lot"):
            await person.press(">")
        assert person.text.count("Who goes to the fair?") == 1


@pytest.mark.long
async def test_topics_are_parked_until_they_are_deleted() -> None:
    kept = pictures.preferences()
    async with at_standup(pictures.store(), preferences=kept) as person:
        await person.press("P", "enter")
        assert "Nothing was typed" in person.said
        await person.press("P", *"# *Budget*", "enter", "y")
        assert person.app.clipboard.endswith("- Who goes to the fair?\n- \\# \\*Budget\\*\n")
        await person.press("colon", *"copy for slack", "enter")
        assert "Copied for Slack: 13 cards" in person.said
        assert person.app.clipboard.startswith("*Standup: Website relaunch, Support*\n")
        assert person.app.clipboard.endswith(
            "\n*Parking lot*\n\n• Who goes to the fair?\n• # *Budget*\n"
        )
        await person.press("G", "x")
        assert "This row is not a card" in person.said
        await person.press("D", "n")
        assert person.card == "# *Budget*"
        await person.press("k", "v", "v", "D", "y")
        assert "Deleted 2 topics" in person.said
        assert "Parking lot" not in person.text
        assert kept.texts(ALL_BOARDS, "standup-topics") == []
        await person.press("P", *"Later", "enter", "g", "g", "v", "G", "v", "D")
        assert "Both cards and topics are marked" in person.said
    async with at_standup(pictures.store(), preferences=kept) as person:
        assert "Later" in person.text


@pytest.mark.long
async def test_the_window_moves_by_working_days() -> None:
    store = pictures.store()
    async with at_standup(store) as person:
        store.asked.clear()
        await person.press("+")
        assert "Standup  today · " in person.bar
        assert person.section("Names with an apostrophe") == ("Website relaunch", "Done  1")
        await person.press("+")
        assert "Already starts today" in person.said
        assert store.asked == []
        await person.press("-", "-", "-")
        assert "since Tue 17 Nov" in person.bar
        assert "history of 1 since 2026-11-17" in store.asked
        await person.press("=", *"in a while", "enter")
        assert "is not a valid date" in person.text
        await person.press("ctrl+u", *"mon")
        assert "Monday 16 November 2026" in person.text
        await person.press("enter")
        assert "since Mon 16 Nov" in person.bar


@pytest.mark.long
async def test_boards_are_chosen_and_kept() -> None:
    kept = Preferences()
    kept.keep(ALL_BOARDS, folders='[[3, "Customers", [8, 99]]]')
    async with at_standup(pictures.store(), preferences=kept) as person:
        assert "Website relaunch, Support" not in person.bar
        await person.press("B", *"customers", "enter")
        assert "· Website relaunch, Support" in person.bar
        assert kept.numbers(ALL_BOARDS, STANDUP_BOARDS) == {1, 8}
        await person.press("B", "space", "down", "space", "enter")
        assert "No board selected" in person.said
        await person.press("B", "space", "enter")
        assert "· Support" in person.bar
        assert person.card == "Password cannot be reset"
        await person.press("g", "g", "tab")
        assert person.screen.row_list.cursor == 0
        person.go_to("Wrong totals in a report")
        await person.press("tab")
        assert person.card == "Wrong totals in a report"
    assert boards_for(Context(pictures.store(), preferences=kept), None) == [8]
    assert boards_for(Context(pictures.store(), preferences=kept), 1) == [1]
    assert boards_for(Context(pictures.store()), None) == [1, 8]


async def test_the_command_line_opens_it_with_boards_a_day_and_a_speaker() -> None:
    store = pictures.store()
    store.me = Account(JON.login, JON.id)
    context = Context(store, preferences=pictures.preferences(), now=lambda: NOW)
    with pytest.raises(NothingFound, match="no board is called “Sales”"):
        request(StandupOptions(boards=["Sales"]), context)
    wanted = StandupOptions(boards=["supp"], only_me=True, since="mon")
    app = CallboardApp(context, connect=connected, board_id=1, request=request(wanted, context))
    async with app.run_test(size=(120, 60)) as pilot:
        person = Person(app, pilot)
        await person.press("down")
        assert "▸ Jon" in person.text
        assert "since Mon 16 Nov · 2 of 2 speakers" in person.bar
        assert "▄▀▄ █▄ █" in person.text
        assert "▀ ▀▀▀" in person.text
        assert " you " in person.text
        await person.press("escape", "escape")
        assert isinstance(app.screen, BoardScreen)


def test_only_me_without_a_board_is_the_person_of_any_board() -> None:
    store = pictures.store()
    context = Context(store, preferences=pictures.preferences(), now=lambda: NOW)
    for account, speaker in ((Account(JON.login, JON.id), JON), (Account("zoe"), None)):
        store.me = account
        asked = request(StandupOptions(only_me=True), context)
        assert (asked.board_ids, asked.by_person, asked.speaker) == ((), True, speaker)
    asked = request(StandupOptions(), context)
    assert (asked.board_ids, asked.by_person, asked.speaker) == ((), False, None)


async def test_without_a_connection_it_says_how_old_it_is() -> None:
    store = pictures.store()
    store.failure = Unreachable("The service cannot be reached.")
    store.now = store.now._replace(problem="The service cannot be reached.")
    async with at_standup(store) as person:
        assert "as of 09:00" in person.bar
        assert "offline" in person.bar
        assert "The service cannot be reached." in person.said
        assert person.card == "Names with an apostrophe"
        store.failure, store.now = NotOffered("No activity here."), store.now._replace(problem="")
        store.histories = {1: replace(store.histories[1], read_at=None, complete_since=None)}
        await person.press("R")
        assert "some activity is not loaded" in person.bar
        assert "No activity here." not in person.said


@pytest.mark.long
async def test_viewers_read_it_and_say_so_on_their_board_only() -> None:
    store = pictures.store()
    store.me = Account(JON.login, JON.id, is_administrator=False)
    async with at_standup(store) as person:
        person.go_to("Dark theme for mails")
        await person.press("x")
        assert "You are a viewer of this board" in person.said
        person.go_to("Wrong totals in a report")
        await person.press("x")
        assert [one.task_id for one in store.submitted] == [809]
        await person.press("y", "P", *"Roles", "enter")
        assert "Parked “Roles”" in person.said


@pytest.mark.long
async def test_cards_are_changed_in_place_on_two_boards(tmp_path: Path) -> None:
    async with opened_day(Edition("embedded"), tmp_path, furnish) as day:
        person = Person(day.app, day.person.pilot)
        other = next(board for board in day.store.boards() if board.title == OTHER_BOARD)
        day.person.board.context.preferences.keep(
            ALL_BOARDS, **{STANDUP_BOARDS: frozenset({day.board_id, other.id})}
        )
        await person.press("L", "i", "h", "L")
        await day.settled()
        await person.press("g", "s")
        await read(day)
        assert person.section("first") == ("Day", "Doing  2")
        assert person.section("second") == ("Day", "Doing  2")
        person.go_to("second")
        await person.press("x")
        assert (person.card, person.section("second")) == ("second", ("Day", "Done  1"))
        person.go_to("first")
        await person.press("u")
        assert (person.card, person.section("second")) == ("second", ("Day", "Doing  2"))
        await person.press("a", *"bob", "enter", "tab")
        person.go_to("second")
        assert person.section("second") == ("Ann Miller you",)
        await person.press("b", *"waits for Eve", "enter")
        await day.settled()
        await read(day)
        assert "└ “waits for Eve”" in person.text
        assert re.search(r"Bob Cook ─.* 1 needs attention", person.text)
        await person.press("tab")
        person.go_to("second")
        await person.press("L")
        assert (person.card, person.section("second")) == ("second", ("Day", "Done  1"))
        await person.press("D")
        assert "Delete" in person.text
        await person.press("n", "enter")
        assert isinstance(day.app.screen, TaskScreen)
        await person.press("g", "s")
        assert (person.card, person.section("second")) == ("second", ("Day", "Done  1"))
        person.go_to("first")
        await person.press("D", "y")
        await day.settled()
        assert "first" not in day.held().cards
        assert day.held().cards["second"].stage == f"{BOARD}/Done"


async def read(day: Day) -> None:
    """Wait until what is read in the background has been read."""
    await until_work_ends(day.app)
    await day.person.pilot.pause()


@asynccontextmanager
async def started(home: Path, asked: StandupRequested | None = None) -> AsyncIterator[Person]:
    """The program as it starts from a shell, once it is connected."""
    workspace = Workspace.open(Places.find({"CALLBOARD_HOME": str(home)}))
    context = Context(workspace.store, preferences=Preferences(workspace.preferences))
    board_id = workspace.store.last_board_id
    app = CallboardApp(context, connect=workspace.connect, board_id=board_id, request=asked)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_work_ends(app)
        yield Person(app, pilot)
    await workspace.aclose()


@pytest.mark.long
async def test_a_shell_is_ten_keys_away_from_a_copied_standup(tmp_path: Path) -> None:
    async with started(tmp_path, StandupRequested()) as person:
        await person.press()
        await until_work_ends(person.app)
        assert "· Start here" in person.bar
        await person.press("escape")
        assert isinstance(person.app.screen, BoardScreen)
    opening, copying = ("g", "s"), ("y",)
    async with started(tmp_path) as person:
        await person.press(*opening)
        await until_work_ends(person.app)
        await person.press(*copying)
        assert "Copied as Markdown: 1 card" in person.said
        text = person.app.clipboard
        assert re.match(r"# Standup: Start here\n\n.+ since .+\n\n", text)
        assert "\n## First steps (16, 16 new)\n" in text
    assert len((*opening, *copying)) <= MOST_KEYS


PICTURES = standup(
    [
        BoardSource(view, pictures.store().histories[view.board.id])
        for view in (pictures.website(), pictures.support())
    ],
    NOW.replace(tzinfo=LocalZone()),
    NOW.replace(day=19, hour=0, tzinfo=LocalZone()),
)
"""The standup of the pictures."""


def test_speakers_come_in_the_order_of_the_last_shuffle() -> None:
    people = [Speaker(replace(ANN, id=number), (), moved=True) for number in range(1, 6)]
    speakers = Speakers(lambda: NOW, Random(3))  # noqa: S311 (an order, no secret)
    assert list(speakers.in_order(people)) == people
    for _ in range(20):
        before = speakers.in_order(people)
        speakers.shuffle(before)
        assert speakers.in_order(people) != before
    shuffled = speakers.in_order(people)
    new = replace(people[0], person=replace(ANN, id=9))
    assert speakers.in_order([new, *people]) == (*shuffled, new)


class InterruptedPreferences(Preferences):
    """Something happens while the topics are read, as on another thread."""

    def __init__(self) -> None:
        super().__init__()
        self.interrupt: Callable[[], object] = lambda: None

    def texts(self, board_id: int, name: str) -> list[str]:
        interrupt, self.interrupt = self.interrupt, lambda: None
        interrupt()
        return super().texts(board_id, name)


async def test_rows_of_a_previous_standup_are_not_kept_for_the_next_one() -> None:
    store, preferences = pictures.store(), InterruptedPreferences()
    state = StandupState(Context(store, now=lambda: NOW, preferences=preferences), (1, 8))
    await state.load()
    state.step(-1)
    preferences.interrupt = state._make
    state.rows(Lens.BY_PERSON)
    expected = rows_of(state.standup, Lens.BY_PERSON, state.topics, store.me)
    assert state.rows(Lens.BY_PERSON) == expected


async def test_news_are_read_board_by_board_and_again_only_if_asked_for() -> None:
    store = pictures.store()
    state = StandupState(Context(store, now=lambda: NOW), (1, 8))
    progress: list[str] = []
    state.changed = lambda: progress.append(state.progress)
    await state.load()
    assert list(dict.fromkeys(progress)) == [
        "loading activity: 1 of 2 boards",
        "loading activity: 2 of 2 boards",
        "loading older activity",
    ]
    assert state.progress == ""
    asked = len(store.asked)
    await state.load()
    assert len(store.asked) == asked
    state.step(-1)
    await state.load()
    read = [f"history of {board} since 2026-11-18" for board in (1, 8)]
    assert [one for one in store.asked[asked:] if one in read] == read
    assert "refresh 1" not in store.asked[asked:]
    store.failure = Unreachable("The service cannot be reached.")
    state.is_due = True
    with pytest.raises(Unreachable):
        await state.load()
    assert state.progress == ""


HOSTILE = st.text(max_size=80).map(clean.line)


@given(st.integers(30, 220), st.sampled_from(Lens), HOSTILE)
def test_flag_number_title_and_due_date_stay_at_any_width(
    width: int, lens: Lens, title: str
) -> None:
    me = Account(ANN.login, ANN.id)
    for row in rows_of(PICTURES, lens, (), me):
        if row.card is None:
            continue
        task = replace(row.card.task, title=title)
        hostile = row._replace(card=replace(row.card, task=task))
        assert (
            line_width(columns_line(COLUMNS[lens], cells(hostile, PICTURES, lens, me), width))
            <= width
        )
        line = columns_line(COLUMNS[lens], cells(row, PICTURES, lens, me), width)
        text = "".join(span for span, _ in line)
        shown = [
            one for one in row.card.flags if one is not Flag.UNASSIGNED or not row.turn.person_id
        ]
        if shown:
            sign = {Flag.BLOCKED: "⊘", Flag.OVERDUE: "!", Flag.STALE: "~"}.get(shown[0], "○")
            assert f"{sign} {shown[0]}" in text if width >= 56 else sign in text
        assert f"#{row.card.task.id} {row.card.task.title[:2]}" in text
        if row.card.task.due_at is not None and not row.card.task.is_closed:
            assert re.search(r"overdue|today|tomorrow|mon", text)
