"""The program in front of an administrator, on a small board of the embedded service."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.day.world import BOARD, OTHER_BOARD, Day, Edition, opened_day
from tui.client.client import Client


@pytest.fixture
async def day(tmp_path: Path) -> AsyncIterator[Day]:
    """The program on the board “Day”, which has four cards, three people, a label and a field."""
    async with opened_day(Edition("embedded"), tmp_path, furnish) as opened:
        yield opened


async def furnish(client: Client) -> int:
    """Make two boards; the id of the one that is opened."""
    other = await client.boards.create(OTHER_BOARD, "", "to-do")
    board = await client.boards.create(BOARD, "", "to-do")
    people = {one.display_name: one.id for one in await client.people.list()}
    for one in (other, board):
        await client.people.add_member(one.id, people["Bob Cook"])
        await client.people.add_member(one.id, people["Vic Stone"], viewer_only=True)
    old = (await client.boards.get(board.id)).stages
    for title, status in (("Backlog", "open"), ("Doing", "open"), ("Done", "closed")):
        await client.stages.create(board.id, title, status=status)
    for stage in old:
        await client.stages.archive(board.id, stage.id)
    stages = {stage.title: stage.id for stage in (await client.boards.get(board.id)).stages}
    await client.fields.create(board.id, "Customer", "text")
    label = await client.labels.create(board.id, "urgent", text_color="#ffffff", bg_color="#c0392b")
    for title in ("first", "second", "third", "fourth"):
        task = (await client.tasks.create(board.id, stages["Backlog"], title)).task
        if title == "first":
            await client.labels.attach(board.id, task.id, label.id)
    return board.id
