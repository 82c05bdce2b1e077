"""Keys that are typed while what they are meant for is still opening wait for it, in order."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from textual import events

from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.harness.cases import mostly_long
from tests.pictures.tasks import board, login_redirect
from tests.screens.driving import Driver, application, key_event, opened
from tests.screens.service_lists import Service, store_with_lists
from tui.app import CallboardApp
from tui.errors import CallboardError
from tui.model.board import Board, BoardView
from tui.model.detail import TaskDetail
from tui.navigation import ListRequested
from tui.screens.board.screen import BoardScreen
from tui.screens.boards.screen import BoardsScreen
from tui.screens.lists.table import TableScreen
from tui.store.operations import CreateBoard, Operation, is_edit
from tui.store.remote import Remote


class Gate:
    """Something slow, which a test opens; it fails with `failure`, if that is set."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()
        self.reached = asyncio.Event()
        self.failure: CallboardError | None = None

    async def passed(self) -> None:
        self.reached.set()
        await self.opened.wait()
        if self.failure is not None:
            raise self.failure


class SlowStore(FakeStore):
    """A store that reads descriptions slowly, and keeps changes slowly if there is a `disk`."""

    gate: Gate
    disk: Gate | None = None

    async def submit(self, *operations: Operation) -> None:
        if self.disk is not None:
            await self.disk.passed()
        await super().submit(*operations)

    async def description_source(self, task_id: int) -> str:
        await self.gate.passed()
        return await super().description_source(task_id)


def typed(app: CallboardApp, *keys: str) -> None:
    """Keys arrive, all at once; nobody waits for what they do."""
    for key in keys:
        app.post_message(key_event(key))


async def test_keys_of_the_first_moment_wait_for_the_first_board() -> None:
    store, gate = FakeStore(), Gate()

    async def connect() -> int:
        await gate.passed()
        store.views[1] = small()
        return 1

    app = application(store, board_id=None, connect=connect, is_first_run=True)
    async with app.run_test(size=(100, 30)) as pilot:
        typed(app, "g", "b", "n", "A", "A", "enter")
        await gate.reached.wait()
        await pilot.pause()
        assert store.submitted == []
        gate.opened.set()
        await Driver(app, pilot).press()
        assert isinstance(app.screen, BoardsScreen)
    (made,) = store.submitted
    assert isinstance(made, CreateBoard)
    assert made.title == "AA"


async def test_keys_wait_for_what_was_asked_for_on_the_command_line() -> None:
    gate = Gate()

    async def connect() -> None:
        await gate.passed()

    request = ListRequested("labels", 1)
    app = application(FakeStore(), board_id=None, connect=connect, request=request)
    async with app.run_test(size=(100, 30)) as pilot:
        typed(app, "escape", "question_mark")
        await gate.reached.wait()
        await pilot.pause()
        gate.opened.set()
        await Driver(app, pilot).press()
        assert not any(isinstance(screen, TableScreen) for screen in app.screen_stack[1:])


async def test_keys_wait_until_a_board_has_its_columns() -> None:
    store = FakeStore(BoardView(Board(1, "Small"), complete=False))
    app = application(store)
    async with app.run_test(size=(100, 30)) as pilot:
        typed(app, "n", *"LAxD", "enter")
        await pilot.pause()
        assert store.submitted == []
        store.news(small())
        person = Driver(app, pilot)
        await person.press()
        assert person.titles(1) == ["a", "LAxD", "b", "c"]


@pytest.mark.long
async def test_a_board_that_cannot_be_read_takes_keys() -> None:
    store = FakeStore(BoardView(Board(1, "Small"), complete=False))
    store.now = store.now._replace(problem="no network")
    app = application(store)
    async with app.run_test(size=(100, 30)) as pilot:
        await Driver(app, pilot).press("g", "b")
        assert isinstance(app.screen, BoardsScreen)


class SlowLists:
    """A service whose answers pass a gate."""

    def __init__(self, gate: Gate, service: Service) -> None:
        self._gate, self._service = gate, service

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def answer(*given: object, **named: object) -> Any:
            await self._gate.passed()
            return await getattr(self._service, name)(*given, **named)

        return answer


async def test_keys_wait_for_the_rows_of_a_list() -> None:
    gate = Gate()
    store, service = store_with_lists()
    store.remote = cast("Remote", SlowLists(gate, service))
    app = application(store)
    async with app.run_test(size=(100, 30)) as pilot:
        typed(app, "g", "w", "j")
        await gate.reached.wait()
        await pilot.pause()
        gate.opened.set()
        await Driver(app, pilot).press()
        assert isinstance(app.screen, TableScreen)
        assert app.screen.row_list.cursor == 1


class SlowDetails(FakeStore):
    """A store that reads what is around a task slowly."""

    gate: Gate

    def detail(self, task_id: int) -> TaskDetail | None:
        return super().detail(task_id) if self.gate.opened.is_set() else None

    async def open_task(self, board_id: int, task_id: int) -> None:
        await super().open_task(board_id, task_id)
        await self.gate.passed()
        self.detail_news(self.details[task_id])


@pytest.mark.parametrize(
    ("keys", "title"),
    [
        *(("enter 2 P", "Subtasks of"), ("T j r", "Reply to")),
        pytest.param("T j j D", "Delete your comment?", marks=pytest.mark.long),
    ],
)
async def test_keys_wait_for_what_is_around_a_task(keys: str, title: str) -> None:
    store = SlowDetails(board(), details=(login_redirect(),))
    store.gate = Gate()
    app = application(store)
    async with app.run_test(size=(100, 30)) as pilot:
        typed(app, *keys.split())
        await store.gate.reached.wait()
        await pilot.pause()
        store.gate.opened.set()
        person = Driver(app, pilot)
        await person.press()
        assert title in person.text


async def test_keys_do_not_wait_for_what_is_around_a_task_without_a_connection() -> None:
    store = FakeStore(small())
    store.now = store.now._replace(problem="no network")
    async with opened(store) as person:
        await person.press("T", "c", "escape", "escape", "enter", "2", "P")
        assert "oading subtasks" in person.text


def an_hour_passes() -> None:
    """Let the event loop believe so: whatever waits for a limit of less has reached it."""
    loop = asyncio.get_running_loop()
    begun = loop.time
    loop.time = lambda: begun() + 3_600.0  # type: ignore[method-assign]  # of this loop alone


async def opening(pilot_app: CallboardApp, gate: Gate, *keys: str) -> None:
    """The description of a card is opening, and keys are typed meanwhile."""
    typed(pilot_app, "E", *keys)
    await gate.reached.wait()


@pytest.fixture
def slow() -> SlowStore:
    store = SlowStore(small())
    store.gate = Gate()
    return store


async def test_keys_wait_for_a_dialog(slow: SlowStore) -> None:
    app = application(slow)
    async with app.run_test(size=(100, 30)) as pilot:
        await opening(app, slow.gate, *"LAx", "ctrl+s")
        await pilot.pause()
        slow.gate.opened.set()
        await Driver(app, pilot).press()
    (change,) = slow.submitted
    assert is_edit(change, "description")
    assert "LAx" in change.text


async def test_keys_for_a_dialog_that_does_not_open_do_nothing_else(slow: SlowStore) -> None:
    app = application(slow)
    async with app.run_test(size=(120, 30)) as pilot:
        await opening(app, slow.gate, *"LAx")
        await pilot.pause()
        slow.gate.failure = CallboardError("The disk is broken.")
        slow.gate.opened.set()
        person = Driver(app, pilot)
        await person.press()
        assert "The disk is broken." in person.said
        assert "3 keys typed meanwhile were dropped" in person.said
        await person.press("escape", "L")
        assert person.titles(2)[:2] == ["a", "d"]
    assert len(slow.submitted) == 1


@asynccontextmanager
async def three_keys_waiting(slow: SlowStore) -> AsyncIterator[Driver]:
    """A person whose keys `LAx` wait for a description, as is said at once."""
    app = application(slow)
    app.patience = 0.0
    async with app.run_test(size=(120, 30)) as pilot:
        await opening(app, slow.gate, *"LAx")
        await pilot.pause()
        person = Driver(app, pilot)
        assert "3 keys wait" in person.text
        yield person


async def test_esc_ends_the_waiting(slow: SlowStore) -> None:
    async with three_keys_waiting(slow) as person:
        await person.press("escape")
        assert "3 keys wait" not in person.text
        slow.gate.opened.set()
        await person.press("L")
        assert isinstance(person.app.screen, BoardScreen)
        assert person.titles(2)[:2] == ["a", "d"]
    assert len(slow.submitted) == 1


async def test_keys_wait_however_long_it_takes(slow: SlowStore) -> None:
    app = application(slow)
    app.patience = 0.0
    async with app.run_test(size=(120, 30)) as pilot:
        await opening(app, slow.gate, *"LAx")
        await pilot.pause()
        an_hour_passes()
        await pilot.pause()
        person = Driver(app, pilot)
        assert "3 keys wait" in person.text
        typed(app, "ctrl+s")
        await pilot.pause()
        assert "4 keys wait" in person.text
        slow.gate.opened.set()
        await person.press()
    (change,) = slow.submitted
    assert is_edit(change, "description")
    assert "LAx" in change.text


@mostly_long(
    "keys, changed",
    [
        ("p h j x", ("Set the priority of “a” to high", "Close “b”")),
        (
            "p h j p h",
            ("Set the priority of “a” to high", "Set the priority of “b” to high"),
        ),
        (
            ": c l o s e enter p h",
            ("Close “a”", "Set the priority of “a” to high"),
        ),
        ("x j x", ("Close “a”", "Close “b”")),
        (": c l o s e enter j x", ("Close “a”", "Close “b”")),
        ("n N enter escape x", ("Add “N”", "Move “N” within its stage", "Close “N”")),
        ("e z enter j x", ("Rename “a” to “az”", "Close “b”")),
        ("N N ctrl+s x", ("Add “N”", "Move “N” within its stage", "Close “N”")),
        ("space l space x", ("Move “a” to “Doing”", "Close “a”")),
    ],
    every=2,
)
async def test_keys_after_an_answer_wait_for_the_disk(
    slow: SlowStore, keys: str, changed: Sequence[str]
) -> None:
    slow.disk = Gate()
    app = application(slow)
    async with app.run_test(size=(100, 30)) as pilot:
        typed(app, *keys.split())
        await slow.disk.reached.wait()
        await pilot.pause()
        assert slow.submitted == []
        slow.disk.opened.set()
        await Driver(app, pilot).press()
    assert [each.describe() for each in slow.submitted] == list(changed)


async def test_it_is_said_that_keys_wait_for_a_change_and_esc_drops_them(slow: SlowStore) -> None:
    slow.disk = Gate()
    app = application(slow)
    app.patience = 0.0
    async with app.run_test(size=(120, 30)) as pilot:
        typed(app, "x", "j", "x")
        await slow.disk.reached.wait()
        await pilot.pause()
        person = Driver(app, pilot)
        assert "still working … 2 keys wait for it" in person.text
        await person.press("escape")
        assert "2 keys typed meanwhile were dropped" in person.said
        await person.press("j", "x")
        assert "Wait: the last change is still being sent" in person.said
        slow.disk.opened.set()
        await person.press("x")
    assert [each.describe() for each in slow.submitted] == ["Close “a”", "Close “b”"]


async def test_what_fails_in_the_background_drops_no_keys(slow: SlowStore) -> None:
    app = application(slow)
    async with app.run_test(size=(120, 30)) as pilot:
        slow.failure = CallboardError("No connection.")
        typed(app, "E", *"LAx")
        await slow.gate.reached.wait()
        await app.screen.run_action("run('board.refresh')")
        await pilot.pause()
        slow.failure = None
        slow.gate.opened.set()
        await Driver(app, pilot).press("ctrl+s")
    (change,) = slow.submitted
    assert is_edit(change, "description")
    assert "LAx" in change.text


@pytest.mark.parametrize(("key", "patience"), [("q", 0.0), ("ctrl+q", 50.0)])
async def test_the_program_can_be_left_while_something_opens(
    slow: SlowStore, key: str, patience: float
) -> None:
    app = application(slow)
    app.patience = patience
    async with app.run_test(size=(100, 30)) as pilot:
        await opening(app, slow.gate)
        await pilot.pause()
        typed(app, key)
        await pilot.pause()
        assert not app.is_running or app.return_code == 0
    assert app.return_code == 0


def with_alt(key: str, character: str | None) -> events.Key:
    return events.Key(f"alt+{key}", character)


async def test_esc_and_a_key_that_come_at_once_are_both_pressed() -> None:
    async with opened(FakeStore(small())) as person:
        typed(person.app, "/")
        person.app.post_message(with_alt("j", "j"))
        await person.press()
        assert person.here == "b"
        person.app.post_message(with_alt("shift+g", "G"))
        await person.press()
        assert person.here == person.titles(1)[-1]


async def test_alt_edits_a_line_as_in_a_shell_and_nothing_else() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("n")
        await person.type("one two three")
        for key, character in (("b", "b"), ("backspace", "\x7f"), ("d", "d"), ("j", None)):
            person.app.post_message(with_alt(key, character))
        await person.press("x", "enter")
        assert "one x" in person.titles(1)


async def test_esc_with_a_key_behind_it_ends_the_waiting_and_the_key_acts(slow: SlowStore) -> None:
    async with three_keys_waiting(slow) as person:
        person.app.post_message(with_alt("shift+l", "L"))
        await person.press()
        slow.gate.opened.set()
        assert isinstance(person.app.screen, BoardScreen)
        assert person.titles(2)[:2] == ["a", "d"]
