"""Notifications are sent in the way that is set, a minute apart, and not of cards in sight."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.drivers.patience import patience
from tests.fakes.boards import small, task
from tests.fakes.store import FakeStore
from tests.store.fake_clock import FakeClock
from tests.store.party import rest
from tui.config.inbox_file import InboxFile
from tui.config.preferences import Preferences
from tui.config.settings import Settings
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.work.inbox import with_news, with_read
from tui.model.work.news import News, Reason
from tui.notifications.notifier import Notifier, Terminal

MARK = RemoteChange(11, ChangeKind.COMMENTED, who="Ann")


def mentioned(number: int, task_id: int = 11) -> News:
    """Ann mentions me in a comment of this number."""
    card = task(task_id, "a")
    return News(Reason.MENTIONED, card, "Small", f"mentioned-{number}", "Ann", f"see {number}")


class Listener:
    """A program with a notifier; what its terminal gets is in `written`."""

    def __init__(
        self, clock: FakeClock, preferences: Preferences, store: FakeStore, settings: Settings
    ) -> None:
        self.written: list[str] = []
        self.complaints: asyncio.Queue[str] = asyncio.Queue()
        self.in_sight: set[int] = set()
        self.settings = settings
        self.inbox = InboxFile()
        terminal = Terminal(
            self.written.append, self.complaints.put_nowait, {"TERM": "xterm", "TERM_PROGRAM": "x"}
        )
        self.notifier = Notifier(
            store,
            lambda: self.settings,
            preferences,
            terminal,
            is_on_screen=self.in_sight.__contains__,
            inbox=self.inbox,
            clock=clock,
        )


@asynccontextmanager
async def running(*listeners: Listener) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(each.notifier.run()) for each in listeners]
    try:
        yield
    finally:
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def pass_time(clock: FakeClock, seconds: int) -> None:
    """Let time pass second by second."""
    for _ in range(seconds):
        await rest()
        clock.advance(1)
    await rest()


Make = Callable[..., Listener]


@pytest.fixture
def listener(clock: FakeClock, tmp_path: Path) -> Make:
    """Makes programs on one profile."""

    def make(store: FakeStore | None = None, **settings: object) -> Listener:
        chosen = Settings(**{"notify": "osc9", **settings})  # type: ignore[arg-type]
        preferences = Preferences(tmp_path / "preferences.json")
        return Listener(clock, preferences, store or FakeStore(small()), chosen)

    return make


async def test_news_are_sent_after_a_moment_and_the_next_ones_a_minute_later_in_one(
    listener: Make, clock: FakeClock
) -> None:
    one = listener()
    async with running(one):
        one.notifier.add([mentioned(1)])
        await pass_time(clock, 1)
        assert one.written == []
        await pass_time(clock, 2)
        assert one.written == ["\x1b]9;Callboard: #11 “a”: Ann mentioned you: see 1\a"]
        one.notifier.add([mentioned(2)])
        await pass_time(clock, 10)
        one.notifier.add([mentioned(3, 12)])
        await pass_time(clock, 40)
        assert len(one.written) == 1
        await pass_time(clock, 12)
        two = "#11 “a”: Ann mentioned you: see 2 · #12 “a”: Ann mentioned you: see 3"
        assert one.written[1:] == [f"\x1b]9;Callboard: 2 updates: {two}\a"]


async def test_two_programs_send_each_once(listener: Make, clock: FakeClock) -> None:
    one, other = listener(), listener()
    async with running(one, other):
        for program in (one, other):
            program.notifier.add([mentioned(1)])
        await pass_time(clock, 70)
        assert len(one.written) + len(other.written) == 1
        other.notifier.add([mentioned(1), mentioned(2)])
        await pass_time(clock, 70)
        assert "see 2" in other.written[-1]
        assert len(one.written) + len(other.written) == 2
    again = listener()  # after a new start
    async with running(again):
        again.notifier.add([mentioned(2)])
        await pass_time(clock, 70)
        assert again.written == []


async def test_nothing_is_sent_of_a_card_in_sight_by_no_program(
    listener: Make, clock: FakeClock
) -> None:
    one, other = listener(), listener()
    one.in_sight.add(11)
    async with running(one, other):
        for program in (other, one):
            program.notifier.add([mentioned(1)])
        await pass_time(clock, 70)
        assert one.written == other.written == []


@pytest.mark.parametrize("is_looked_at", [True, False])
async def test_nothing_is_sent_of_a_card_that_was_looked_at_meanwhile(
    listener: Make, clock: FakeClock, *, is_looked_at: bool
) -> None:
    store = FakeStore(small())
    store.marks = {11: MARK}
    one = listener(store)
    async with running(one):
        one.notifier.add([mentioned(1)])
        await pass_time(clock, 1)
        if is_looked_at:
            await store.mark_seen(1, {11})
        await pass_time(clock, 5)
        assert len(one.written) == (not is_looked_at)


async def test_only_what_is_chosen_is_sent_in_the_chosen_way(
    listener: Make, clock: FakeClock, tmp_path: Path
) -> None:
    one = listener(notify="auto", notify_of=("due",))
    async with running(one):
        one.notifier.add([mentioned(1)])
        await pass_time(clock, 5)
        assert one.written == []
        one.settings = one.settings._replace(notify_of=("mentioned",))
        one.notifier.add([mentioned(2)])
        await pass_time(clock, 5)
        assert one.written == ["\a"]
        said = tmp_path / "said"
        one.settings = one.settings._replace(
            notify="command", notify_command=f'printf %s "$1" > {said}; exit 3'
        )
        one.notifier.add([mentioned(3)])
        await pass_time(clock, 60)
        async with patience("the complaint about the command"):
            complaint = await one.complaints.get()
        assert complaint == "The notification command failed with exit code 3."
        assert said.read_text() == "#11 “a”: Ann mentioned you: see 3"
        assert one.written == ["\a"]


async def test_nothing_is_sent_of_what_was_read_in_the_inbox_and_the_unread_are_counted(
    listener: Make, clock: FakeClock, tmp_path: Path
) -> None:
    told = tmp_path / "told"
    command = f"sh -c 'echo $CALLBOARD_COUNT of $CALLBOARD_UNREAD > {told}'"
    one, at = listener(notify="command", notify_command=command), clock.now()
    news = [mentioned(1), mentioned(2), mentioned(3)]
    one.inbox.change(lambda inbox: with_news(inbox, news, at.replace(tzinfo=None)))
    one.inbox.change(lambda inbox: with_read(inbox, {"comment-1": at}))
    async with running(one):
        one.notifier.add(news)
        await pass_time(clock, 5)
        async with patience("the command"):
            while not told.exists() or not told.read_text():  # noqa: ASYNC110 (a process)
                await asyncio.sleep(0.01)
    assert told.read_text() == "2 of 2\n"
