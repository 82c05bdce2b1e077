"""Boards and folders, from the keyboard to the service."""

import pytest

from tests.day.world import Day
from tests.drivers.patience import patience
from tests.endpoints.reached import reaches
from tui.client.endpoints import Endpoint
from tui.model.board import Board
from tui.screens.boards.screen import BoardsScreen

pytestmark = pytest.mark.long

_FORM = "n ~Plan tab right tab enter ~Later tab ~Why tab ~EUR ctrl+s"


@reaches(
    Endpoint.LIST_BOARDS, Endpoint.CREATE_BOARD, Endpoint.UPDATE_BOARD, Endpoint.DELETE_BOARD,
    Endpoint.ARCHIVE_BOARD, Endpoint.RESTORE_BOARD, Endpoint.DUPLICATE_BOARD, Endpoint.GET_BOARD,
)  # fmt: skip
async def test_boards_are_made_edited_duplicated_archived_and_deleted(day: Day) -> None:
    await day.press(f"g b R {_FORM}")
    await day.settled()
    await day.until(lambda: "Later" in stages(day, "Plan"), "the stages")
    assert stages(day, "Plan") == {
        "Open": "open", "In Progress": "open", "Completed": "open", "Later": "closed",
    }  # fmt: skip
    assert boards(day)["Plan"] == ("roadmap", "EUR", "<p>Why</p>", False)
    await day.press("e ~s tab ~! ctrl+s")
    await arrived(day)
    assert boards(day)["Plans"] == ("roadmap", "EUR", "<p>Why!</p>", False)
    await day.press("C enter")
    await arrived(day)
    assert boards(day)["Plans (copy)"] == ("roadmap", "EUR", "<p>Why!</p>", False)
    assert stages(day, "Plans (copy)") == stages(day, "Plans")
    await day.press("A")
    await arrived(day)
    assert boards(day)["Plans (copy)"][-1] is True
    await day.press("u")
    await arrived(day)
    assert boards(day)["Plans (copy)"][-1] is False
    assert "Undone: archived the board “Plans (copy)”" in day.said
    await day.press("U t G A")
    await arrived(day)
    assert boards(day)["Plans (copy)"][-1] is False
    await day.press("D ~Plans enter")
    assert "Title does not match" in day.person.text
    await day.press("~_(copy) enter")
    await arrived(day)
    assert sorted(boards(day)) == ["Day", "Other", "Plans"]


@reaches(
    Endpoint.LIST_FOLDERS, Endpoint.CREATE_FOLDER, Endpoint.UPDATE_FOLDER, Endpoint.DELETE_FOLDER,
    Endpoint.ADD_BOARDS_TO_FOLDER, Endpoint.REMOVE_BOARD_FROM_FOLDER,
)  # fmt: skip
async def test_boards_are_put_into_folders(day: Day) -> None:
    await day.press("g b F n ~Clients enter")
    await until_said(day, "Added the folder “Clients”")
    await day.press("F n ~Clients enter")
    await until_said(day, "A folder “Clients” already exists.")
    await day.press("escape v v F p n ~Team enter")
    await until_said(day, "Moved 2 boards to “Team”")
    assert folders(day) == {"Clients": [], "Team": ["Day", "Other"]}
    await day.press("escape k F o")
    await until_said(day, "Removed “Day” from the folder")
    assert folders(day) == {"Clients": [], "Team": ["Other"]}
    await day.press("h G k F r ~s enter")
    await until_said(day, "Renamed the folder to “Teams”")
    assert folders(day) == {"Clients": [], "Teams": ["Other"]}
    await day.press("n ~Fresh enter")
    await arrived(day)
    await day.until(lambda: len(folders(day)["Teams"]) > 1, "the board in its folder")
    assert {row.title for row in rows(day)} == {"Other", "Fresh"}
    await day.press("F D y")
    await until_said(day, "Deleted the folder “Teams”")
    assert folders(day) == {"Clients": []}
    assert len(rows(day)) == 3


def rows(day: Day) -> list[Board]:
    """The boards that are listed."""
    assert isinstance(day.app.screen, BoardsScreen)
    return list(day.app.screen.row_list.rows)


async def arrived(day: Day) -> None:
    """Wait until every change of every board has been answered."""
    await day.person.pilot.pause()
    await day.until(lambda: not day.store.pending(), "an answer to every change")


async def until_said(day: Day, words: str) -> None:
    """Wait for a message, which comes when the service has answered."""
    async with patience(f"“{words}”", day.shows):
        while words not in day.said + day.person.text:
            await day.person.pilot.pause(0.01)


def boards(day: Day) -> dict[str, tuple[object, ...]]:
    """The boards that the service holds: type, currency, description, whether archived."""
    with day.database.transaction(writing=False) as db:
        return {
            row["title"]: (
                row["type"], row["currency"], row["description"], row["archived_at"] is not None,
            )
            for row in db.all("select * from board")
        }  # fmt: skip


def stages(day: Day, title: str) -> dict[str, str]:
    """The active stages of a board with what they make of tasks."""
    with day.database.transaction(writing=False) as db:
        found = db.all(
            """select stage.title, stage.settings from stage join board on board.id = board_id
            where board.title = :title and stage.archived_at is null order by stage.position""",
            title=title,
        )
    return {row["title"]: "closed" if '"closed"' in row["settings"] else "open" for row in found}


def folders(day: Day) -> dict[str, list[str]]:
    """The folders that the service holds, with the titles of their boards."""
    with day.database.transaction(writing=False) as db:
        held = db.all(
            """select folder.title as folder, board.title as board from folder
            left join folder_board on folder_id = folder.id
            left join board on board.id = board_id order by folder.title, board.title"""
        )
    found: dict[str, list[str]] = {}
    for row in held:
        found.setdefault(row["folder"], []).extend([row["board"]] if row["board"] else [])
    return found
