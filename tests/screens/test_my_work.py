"""My work: the cards of all boards by section, comments that wait, and acting in place."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.client.scripted import all_comments
from tests.day.world import BOARD, COLLEAGUE, OTHER_BOARD, Day, Edition, finished, opened_day
from tests.fakes.boards import ANN, MIRA, NOW, relaunch, small, task
from tests.fakes.store import FakeStore
from tests.quirky.people import PASSWORD
from tests.screens.driving import Driver, opened
from tui.client.capabilities import Capabilities
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.client.http.credentials import Credentials
from tui.client.http.inprocess import InProcessTransport
from tui.client.http.session import HttpSession
from tui.config.preferences import ALL_BOARDS, Preferences
from tui.model.board import Board, BoardView
from tui.model.comment import Comment
from tui.model.detail import TaskDetail
from tui.model.events.history import BEGINNING, BoardHistory, Event, EventKind
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.people import Account
from tui.model.task import Status
from tui.screens.lists.my_work import MyWorkScreen, WaitingComments
from tui.screens.status_line import StatusLine
from tui.screens.task.screen import TaskScreen
from tui.screens.thread.screen import ThreadScreen
from tui.service.application import create_application
from tui.service.embedded import BASE_URL
from tui.store.events import BoardsChanged, StatusChanged, SyncStatus


def two_boards() -> tuple[BoardView, BoardView]:
    """The board of the pictures, and a small one with a card of Ann in each stage."""
    lanes = {
        1: (task(11, "Order chairs", 1, assignees=(ANN,), due_at=NOW + timedelta(hours=3)),),
        2: (task(21, "Paint the door", 2, assignees=(ANN,), due_at=NOW + timedelta(days=3)),),
        3: (task(31, "Sweep", 3, assignees=(ANN,), status=Status.CLOSED),),
    }
    other = replace(small(), tasks=lanes, people=(ANN, MIRA), board=Board(2, "Office"))
    tasks = {key: tuple(replace(one, board_id=2) for one in lane) for key, lane in lanes.items()}
    return relaunch(), replace(other, tasks=tasks)


async def loaded(person: Driver) -> MyWorkScreen:
    """The list in front, once everything is read."""
    screen = person.app.screen
    assert isinstance(screen, MyWorkScreen)
    await finished(person.app, "load", "comments of 1", "comments of 2", "refresh")
    await person.press()
    return screen


def lines(person: Driver) -> list[str]:
    """The lines of the screen that are not empty."""
    return [line.strip() for line in person.text.splitlines() if line.strip()]


def rows(person: Driver) -> list[tuple[str, str]]:
    """The sections and titles of the rows."""
    screen = person.app.screen
    assert isinstance(screen, MyWorkScreen)
    return [(row.section.value, row.task.title) for row in screen.row_list.rows]


async def test_the_sections_and_their_rows_at_every_width() -> None:
    store = FakeStore(*two_boards())
    store.me = Account(ANN.login, ANN.id)
    async with opened(store, size=(120, 30), board_id=None) as person:
        await person.press("g", "m")
        await loaded(person)
        assert lines(person)[0].startswith("My work   Ann Keller  4 open  ")
        assert [" ".join(line.rstrip(" ─").split()) for line in lines(person)[1:-1]] == [
            "# card stage with here due new",
            "Overdue 1",
            "▌ #412 Fix login redirect after SSO ▲ Website relaunch › Backlog 2d overdue",
            "Today 2",
            "#11 Order chairs Office › To do today 12:00",
            "#398 Rate-limit the public API ▲ Website relaunch › Doing MN today 17:00",
            "Next three days 1",
            "#21 Paint the door Office › Doing mon",
        ]
        await person.pilot.resize_terminal(40, 15)
        await person.press()
        assert re.search(r"#412 Fix login [a-z ]*… 2d overdue ", person.text)
        await person.press("/")
        await person.type("office")
        assert "#11 Order chairs" in person.text
        assert "#412" not in person.text
        await person.press("escape", "n")
        assert "New cards are added on a board" in person.app.screen.query_one(StatusLine).words

        store.views = {}
        store.notify(BoardsChanged())
        await loaded(person)
        assert "No boards yet" in person.text
        store.views = {2: replace(two_boards()[1], tasks={})}
        store.notify(BoardsChanged())
        await loaded(person)
        assert "No open cards are assigned to you" in person.text
        store.me = Account("ann@example.org")
        store.notify(StatusChanged(None))
        await loaded(person)
        assert "Can’t tell which member you are" in person.text


async def test_the_bar_counts_cards_and_rows_say_how_old_they_are_and_what_is_new() -> None:
    one, other = two_boards()
    store = FakeStore(one, other)
    store.me = Account(ANN.login, ANN.id)
    moved = (NOW - timedelta(days=3)).astimezone(UTC)
    event = Event(1, 398, EventKind.MOVED, moved, MIRA, old="Backlog", new="Doing")
    seen = {412: (NOW - timedelta(days=8)).astimezone(UTC)}
    store.histories[1] = BoardHistory(1, (event,), moved, records_moves=True, seen_since=seen)
    store.unread = frozenset({7, 9})
    async with opened(store, size=(120, 30), board_id=None) as person:
        await person.press("g", "m")
        await loaded(person)
        assert lines(person)[0].startswith("My work   Ann Keller  4 open  1 overdue  3 due soon  ")
        assert re.search("#412 .* ≥8d  2d overdue +●2", person.text)
        assert re.search("#398 .* 3d  today 17:00 +●2", person.text)


async def test_without_a_service_it_says_how_old_it_is_and_which_comments_are_known() -> None:
    one, other = two_boards()
    (_, of_jon, *_) = one.in_stage(1)
    asked = Comment(7, of_jon.id, "@ann, which one?", author=MIRA)
    store = FakeStore(one, other, details=[TaskDetail(of_jon, comments=(asked,))])
    store.me = Account(ANN.login, ANN.id)
    checked = (NOW - timedelta(hours=2)).astimezone(UTC)
    store.now = SyncStatus(checked_at=checked, problem="The service cannot be reached.")
    async with opened(store, size=(100, 30)) as person:
        await person.press("g", "m")
        await loaded(person)
        assert "My work · as of 07:00   Ann Keller  5 open" in person.text
        assert "offline" in lines(person)[0]
        assert "Waiting for your answer  1 · based on comments seen here" in person.text
        assert "Mira Novak: @ann, which one?" in person.text
        assert "refresh 1" in store.asked
        assert not [one for one in store.asked if one.startswith("history")]
        store.now = SyncStatus(checked_at=NOW.astimezone(UTC))
        await person.press("g", "u")
        answer = Comment(8, of_jon.id, "This one", author=ANN)
        store.detail_news(TaskDetail(of_jon, comments=(answer, asked)))
        await person.press("escape")
        await loaded(person)
        assert "Mira Novak: @ann, which one?" not in person.text


async def test_a_card_that_waits_offers_to_answer_first() -> None:
    one, other = two_boards()
    (_, of_jon, *_) = one.in_stage(1)
    asked = Comment(7, of_jon.id, "@ann, which one?", author=MIRA)
    store = FakeStore(one, other, details=[TaskDetail(of_jon, comments=(asked,))])
    store.me = Account(ANN.login, ANN.id)
    async with opened(store, size=(120, 30), board_id=None) as person:
        await person.press("g", "m")
        await loaded(person)
        usual = " ↵ open  x close  L next stage  c comment  d due  / search  esc back "
        assert person.text.splitlines()[-1].startswith(usual)
        await person.press("G")
        assert rows(person)[-1] == ("Waiting for your answer", of_jon.title)
        first = " c answer  ↵ open  x close  L next stage  d due  / search  esc back "
        assert person.text.splitlines()[-1].startswith(first)
        await person.press("k")
        assert person.text.splitlines()[-1].startswith(usual)


async def test_new_comments_are_those_since_the_board_was_left() -> None:
    one, other = two_boards()
    store = FakeStore(one, other)
    store.me = Account(ANN.login, ANN.id)
    said = [
        Event(1, 412, EventKind.COMMENTED, (NOW - timedelta(hours=hours)).astimezone(UTC), by)
        for hours, by in ((5, MIRA), (3, MIRA), (2, MIRA), (1, ANN))
    ]
    store.histories[1] = BoardHistory(1, tuple(said))
    store.marks = {412: RemoteChange(412, ChangeKind.COMMENTED)}
    preferences = Preferences()
    preferences.keep(ALL_BOARDS, seen={1: int((NOW - timedelta(hours=4)).timestamp())})
    for kept, expected in ((preferences, "●2"), (Preferences(), "●")):
        async with opened(store, size=(120, 30), board_id=None, preferences=kept) as person:
            await person.press("g", "m")
            await loaded(person)
            assert re.search(f"#412 .* 2d overdue +{expected}\\s", person.text)


async def heading_of_comments(*since: datetime | None) -> str:
    """The heading of the comments that wait, known on two boards since these times."""
    one, other = two_boards()
    (_, of_jon, *_) = one.in_stage(1)
    asked = Comment(7, of_jon.id, "@ann, which one?", author=MIRA)
    store = FakeStore(one, other, details=[TaskDetail(of_jon, comments=(asked,))])
    store.me = Account(ANN.login, ANN.id)
    said = Event(1, of_jon.id, EventKind.COMMENTED, NOW.astimezone(UTC), MIRA, new="@ann, why?")
    for board_id, known in enumerate(since, start=1):
        event = replace(said, board_id=board_id)
        store.histories[board_id] = BoardHistory(board_id, (event,), complete_since=known)
    async with opened(store, size=(100, 30)) as person:
        await person.press("g", "m")
        await loaded(person)
        return next(line for line in lines(person) if line.startswith("Waiting for your answer"))


@pytest.mark.long
async def test_the_heading_says_how_far_the_comments_of_all_boards_are_known() -> None:
    day_before = (NOW - timedelta(days=1)).astimezone(UTC)
    earlier = (NOW - timedelta(days=3)).astimezone(UTC)
    assert "comments since Yesterday 09:00" in await heading_of_comments(earlier, day_before)
    assert "based on comments seen here" in await heading_of_comments(day_before, None)
    assert "based on comments seen here" in await heading_of_comments(None, None)
    assert " · " not in await heading_of_comments(BEGINNING, BEGINNING)


class SlowStore(FakeStore):
    """Answers what the history of a board is when the test says so, with what it was before."""

    def __init__(self, *views: BoardView) -> None:
        super().__init__(*views)
        self.is_asked = asyncio.Event()
        self.answering: list[asyncio.Event] = []

    async def history(self, board_id: int, task_id: int | None = None) -> BoardHistory:
        before, answers = await super().history(board_id, task_id), asyncio.Event()
        self.answering.append(answers)
        self.is_asked.set()
        await answers.wait()
        return before


async def test_what_was_read_later_is_shown_though_an_earlier_reading_ends_after_it() -> None:
    store = SlowStore(relaunch())
    store.me = Account(ANN.login, ANN.id)
    (_, of_jon, *_) = store.views[1].in_stage(1)
    waiting = WaitingComments(store)
    earlier = asyncio.create_task(waiting.read(store.views[1]))
    await store.is_asked.wait()
    asked = Event(1, of_jon.id, EventKind.COMMENTED, NOW.astimezone(UTC), MIRA, new="@ann, why?")
    store.histories[1] = BoardHistory(1, (asked,))
    later = asyncio.create_task(waiting.read(store.views[1]))
    await asyncio.sleep(0)
    while not (earlier.done() and later.done()):
        if store.answering:
            store.answering.pop().set()  # the latest question first
        await asyncio.sleep(0)
    assert [one.text for one in waiting.on([1])[of_jon.id]] == ["@ann, why?"]


async def furnish(client: Client) -> int:
    """Two boards of Ann and Bob; a card of Ann on each, and one with a question of hers."""
    people = {one["display_name"]: one["ID"] for one in await client.users()}
    for title in (OTHER_BOARD, BOARD):
        board = await client.create_board(title, "", "to-do")
        await client.add_member(board["id"], people["Bob Cook"])
        stages = (await client.board(board["id"]))["stages"]
        mine = await client.create_task(board["id"], stages[1]["id"], f"{title} mine")
        asked = await client.create_task(board["id"], stages[0]["id"], f"{title} asked")
        for one in (mine, asked) if title == BOARD else (mine,):
            await client.set_task(board["id"], one["id"], "assignees", [people["Ann Miller"]])
        await client.create_comment(board["id"], asked["id"], "Is this right?")
    return int(board["id"])


async def ask(client: Client) -> None:
    """Mention Ann on a card of the other board, and reply to her question on the first one."""
    for board in await client.list_boards():
        tasks = await client.tasks(board["id"])
        asked = next(one for one in tasks if one["title"].endswith("asked"))
        if board["title"] == OTHER_BOARD:
            await client.create_comment(board["id"], asked["id"], "Hello @ann, may I?")
        else:
            (question,) = await all_comments(client, board["id"], asked["id"])
            await client.create_comment(
                board["id"], asked["id"], "Not quite", parent_id=question["id"]
            )


async def as_bob(day: Day, do: Callable[[Client], Awaitable[object]]) -> None:
    """What Bob does meanwhile at his own terminal."""
    transport = InProcessTransport(create_application(day.database))
    session = HttpSession(BASE_URL, Credentials(COLLEAGUE, PASSWORD), transport=transport)
    async with client_for(session, capabilities=Capabilities.embedded()) as client:
        await do(client)


@pytest.mark.long
async def test_acting_in_place_and_answering_on_two_boards(tmp_path: Path) -> None:
    async with opened_day(Edition("embedded"), tmp_path, furnish) as day:
        await day.press("g b g m")
        await loaded(day.person)
        assert "In active stages" in day.person.text
        assert "Waiting for your answer" not in day.person.text
        await day.press("x")
        assert rows(day.person)[0] == ("In active stages", "Day mine")
        await day.press("x u")
        await day.settled()
        cards = day.held().cards
        assert (cards["Other mine"].status, cards["Day mine"].status) == ("closed", "open")
        await as_bob(day, ask)
        before = len(day.traffic.asked)
        await day.press("R")
        await loaded(day.person)
        asked_for = [path.rpartition("/")[2] for _, path in day.traffic.asked[before:]]
        assert set(asked_for) == {"has-data-changed", "activities"}
        assert rows(day.person) == [
            ("Waiting for your answer", "Other asked"),
            ("In active stages", "Day mine"),
            ("Other cards", "Day asked"),
        ]
        assert "Bob Cook: Hello @ann, may I?" in day.person.text
        before = len(day.traffic.asked)
        await day.press("R")
        await loaded(day.person)
        asked_for = [path.rpartition("/")[2] for _, path in day.traffic.asked[before:]]
        assert asked_for == ["has-data-changed"] * 2
        assert "Waiting for your answer  1 ·" not in day.person.text
        assert "Not quite" not in day.person.text
        await day.press("G T")
        await day.until(lambda: "Not quite" in day.person.text, "the reply")
        await day.press("escape")
        await loaded(day.person)
        assert rows(day.person)[:-1] == [
            ("Waiting for your answer", "Other asked"),
            ("Waiting for your answer", "Day asked"),
        ]
        assert "Bob Cook: Not quite" in day.person.text
        await day.press("enter")
        thread = day.app.screen
        assert isinstance(thread, ThreadScreen)
        assert thread.current is not None
        assert thread.current.text == "Not quite"
        await day.press("r ~Thanks ctrl+s escape")
        await loaded(day.person)
        await day.settled()
        assert rows(day.person) == [
            ("Waiting for your answer", "Other asked"),
            ("In active stages", "Day mine"),
            ("Other cards", "Day asked"),
        ]
        await day.press("k k c ~You_may ctrl+s")
        answered = [("Other cards", "Day asked")]
        await day.until(lambda: rows(day.person)[1:] == answered, "the answer on its way")
        await day.settled()
        await loaded(day.person)
        assert rows(day.person)[1:] == answered
        await day.press("enter")
        assert isinstance(day.app.screen, TaskScreen)
