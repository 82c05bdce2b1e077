"""The list of boards: opened, searched, changed."""

from datetime import UTC, datetime

from textual.widgets import OptionList

from tests.boards import relaunch, small
from tests.fake_store import FakeStore
from tests.screens.driving import Driver, opened
from tui.errors import CallboardError
from tui.model.board import Board, BoardView
from tui.screens.board.screen import BoardScreen
from tui.screens.boards.screen import BoardsScreen
from tui.store.events import (
    BoardChanged,
    BoardsChanged,
    PendingChange,
    PendingState,
    StatusChanged,
    SyncStatus,
)
from tui.store.operations import set_title


def said(person: Driver) -> str:
    """The status line of the list."""
    assert isinstance(person.app.screen, BoardsScreen)
    return person.app.screen.status.words


def two() -> FakeStore:
    """A store with two boards."""
    second = small()
    return FakeStore(
        relaunch(),
        BoardView(Board(2, "Mobile app", tasks_count=10, completed_count=5), second.stages),
    )


async def test_boards_are_listed_with_what_is_done() -> None:
    async with opened(two(), board_id=None) as person:
        assert "Website relaunch" in person.text
        assert "Mobile app" in person.text
        assert "5/10" in person.text
        assert "━━━━━" in person.text


async def test_enter_opens_the_board() -> None:
    async with opened(two(), board_id=None) as person:
        await person.press("j", "k", "j", "enter")
        assert isinstance(person.app.screen, BoardScreen)
        assert person.board.board_id == 2


async def test_search_follows_typing() -> None:
    async with opened(two(), board_id=None) as person:
        await person.press("slash")
        await person.type("mob")
        assert "Website relaunch" not in person.text
        await person.press("enter", "enter")
        assert isinstance(person.app.screen, BoardScreen)
        assert person.board.board_id == 2


async def test_giving_the_search_up_lists_every_board() -> None:
    async with opened(two(), board_id=None) as person:
        await person.press("slash", "z", "z")
        assert "no board fits" in person.text
        await person.press("escape")
        assert "Website relaunch" in person.text
        assert isinstance(person.app.focused, OptionList)


async def test_a_board_is_made_renamed_archived_restored_and_deleted() -> None:
    store = two()

    def changes() -> list[str]:
        return [operation.describe() for operation in store.submitted]

    async with opened(store, board_id=None) as person:
        await person.press("n")
        await person.type("Ops")
        await person.press("enter")
        assert changes() == ["Add the board “Ops”"]
        assert "Added “Ops”" in said(person)
        await person.press("end", "e", "X", "enter")
        assert changes()[-1] == "Rename the board “Ops” to “OpsX”"
        await person.press("A")
        assert changes()[-1] == "Archive the board “OpsX”"
        assert "OpsX" not in person.text.replace(said(person), "")
        await person.press("t")
        assert "[archived] OpsX" in person.text
        await person.press("end", "enter")
        assert "This board is archived" in said(person)
        await person.press("A", "end", "D", "enter")
        assert changes()[-1] == "Bring the board “OpsX” back from the archive"
        await person.press("y")
        assert changes()[-1] == "Delete the board “OpsX”"


async def test_what_cannot_be_done_is_said_and_changes_nothing() -> None:
    store = two()
    store.failure = CallboardError("The service cannot be reached.", hint="Try again later.")
    async with opened(store, board_id=None) as person:
        await person.press("A")
        assert "The service cannot be reached." in said(person)
        assert "Website relaunch" in person.text
        await person.press("escape", "R")
        await person.app.workers.wait_for_complete()
        assert "cannot be reached" in said(person)


async def test_an_empty_list_says_how_to_begin() -> None:
    async with opened(FakeStore(), board_id=None) as person:
        assert "no boards yet · n makes one" in person.text
        await person.press("enter")
        assert "No boards yet  n makes one" in said(person)
        await person.press("e")
        assert "No board is selected" in said(person)
        await person.press("D", "A")
        assert "No board is selected" in said(person)


async def test_a_list_of_archived_boards_alone_says_how_to_see_them() -> None:
    store = FakeStore()
    store.others = (Board(3, "Old", archived_at=datetime(2026, 1, 1, tzinfo=UTC)),)
    async with opened(store, board_id=None) as person:
        assert "no active boards · t shows 1 archived · n makes one" in person.text
        await person.press("enter")
        assert "No active boards  t shows 1 archived" in said(person)
        await person.press("t")
        assert "[archived] Old" in person.text


async def test_enter_on_a_search_that_finds_nothing_says_so() -> None:
    async with opened(two(), board_id=None) as person:
        await person.press("slash", "z", "z", "enter", "enter")
        assert "No board fits the search  esc clears it" in said(person)
        await person.press("j", "escape")
        assert "Website relaunch" in person.text


async def test_a_title_is_needed_for_a_board() -> None:
    store = two()
    async with opened(store, board_id=None) as person:
        await person.press("n", "enter", "n", "escape")
        assert not any(each.startswith("create") for each in store.asked)


async def test_titles_are_never_markup() -> None:
    async with opened(FakeStore(BoardView(Board(1, "[b]bold[/b] [/] [red]"))), board_id=None) as p:
        assert "[b]bold[/b] [/] [red]" in p.text
        await p.press("D")
        assert "Delete “[b]bold[/b] [/] [red]”?" in p.text


async def test_what_waits_is_said_and_counted_on_its_board() -> None:
    store = FakeStore(small())
    store.now = SyncStatus(pending=2, conflicts=1, problem="The service cannot be reached.")
    moved = set_title(small().in_stage(1)[0], "new")
    since = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
    store.kept = [PendingChange(n, 1, moved, PendingState.WAITING, since) for n in (1, 2)]
    async with opened(store, board_id=None) as person:
        assert "⚠1 needs you ↑2 offline" in person.text.splitlines()[0]
        row = next(line for line in person.text.splitlines() if "Small" in line)
        assert "↑2" in row
        await person.press("A")
        assert "it is sent when the service answers" in person.text


async def test_a_board_that_gets_its_own_id_keeps_the_cursor() -> None:
    store = FakeStore(small(), BoardView(Board(-5, "Made here")))
    async with opened(store, board_id=None) as person:
        await person.press("j")
        store.views[105] = BoardView(Board(105, "Made here"))
        del store.views[-5]
        store.notify(BoardsChanged(renamed={-5: 105}))
        await person.press("enter")
        assert person.board.board_id == 105


async def test_an_opened_board_goes_by_its_new_id() -> None:
    store = FakeStore(BoardView(Board(-5, "Made here")))
    async with opened(store, board_id=-5) as person:
        await person.press("n")
        assert "once the service has made it" in person.said
        store.views[1] = small()
        store.notify(BoardChanged(-5, {-5: 1}))
        store.news(small())
        await person.press("j")
        assert person.here == "b"


async def test_what_happens_while_the_list_is_left_does_no_harm() -> None:
    store = FakeStore(small())
    async with opened(store, board_id=None) as person:
        store.notify(StatusChanged(1))
        await person.app.switch_screen(BoardScreen(person.app._given, 1))
        await person.press("j")
        assert person.here == "b"
