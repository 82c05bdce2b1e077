"""The program in front of an administrator, on a small board of the embedded service."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.day.telling import pytest_runtest_makereport  # noqa: F401  a hook of pytest
from tests.day.world import BOARD, OTHER_BOARD, Day, Edition, furnish_folder, opened_day
from tui.client.client import Client


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the embedded service holds."""
    folder = tmp_path_factory.mktemp("day")
    asyncio.run(furnish_folder(folder, furnish))
    return folder


@pytest.fixture
async def day(tmp_path: Path, furnished: Path) -> AsyncIterator[Day]:
    """The program on the board “Day”, which has four cards, three people, a label and a field."""
    shutil.copytree(furnished, tmp_path, dirs_exist_ok=True)
    async with opened_day(Edition("embedded"), tmp_path, furnish) as opened:
        yield opened


async def furnish(client: Client) -> int:
    """Make two boards; the id of the one that is opened."""
    other = await client.create_board(OTHER_BOARD, "", "to-do")
    board = await client.create_board(BOARD, "", "to-do")
    people = {one["display_name"]: one["ID"] for one in await client.users()}
    for one in (other, board):
        await client.add_member(one["id"], people["Bob Cook"])
        await client.add_member(one["id"], people["Vic Stone"], viewer_only=True)
    old = (await client.board(board["id"]))["stages"]
    for title, status in (("Backlog", "open"), ("Doing", "open"), ("Done", "closed")):
        await client.create_stage(board["id"], title, status=status)
    for stage in old:
        await client.archive_stage(board["id"], stage["id"])
    stages = {stage["title"]: stage["id"] for stage in (await client.board(board["id"]))["stages"]}
    await client.create_field(board["id"], "Customer", "text")
    label = await client.create_label(board["id"], "urgent", text_color="#ffffff", color="#c0392b")
    for title in ("first", "second", "third", "fourth"):
        task = await client.create_task(board["id"], stages["Backlog"], title)
        if title == "first":
            await client.add_label(board["id"], task["id"], label["id"])
    return int(board["id"])
