"""What every list does: search, marks, a lifted row, loading, and what it says without rows."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tests.screens.service_lists import store_with_lists
from tui.actions.action import action
from tui.context import Context
from tui.dialogs.questions import ConfirmDialog
from tui.errors import CallboardError
from tui.screens.base import CallboardScreen
from tui.screens.lists.table import TableScreen
from tui.widgets.painted import Line


class Fruits:
    """Names; `coming` are those that loading brings."""

    def __init__(self, *names: str) -> None:
        self.names = list(names)
        self.coming: list[str] | CallboardError = self.names
        self.can_move = True
        self.opens = ""


class FruitScreen(TableScreen[str]):
    """A list of fruits; the action `probe` notes the chosen rows."""

    heading, row_name = "Fruits", "fruit"
    nothing = ("no fruit yet", "{fruit.new:n} makes one")

    def __init__(self, context: Context, fruits: Fruits, *chosen: list[str]) -> None:
        self.fruits, self.chosen = fruits, chosen
        self.opens = fruits.opens  # type: ignore[misc]
        self.has_order = fruits.can_move
        super().__init__(context, 1)

    async def load_rows(self) -> None:
        if isinstance(self.fruits.coming, CallboardError):
            raise self.fruits.coming
        self.fruits.names = self.fruits.coming

    def rows(self) -> Sequence[str]:
        return tuple(self.fruits.names)

    def key(self, row: str) -> str:
        return row

    def words(self, row: str) -> str:
        return row

    def line(self, row: str, width: int) -> Line:
        del width
        return ((row, "text"),)

    async def move_row(self, row: str, index: int) -> None:
        self.fruits.names.remove(row)
        self.fruits.names.insert(index, row)
        self.fruits.coming = self.fruits.names
        self.load()

    @action("fruit.new", "n", "New fruit", hint="new")
    def grow(self) -> None:
        self.fruits.names.append("fig")
        self.load()

    @action("fruit.probe", "", "Probe")
    def probe(self) -> None:
        self.chosen[0].extend(self.row_list.chosen)


@asynccontextmanager
async def listed(fruits: Fruits, *chosen: list[str]) -> AsyncIterator[tuple[Driver, FruitScreen]]:
    """The list, in front of a board."""
    async with opened(FakeStore(small()), size=(60, 12)) as person:
        context: Context = person.board.context
        screen = FruitScreen(context, fruits, *chosen)
        await person.app.push_screen(screen)
        await person.press()
        yield person, screen


def shown(screen: FruitScreen) -> list[str]:
    """The rows, in order."""
    return list(screen.row_list.rows)


async def test_a_search_narrows_the_rows_and_esc_ends_it() -> None:
    async with listed(Fruits("apple", "pear", "plum")) as (person, screen):
        await person.press("/")
        await person.type("pl")
        assert shown(screen) == ["plum", "apple"]
        await person.press("enter")
        assert "2 of 3" in person.text
        assert "⌕ pl" in person.text
        await person.press("escape")
        assert shown(screen) == ["apple", "pear", "plum"]


async def test_a_search_that_finds_nothing_says_so() -> None:
    async with listed(Fruits("apple")) as (person, _):
        await person.press("/")
        await person.type("zz")
        assert "No fruit matches the search" in person.text


async def test_actions_work_on_the_marked_rows_else_on_the_one_at_the_cursor() -> None:
    chosen: list[str] = []
    async with listed(Fruits("apple", "pear", "plum"), chosen) as (person, screen):
        await person.press("j")
        screen.actions.run("fruit.probe")
        assert chosen == ["pear"]
        await person.press("g", "g", "v", "j", "v")
        assert "2 marked" in person.text
        screen.actions.run("fruit.probe")
        assert chosen == ["pear", "apple", "plum"]
        assert screen.need_row() is None
        await person.press()
        assert "This works on one fruit at a time" in person.text
        await person.press("escape")
        assert "marked" not in person.text
        assert person.app.screen is screen


async def test_enter_has_the_words_of_the_action_that_it_runs() -> None:
    fruits = Fruits("apple")
    async with listed(fruits) as (person, _):
        assert "↵" not in person.text
        await person.press("enter")
        assert "Nothing to open in a fruit" in person.text
    fruits.opens = "fruit.probe"
    async with listed(fruits) as (person, _):
        assert " ↵ probe " in person.text
        await person.press("?")
        await person.type("probe")
        assert ["↵", "probe"] in [line.strip("│ ▌").split() for line in person.text.splitlines()]


async def test_a_row_is_lifted_moved_and_dropped() -> None:
    fruits = Fruits("apple", "pear", "plum")
    async with listed(fruits) as (person, screen):
        await person.press("space", "j", "j")
        assert "◆ Moving “apple”  3/3" in person.text
        await person.press("enter")
        assert fruits.names == shown(screen) == ["pear", "plum", "apple"]
        assert screen.row_list.row == "apple"


async def test_a_lifted_row_goes_back_on_esc() -> None:
    fruits = Fruits("apple", "pear", "plum")
    async with listed(fruits) as (person, screen):
        await person.press("j", "space", "k", "escape")
        assert fruits.names == shown(screen) == ["apple", "pear", "plum"]
        assert person.app.screen is screen


async def test_a_list_without_an_order_says_that_it_has_none() -> None:
    fruits = Fruits("apple", "pear")
    fruits.can_move = False
    async with listed(fruits) as (person, screen):
        await person.press("space")
        assert "This list cannot be reordered" in person.text
        assert screen.row_list.lifted is None


async def test_nothing_is_lifted_among_rows_that_a_search_found() -> None:
    async with listed(Fruits("apple", "pear", "plum")) as (person, screen):
        await person.press("/")
        await person.type("pl")
        await person.press("enter", "space")
        assert "Rows cannot be moved during a search" in person.text
        assert screen.row_list.lifted is None


class Send:
    """Asks, and takes its time to send the answer."""

    def __init__(self, screen: CallboardScreen) -> None:
        self._screen = screen
        self.accepts = asyncio.Event()
        self.sent: list[str] = []

    @action("send", "", "Send", asks=True)
    async def send(self) -> None:
        if await self._screen.ask(ConfirmDialog("Send?", "")):
            await self.accepts.wait()
            self.sent.append("sent")


async def test_an_answer_that_is_being_sent_is_not_cancelled_by_another_dialog_or_esc() -> None:
    async with listed(Fruits("apple")) as (person, screen):
        send = Send(screen)
        screen.actions.offer(send)
        screen.actions.run("send")
        await person.press("escape")
        screen.actions.run("send")
        person.app.patience = 0.0
        person.send("y")
        await person.pilot.pause()
        person.send("escape")  # or a key would wait
        screen.actions.run("send")
        await person.press()
        assert person.app.screen is screen
        assert "Wait: the last change is still being sent" in person.text
        await person.press("escape")
        assert person.app.screen is screen
        assert "Wait: the last change is still being sent" in person.text
        send.accepts.set()
        await person.press("j")
        assert send.sent == ["sent"]
        await person.press("escape")
        assert person.app.screen is not screen


async def test_the_cursor_stays_on_its_row_when_others_come() -> None:
    fruits = Fruits("pear", "plum")
    async with listed(fruits) as (person, screen):
        await person.press("j")
        fruits.coming = ["apple", "fig", "pear", "plum"]
        await person.press("R")
        assert screen.row_list.row == "plum"
        fruits.coming = ["apple"]
        await person.press("R")
        assert screen.row_list.row == "apple"


async def test_a_list_that_cannot_be_loaded_says_why_and_tries_again() -> None:
    fruits = Fruits()
    fruits.coming = CallboardError("The service cannot be reached.")
    async with listed(fruits) as (person, screen):
        assert person.text.count("The service cannot be reached.") == 2
        assert "R try now" in person.text
        fruits.coming = ["apple"]
        await person.press("R")
        assert shown(screen) == ["apple"]
        assert "cannot be reached" not in person.text


@pytest.mark.parametrize("coming", [[], ["apple"]])
async def test_refreshing_says_that_it_is_done(coming: list[str]) -> None:
    fruits = Fruits()
    async with listed(fruits) as (person, screen):
        fruits.coming = coming
        await person.press("R")
        assert shown(screen) == coming
        assert "Up to date" in person.text.splitlines()[-2]
        fruits.coming = CallboardError("The service cannot be reached.")
        await person.press("R")
        assert "Up to date" not in person.text
        assert "The service cannot be reached." in person.text.splitlines()[-2]


async def test_keys_without_rows_say_what_to_press() -> None:
    async with listed(Fruits()) as (person, _):
        for key in ("enter", "v", "space"):
            await person.press(key)
            assert "No fruit yet" in person.text.splitlines()[-2], key


@pytest.mark.long
async def test_without_rows_only_keys_that_need_none_are_named() -> None:
    fruits = Fruits()
    fruits.opens = "fruit.probe"
    async with listed(fruits) as (person, screen):
        assert screen.status.footer.words.split()[:6] == ["n", "new", "R", "refresh", "esc", "back"]
        assert "probe" not in person.text
        await person.press("n")
        assert shown(screen) == ["fig"]
        assert "↵ probe" in person.text
        await person.press("/")
        await person.type("zz")
        await person.press("enter")
        assert "probe" not in person.text


@pytest.mark.parametrize(("keys", "widths"), [((), range(60, 66)), (("g", "b"), range(45, 50))])
async def test_a_count_without_room_is_left_out_of_the_header_and_never_cut(
    keys: tuple[str, ...], widths: range
) -> None:
    store, _ = store_with_lists()
    headers = set[str]()
    async with opened(store) as person:
        await person.press(*keys)
        for width in widths:
            await person.pilot.resize_terminal(width, 24)
            header = person.text.splitlines()[0]
            assert "…" not in header
            headers.add(header.partition("✓")[0].rstrip())
    assert len(headers) > 1, "at one of these widths a count is left out"
