"""The list of boards: opened, searched, changed."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from tests.drivers.quiet import until_work_ends
from tests.fakes.boards import NOW, relaunch, small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.client.capabilities import Feature
from tui.client.errors import NotAllowed
from tui.config.preferences import ALL_BOARDS, Preferences
from tui.errors import CallboardError
from tui.model.board import Board, BoardType, BoardView
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.lane import Tally
from tui.model.task import Status
from tui.screens.board.screen import BoardScreen
from tui.screens.boards.folder_pane import FolderPane
from tui.screens.boards.screen import BoardsScreen
from tui.store.events import (
    BoardChanged,
    BoardsChanged,
    PendingChange,
    PendingState,
    StatusChanged,
    SyncStatus,
    UnseenChanged,
)
from tui.store.operations import ArrangeStages, CreateBoard, DuplicateBoard, set_title
from tui.store.remote import Remote
from tui.widgets.row_list import RowList


def said(person: Driver) -> str:
    """The status line of the list."""
    assert isinstance(person.app.screen, BoardsScreen)
    return person.app.screen.status.words


def flat(person: Driver) -> str:
    """What is on the screen, without frames, in one line."""
    return " ".join(person.text.replace("│", " ").split())


def titles(person: Driver) -> list[str]:
    """The titles of the boards, in order."""
    assert isinstance(person.app.screen, BoardsScreen)
    return [board.title for board in person.app.screen.row_list.rows]


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
        assert "━━━━━─────" in person.text


async def test_enter_opens_the_board() -> None:
    async with opened(two(), board_id=None) as person:
        await person.press("j", "k", "j", "enter")
        assert isinstance(person.app.screen, BoardScreen)
        assert person.board.board_id == 2


@pytest.mark.long
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
        assert "No board matches" in person.text
        await person.press("escape")
        assert "Website relaunch" in person.text
        assert isinstance(person.app.focused, RowList)


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
        assert "OpsX" not in "".join(person.text.splitlines()[:-2])
        await person.press("t")
        assert "[archived] OpsX" in person.text
        await person.press("end", "enter")
        assert "This board is archived" in said(person)
        await person.press("A", "end", "D", "enter")
        await person.type("Ops")
        await person.press("enter")
        assert (
            "Title does not match: nothing will be deleted. Or press A to archive it instead."
            in flat(person)
        )
        assert changes()[-1] == "Restore the board “OpsX”"
        await person.press("X", "enter")
        assert changes()[-1] == "Delete the board “OpsX”"


async def test_what_cannot_be_done_is_said_and_changes_nothing() -> None:
    store = two()
    store.failure = CallboardError("The service cannot be reached.", hint="Try again later.")
    async with opened(store, board_id=None) as person:
        await person.press("A")
        assert "The service cannot be reached." in said(person)
        assert "Website relaunch" in person.text
        await person.press("escape", "R")
        await until_work_ends(person.app)
        assert "cannot be reached" in said(person)


async def test_an_empty_list_says_how_to_begin() -> None:
    async with opened(FakeStore(), board_id=None) as person:
        assert "No boards yet" in person.text
        assert "A board has stages, and cards that move from left to right." in person.text
        assert "n  add a board" in person.text
        await person.press("enter")
        assert "No boards yet  n to add one" in said(person)
        for keys in ("e", "C", "A", "D", "P", "F p", "F o"):
            await person.press("j", *keys.split())
            assert "No boards yet  n to add one" in said(person)


async def test_a_list_of_archived_boards_alone_says_how_to_see_them() -> None:
    store = FakeStore()
    store.others = (Board(3, "Old", archived_at=datetime(2026, 1, 1, tzinfo=UTC)),)
    async with opened(store, board_id=None) as person:
        assert "No active boards" in person.text
        assert "t to show 1 archived · n to add one" in person.text
        await person.press("enter")
        assert "No active boards  t to show 1 archived" in said(person)
        await person.press("t")
        assert "[archived] Old" in person.text


async def test_enter_on_a_search_that_finds_nothing_says_so() -> None:
    async with opened(two(), board_id=None) as person:
        await person.press("slash", "z", "z", "enter", "enter")
        assert "No board matches the search  esc to clear it" in said(person)
        await person.press("j", "escape")
        assert "Website relaunch" in person.text


@pytest.mark.long
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
        assert "⚠ 1 needs attention ↑ 2 pending  offline" in person.text.splitlines()[0]
        row = next(line for line in person.text.splitlines() if "Small" in line)
        assert "↑2" in row
        await person.press("A")
        assert "will sync when online" in person.text


async def test_a_board_says_how_many_of_its_cards_others_changed() -> None:
    store = two()
    store.marks = {1: RemoteChange(1, ChangeKind.NEW)}
    async with opened(store, board_id=None) as person:
        assert "new" in person.text.splitlines()[1].split()
        assert all("●1" in line for line in person.text.splitlines()[2:4])
        store.marks = {}
        store.notify(UnseenChanged(1))
        await person.press()
        assert "●" not in person.text


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
        assert "once the service has created it" in person.said
        store.views[1] = small()
        store.notify(BoardChanged(-5, {-5: 1}))
        store.news(small())
        await person.press("j")
        assert person.here == "b"


async def test_what_happens_while_the_list_is_left_does_no_harm() -> None:
    store = FakeStore(small())
    async with opened(store, board_id=None) as person:
        store.notify(StatusChanged(1))
        await person.app.switch_screen(BoardScreen(person.app.context, 1))
        await person.press("j")
        assert person.here == "b"


def many() -> FakeStore:
    """Four boards, newest first, one of them a roadmap."""
    store = FakeStore()
    store.others = (
        Board(4, "Delta", tasks_count=9, completed_count=8),
        Board(3, "Charlie", BoardType.ROADMAP, tasks_count=4, completed_count=1),
        Board(2, "Bravo", tasks_count=7, completed_count=0),
        Board(1, "Alpha"),
    )
    return store


def in_folders() -> Preferences:
    """What an earlier run kept: two folders, the second of them empty."""
    preferences = Preferences()
    folders = [[7, "Clients", [2, 3]], [8, "Empty", []]]
    preferences.keep(ALL_BOARDS, folders=json.dumps(folders))
    return preferences


async def test_pinned_boards_come_first_then_those_opened_lately() -> None:
    preferences = Preferences()
    store = FakeStore(*(BoardView(board, small().stages) for board in many().others))
    async with opened(store, board_id=None, preferences=preferences) as person:
        assert titles(person) == ["Delta", "Charlie", "Bravo", "Alpha"]
        await person.press("j", "j", "enter", "g", "b")
        assert titles(person) == ["Bravo", "Delta", "Charlie", "Alpha"]
        await person.press("G", "P")
        assert titles(person) == ["Alpha", "Bravo", "Delta", "Charlie"]
        lines = [line.strip() for line in person.text.splitlines()[2:7] if line.strip()]
        assert lines[0].startswith("★ Pinned ─")
        assert lines[1].startswith("▌  Alpha")
        assert lines[2].startswith("Other boards ─")
        assert "Pinned “Alpha”" in said(person)
    async with opened(many(), board_id=None, preferences=preferences) as person:
        assert titles(person) == ["Alpha", "Bravo", "Delta", "Charlie"]
        await person.press("P")
        assert titles(person) == ["Bravo", "Delta", "Charlie", "Alpha"]


@pytest.mark.long
async def test_the_order_and_the_type_are_chosen_and_kept() -> None:
    preferences = Preferences()
    async with opened(many(), board_id=None, preferences=preferences) as person:
        seen = []
        for letter in "tcopr":
            await person.press("o", letter)
            seen.append("".join(title[0] for title in titles(person)))
        assert seen == ["ABCD", "DCBA", "BCDA", "DCBA", "DCBA"]
        await person.press("o", "t", "T", "T")
        assert titles(person) == ["Charlie"]
        assert "Roadmap boards only" in said(person)
    async with opened(many(), board_id=None, preferences=preferences) as person:
        assert "Boards · roadmap · by title   1" in person.text
        await person.press("n")
        await person.type("Echo")
        await person.press("enter")
        assert titles(person) == ["Alpha", "Bravo", "Charlie", "Delta", "Echo"]


async def test_folders_are_there_at_once_and_choose_the_boards() -> None:
    async with opened(many(), board_id=None, preferences=in_folders(), size=(100, 24)) as person:
        rows = [line[:25].split() for line in person.text.splitlines()[1:6]]
        assert rows == [
            ["Folders"],
            ["▸", "All", "boards", "4"], ["Clients", "2"], ["Empty", "0"], ["No", "folder", "2"],
        ]  # fmt: skip
        assert titles(person) == ["Charlie", "Bravo", "Delta", "Alpha"]
        await person.press("h", "j")
        assert titles(person) == ["Charlie", "Bravo"]
        assert "Boards · Clients" in person.text
        await person.press("j")
        assert "No boards in this folder" in person.text
        assert "F f to choose another folder" in person.text
        await person.press("j", "l", "j")
        assert titles(person) == ["Delta", "Alpha"]
        await person.press("g", "b", "tab", "tab", "G")
        assert titles(person) == ["Delta", "Alpha"]
        assert person.app.screen.focused is person.app.screen.query_one(RowList)


async def test_the_folder_has_the_sign_of_the_cursor_while_keys_go_there() -> None:
    async with opened(many(), board_id=None, preferences=in_folders(), size=(100, 24)) as person:
        await person.press("h")
        assert "▌ All boards" in person.text
        await person.press("escape")
        assert "▸ All boards" in person.text


async def test_a_narrow_terminal_asks_for_the_folder() -> None:
    async with opened(many(), board_id=None, preferences=in_folders(), size=(40, 15)) as person:
        await person.press("h")
        assert "Folders need 100 columns" in said(person)
        await person.press("F", "f", "1")
        assert titles(person) == ["Charlie", "Bravo"]
        await person.press("F", "f", "n")
        assert titles(person) == ["Delta", "Alpha"]
        await person.press("F", "f", "0")
        assert len(titles(person)) == 4


async def test_an_edition_without_folders_says_so_and_shows_none() -> None:
    store = many()
    store.missing = {Feature.FOLDERS}
    async with opened(store, board_id=None, preferences=in_folders()) as person:
        assert "Clients" not in person.text
        for keys in ("h", "F n", "F p", "F D", "F f"):
            await person.press(*keys.split())
            assert "This service’s edition does not offer folders." in said(person)
            await person.press("j")


async def test_a_folder_that_is_refused_keeps_what_was_typed() -> None:
    store = many()
    async with opened(store, board_id=None, preferences=in_folders()) as person:
        await person.press("F", "n")
        await person.paste("x" * 50)
        await person.type("x")
        await person.press("enter")
        assert "Too long: 51 of 50 characters. Shorten the folder’s title." in flat(person)
        await person.press("backspace", "enter")
        assert "There is no service behind this store." in flat(person)
        assert "x" * 50 in flat(person)


class Forbidding:
    """A service that lets only others change folders."""

    async def folders(self) -> list[dict[str, object]]:
        return [{"id": 7, "title": "Clients\x1b[31m", "boards_ids": [2]}]

    async def create_folder(self, title: str) -> None:
        raise NotAllowed(f"Only an administrator may add “{title}”.", status=403)

    async def delete_folder(self, folder_id: int) -> None:
        raise NotAllowed(f"Only an administrator may delete folder {folder_id}.", status=403)


async def test_who_may_not_change_folders_is_told_so_and_keeps_what_was_typed() -> None:
    store = many()
    store.remote = cast("Remote", Forbidding())
    async with opened(store, board_id=None) as person:
        assert [row.title for row in person.app.screen.query_one(FolderPane).rows[1:-1]] == [
            "Clients"
        ]
        await person.press("F", "n", "X", "enter")
        assert "X Only an administrator may add “X”." in flat(person)
        await person.press("escape", "h", "G", "k", "F", "D", "y")
        assert "Only an administrator may delete folder 7." in said(person)


async def test_marked_boards_are_archived_together_and_nothing_else_is() -> None:
    store = many()
    async with opened(store, board_id=None) as person:
        await person.press("v", "v", "e")
        assert "This works on one board at a time" in said(person)
        await person.press("D")
        assert "This works on one board at a time" in said(person)
        await person.press("A")
        assert [operation.describe() for operation in store.submitted] == [
            "Archive the board “Delta”", "Archive the board “Charlie”",
        ]  # fmt: skip


@pytest.mark.long
async def test_a_board_is_made_with_its_stages() -> None:
    store = many()
    async with opened(store, board_id=None) as person:
        await person.press("n")
        await person.type("Plan")
        await person.press("tab", "right", "tab", "enter")
        await person.type("Archived")
        await person.press("ctrl+s")
        made, arranged = store.steps[-1]
        assert isinstance(made, CreateBoard)
        assert made.type is BoardType.ROADMAP
        assert made.stages == ("Open", "In Progress", "Completed", "Archived")
        assert isinstance(arranged, ArrangeStages)
        assert (arranged.board_id, arranged.titles) == (made.board_id, made.stages)
        await person.press("n", "D", "o", "enter")
        (made,) = store.steps[-1]
        assert isinstance(made, CreateBoard)
        assert (made.type, made.stages) == (BoardType.TO_DO, ())


async def test_a_copy_has_what_was_chosen() -> None:
    store = many()
    async with opened(store, board_id=None) as person:
        await person.press("C", "tab", "space", "enter")
        (copy,) = store.submitted
        assert isinstance(copy, DuplicateBoard)
        assert (copy.source, copy.title) == (4, "Delta (copy)")
        assert (copy.with_tasks, copy.with_labels, copy.with_templates) == (False, True, True)
        assert titles(person)[person.app.screen.query_one(RowList).cursor] == "Delta (copy)"


async def test_a_board_with_changes_that_are_not_sent_is_not_duplicated() -> None:
    store = many()
    store.now = SyncStatus(pending=1)
    async with opened(store, board_id=None) as person:
        await person.press("C")
        assert (
            "Some changes are not sent yet: the duplicate would lack them  g u to list them"
            in said(person)
        )
        assert store.submitted == []


async def test_a_description_that_cannot_be_read_is_named_and_left_as_it_is() -> None:
    store = many()
    async with opened(store, board_id=None) as person:
        await person.press("e")
        assert "Description" in person.text
        assert "not loaded: There is no service" in person.text
        await person.press("X", "enter")
        (operation,) = store.submitted
        assert operation.describe() == "Rename the board “Delta” to “DeltaX”"


def counted_boards() -> FakeStore:
    """A board in memory, one whose cards are cached, and one of which nothing else is known."""
    late = replace(small().in_stage(1)[0], due_at=NOW - timedelta(days=1))
    store = FakeStore(small().with_task(late))
    store.others = (
        Board(2, "Counted", tasks_count=9, completed_count=2),
        Board(3, "Never opened", tasks_count=4, completed_count=1),
    )
    store.tallies = {2: Tally(6, 2, [NOW - timedelta(hours=1), NOW + timedelta(hours=1)])}
    return store


def cells_of(person: Driver, title: str) -> list[str]:
    """What stands behind the title of a board."""
    (line,) = (line for line in person.text.splitlines()[1:-2] if title in line)
    return line.partition(title)[2].replace("━", "").replace("─", "").split()


async def test_boards_have_their_open_late_and_stuck_cards_as_far_as_these_are_known() -> None:
    store = counted_boards()
    opened_cards = len([*small().all_tasks()])
    async with opened(store, board_id=None) as person:
        heads = person.text.splitlines()[1].split()
        assert heads == ["board", "done", "open", "overdue", "blocked", "new", "seen"]
        assert cells_of(person, "Small") == [str(opened_cards), "1", "overdue"]
        assert cells_of(person, "Counted") == ["6", "1", "overdue", "⊘", "2"]
        assert cells_of(person, "Never opened") == ["3", "·", "·"]
        total = opened_cards + 6 + 3
        assert (
            f" Boards   3 boards  {total} open  2 overdue  2 blocked" in person.text.splitlines()[0]
        )
        card = store.views[1].in_stage(1)[0]
        store.news(store.views[1].with_task(replace(card, status=Status.CLOSED)))
        await person.press()
        assert cells_of(person, "Small") == [str(opened_cards - 1)]


async def test_cards_that_others_changed_are_counted_at_the_right_of_the_bar() -> None:
    store = counted_boards()
    store.marks = {1: RemoteChange(1, ChangeKind.NEW)}
    for size, words in (((100, 30), "● 3 new  ✓"), ((80, 24), "●3  ✓")):
        async with opened(store, board_id=None, size=size) as person:
            assert words in person.text.splitlines()[0]


async def test_all_boards_are_in_groups_by_folder_and_those_of_a_folder_are_not() -> None:
    preferences = in_folders()
    preferences.keep(ALL_BOARDS, pinned=frozenset({3}))
    store = many()
    store.others += (Board(9, "Old", archived_at=datetime(2026, 1, 1, tzinfo=UTC)),)

    def headings(person: Driver) -> list[str]:
        lines = (line[25:] for line in person.text.splitlines()[2:-2])  # without the folders
        return [line.partition(" ──")[0].strip() for line in lines if " ───────────" in line]

    async with opened(store, board_id=None, preferences=preferences, size=(100, 36)) as person:
        assert titles(person) == ["Charlie", "Bravo", "Delta", "Alpha"]
        assert headings(person) == ["★ Pinned", "Clients", "No folder"]
        assert " 1 archived board · t to show them" in person.text.splitlines()[-2]
        await person.press("t")
        assert headings(person)[-1] == "Archived"
        await person.press("j")
        assert "archived board ·" not in person.text
        await person.press("slash", "a")
        assert headings(person) == []
        await person.press("escape", "h", "j")
        assert headings(person) == []
        assert "★ Charlie" in person.text


@pytest.mark.long
async def test_a_board_says_when_it_was_left_last() -> None:
    preferences = Preferences()
    preferences.keep(ALL_BOARDS, seen={2: int((NOW - timedelta(days=40)).timestamp())})
    async with opened(many(), board_id=None, preferences=preferences) as person:
        assert cells_of(person, "Bravo")[-2:] == ["11", "oct"]
        assert cells_of(person, "Delta") == ["1", "·", "·"]
    store = two()
    async with opened(store, board_id=1, preferences=preferences) as person:
        await person.press("g", "b", "j")
        assert cells_of(person, "Website relaunch")[-1] == "now"


@pytest.mark.parametrize(
    ("width", "heads"),
    [
        (40, "board open overdue"),
        (60, "board open overdue blocked new"),
        (80, "board done open overdue blocked new"),
        (90, "board done open overdue blocked new seen"),
    ],
)
async def test_a_narrow_list_keeps_the_titles(width: int, heads: str) -> None:
    async with opened(counted_boards(), board_id=None, size=(width, 20)) as person:
        assert person.text.splitlines()[1].split() == heads.split()
        assert "Never opened " in person.text


async def test_the_hints_of_boards_begin_with_what_is_done_most() -> None:
    async with opened(many(), board_id=None, preferences=in_folders(), size=(120, 30)) as person:
        hints = person.text.splitlines()[-1]
        order = "↵ open  n new  P pin  F folder…  / search  o sort  A archive  u undo"
        assert hints.startswith(f" {order} ")
        assert isinstance(person.app.screen, BoardsScreen)
        await person.app.screen.keys.click("F")
        await person.press()
        assert "n new folder" in person.text


async def test_without_boards_the_first_steps_are_named_and_nothing_else() -> None:
    async with opened(FakeStore(), board_id=None) as person:
        assert " Boards   no boards yet " in person.text.splitlines()[0]
        lines = [line.strip() for line in person.text.splitlines()]
        at = lines.index("n  add a board")
        assert lines[at + 1] == "g p  log in to a service"
        assert lines[at + 2] == ":tour  show the tutorial"
        hints = person.text.splitlines()[-1].partition("│")[0]
        assert hints.split() == ["n", "new", "board", "g", "p", "log", "in"]
    store = FakeStore()
    store.is_read_only = True
    async with opened(store, board_id=None) as person:
        assert "add a board" not in person.text
        assert "g p  log in" in person.text


class Uncounted(FakeStore):
    """A store that counts how often it is asked for tallies, and has no cards to look at."""

    def __init__(self) -> None:
        super().__init__()
        self.others = many().others
        self.tallied: list[int] = []

    def board(self, board_id: int) -> BoardView | None:
        raise AssertionError(board_id)

    async def load_board(self, board_id: int) -> BoardView | None:
        raise AssertionError(board_id)

    async def tally(self, board_id: int) -> Tally | None:
        self.tallied.append(board_id)
        return None


async def test_cards_are_counted_once_and_no_board_is_loaded_for_it() -> None:
    store = Uncounted()
    async with opened(store, board_id=None) as person:
        await person.press("j", "j", "k", "P")
        store.notify(StatusChanged(None))
        await person.press("j")
        assert store.tallied == [4, 3, 2, 1]
        assert cells_of(person, "Delta") == ["1", "·", "·"]
        await person.press("R")
        await until_work_ends(person.app)
        assert sorted(store.tallied[4:]) == [1, 2, 3, 4]
