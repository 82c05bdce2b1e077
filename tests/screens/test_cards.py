"""Lists of cards of several boards: every action works in place, on the board of its card."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.day.world import BOARD, OTHER_BOARD, VIEWER, Day, Edition, opened_day
from tests.quirky.quirks import Quirks
from tui.client.client import Client
from tui.context import Context
from tui.model.task import Task, blocked_labels
from tui.screens.lists.cards import CardListScreen
from tui.screens.task.screen import TaskScreen
from tui.widgets.painted import Line

EMBEDDED = Edition("embedded")


class EveryCardScreen(CardListScreen[Task | str]):
    """The cards of all boards; one row is not a card."""

    heading, row_name, opens = "Every card", "card", "card.open"
    nothing = ("no cards", "")

    def __init__(self, context: Context, board_ids: Sequence[int]) -> None:
        super().__init__(context)
        self._board_ids = board_ids

    def card(self, row: Task | str) -> Task | None:
        return row if isinstance(row, Task) else None

    def rows(self) -> Sequence[Task | str]:
        views = [self.store.board(one) for one in self._board_ids]
        return [*(task for view in views if view for task in view.all_tasks()), "a note"]

    def key(self, row: Task | str) -> int | str:
        return row.id if isinstance(row, Task) else row

    def words(self, row: Task | str) -> str:
        return row.title if isinstance(row, Task) else row

    def line(self, row: Task | str, width: int) -> Line:
        del width
        labels = [one.title for one in row.labels] if isinstance(row, Task) else []
        return ((" ".join((self.words(row), *labels)), "text"),)


async def furnish(client: Client) -> int:
    """Two boards of Ann and Bob with two cards each; Vic only views the second."""
    people = {one["display_name"]: one["ID"] for one in await client.users()}
    made = {}
    for title in (OTHER_BOARD, BOARD):
        board = await client.create_board(title, "", "to-do")
        await client.add_member(board["id"], people["Bob Cook"])
        is_viewer = title == OTHER_BOARD
        await client.add_member(board["id"], people["Vic Stone"], viewer_only=is_viewer)
        stages = (await client.board(board["id"]))["stages"]
        for word in ("one", "two"):
            await client.create_task(board["id"], stages[0]["id"], f"{title} {word}")
        made[title] = board["id"]
    return int(made[BOARD])


@asynccontextmanager
async def every_card(folder: Path, edition: Edition = EMBEDDED) -> AsyncIterator[Day]:
    """The list of all cards in front, in the order of the boards: Day, then Other."""
    async with opened_day(edition, folder, furnish) as day:
        other = next(board.id for board in day.store.boards() if board.title == OTHER_BOARD)
        boards = (day.board_id, other)
        await day.app.push_screen(EveryCardScreen(day.person.board.context, boards))
        await day.person.press()
        yield day


def here(day: Day) -> str:
    """The text of the row at the cursor."""
    screen = day.app.screen
    assert isinstance(screen, EveryCardScreen)
    row = screen.row_list.row
    return "" if row is None else screen.words(row)


@pytest.mark.long
async def test_actions_work_on_cards_of_different_boards(tmp_path: Path) -> None:
    async with every_card(tmp_path) as day:
        await day.press("x j j x")
        await day.settled()
        cards = day.held().cards
        assert [cards[f"{one}"].status for one in ("Day one", "Other one")] == ["closed", "closed"]
        await day.press("k k u")
        assert here(day) == "Other one"
        await day.settled()
        cards = day.held().cards
        assert [cards[one].status for one in ("Day one", "Other one")] == ["closed", "open"]

        await day.press("L k L")
        await day.settled()
        assert day.held().stage("Other/In Progress") == ["Other one", "Other two"]
        assert "Moved “Other two” to “In Progress”" in day.said
        await day.press("H H")
        assert "This card is already in the first stage" in day.said

        await day.press("e ctrl+u ~Other_three enter p h")
        await day.settled()
        assert day.held().cards["Other three"].priority == "high"
        assert here(day) == "Other three"

        await day.press("g g v G k v")
        await day.press("E")
        assert "The marked cards are on several boards" in day.said
        await day.press("escape g g v G k x")
        await day.settled()
        assert day.held().cards["Day one"].status == "open"
        await day.press("G v x")
        assert "This row is not a card" in day.said
        await day.press("escape k enter")
        assert isinstance(day.app.screen, TaskScreen)


async def test_a_change_of_marked_cards_of_several_boards_is_one_step(tmp_path: Path) -> None:
    async with every_card(tmp_path) as day:
        await day.press("v v v x")
        assert "Closed 3 cards on 2 boards" in day.said
        await day.press("u")
        assert "Undone: closed “Other one” and 2 more changes on 2 boards  U redo" in day.said
        await day.settled()
        assert {card.status for card in day.held().cards.values()} == {"open"}
        await day.press("U")
        assert "and 2 more changes on 2 boards" in day.said
        await day.settled()
        assert [card.status for card in day.held().cards.values()].count("closed") == 3


async def test_b_blocks_with_a_reason_as_one_step_and_unblocks(tmp_path: Path) -> None:
    async with every_card(tmp_path) as day:
        await day.press("b ~waiting__for_@bob enter")
        assert "Blocked “Day one”: waiting for @bob  u undo" in day.said
        assert "Day one Blocked" in day.person.text
        await day.settled()
        card = day.held().cards["Day one"]
        [(text, _)] = card.comments
        assert card.labels == ("Blocked",)
        assert "Blocked: waiting for <" in text
        assert ">Bob Cook<" in text
        await day.press("u")
        await day.settled()
        card = day.held().cards["Day one"]
        assert (card.labels, card.comments) == ((), ())
        assert not blocked_labels(day.board.labels)

        await day.press("U b")
        assert "Unblocked “Day one”" in day.said
        await day.press("v v b enter")
        assert "Blocked 2 cards" in day.said
        await day.settled()
        cards = day.held().cards
        assert cards["Day one"].labels == cards["Day two"].labels == ("Blocked",)
        assert len(cards["Day one"].comments) == 1
        assert len(blocked_labels(day.board.labels)) == 1
        await day.press("j b ~elsewhere escape")
        await day.settled()
        assert day.held().cards["Other one"].labels == ()


@pytest.mark.long
async def test_a_viewer_of_one_board_changes_cards_of_the_other(tmp_path: Path) -> None:
    edition = Edition("viewer", Quirks.none(), login=VIEWER)
    async with every_card(tmp_path, edition) as day:
        await day.press("x G k x")
        assert "You are a viewer of this board" in day.said
        await day.press("b")
        assert "You are a viewer of this board" in day.said
        await day.settled()
        closed = {one.title for one in day.held().cards.values() if one.status == "closed"}
        assert closed == {"Day one"}
        assert here(day) == "Other two", "a board that is only viewed"
        await day.press("u")
        assert "Undone: closed “Day one”" in day.said
        await day.settled()
        assert day.held().cards["Day one"].status == "open"


def active_boards(day: Day) -> list[str]:
    """The titles of the boards that are not archived, sorted."""
    return sorted(board.title for board in day.store.boards() if board.archived_at is None)


@pytest.mark.long
async def test_lists_of_several_boards_undo_what_was_done_last_on_any_of_them(
    tmp_path: Path,
) -> None:
    async with every_card(tmp_path) as day:
        await day.press("x j j x")
        await day.settled()
        await day.press("u u")
        assert "Undone: closed “Day one” · in “Open”  U redo" in day.said
        assert here(day) == "Day one"
        await day.settled()
        assert {card.status for card in day.held().cards.values()} == {"open"}
        await day.press("U U")
        assert "Redone: closed “Other one” · in “Open”" in day.said
        assert here(day) == "Other one"
        await day.press("U")
        assert "Nothing to redo" in day.said

        await day.press("escape g b n ~First enter n ~Second enter")
        await day.settled()
        assert active_boards(day) == [BOARD, "First", OTHER_BOARD, "Second"]
        await day.press("u")
        said = "Undone: added the board “Second”. The board is archived, not deleted.  U redo"
        assert said in day.said
        await day.press("u")
        assert "Undone: added the board “First”" in day.said
        await day.press("u")
        assert "Undone: closed “Other one” · in “Open” on “Other”" in day.said
        await day.settled()
        assert active_boards(day) == [BOARD, OTHER_BOARD]
        assert day.held().cards["Other one"].status == "open"
        await day.press("U U U")
        await day.settled()
        assert active_boards(day) == [BOARD, "First", OTHER_BOARD, "Second"]
        assert len(day.store.boards()) == 4, "the same boards are restored"

        await day.press("g u u")
        assert "Undone: restored the board “Second”" in day.said
        await day.settled()
        assert active_boards(day) == [BOARD, "First", OTHER_BOARD]
