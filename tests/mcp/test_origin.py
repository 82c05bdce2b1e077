"""What an agent changes says so: in the list of pending changes, and in the activity."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.fakes.boards import NOW, small
from tests.fakes.store import FakeStore
from tests.mcp.agent import agent_in
from tui.cli.mcp.session import ORIGIN
from tui.config.paths import HOME_VARIABLE, Places
from tui.model.events.activity import what, what_on_board
from tui.model.work.agent_log import HOUR
from tui.screens.pending.rows import rows_of
from tui.store.events import PendingChange, PendingState
from tui.store.online.activity import page
from tui.store.operations import set_title
from tui.text.dates import local
from tui.workspace import Workspace


async def test_pending_changes_of_an_agent_are_marked_in_every_program(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.store.sync.delivery.Delivery.wake", lambda *_: None)
    monkeypatch.setattr("tui.cli.mcp.session._SECONDS_TO_SEND", 0.0)
    async with agent_in(home) as (agent, store):
        kept = await agent.call("edit", card="6", title="New")
        assert kept["state"] == "kept"
        assert kept["problem"].endswith("Kept; will be sent when online.")
        (change,) = store.pending()
        assert (change.origin, change.operation.task_id) == (ORIGIN, 6)
    workspace = Workspace.open(Places.find({HOME_VARIABLE: str(home)}))
    try:
        view = await workspace.store.load_board(3)
        assert view is not None
        task = view.task(2) or next(view.all_tasks())
        await workspace.store.submit(set_title(task, "By hand"))
        rows = [row.text for row in rows_of(workspace.store)]
    finally:
        await workspace.aclose()
    assert rows == ["Rename “Mine” to “New”, via mcp", "Rename “Card of Platform” to “By hand”"]


async def test_the_activity_says_what_an_agent_did(home: Path) -> None:
    async with agent_in(home) as (agent, store):
        await agent.call("move", card="6", stage="open")
        await agent.call("label", card="6", labels=["fresh"], create=True)
        await store.undo(3)
        activities = (await page(await store.service(), 3, 1)).activities
    told = [what(each) if each.task_id else what_on_board(each) for each in activities]
    assert "(via mcp) moved it from In Progress to Open" in told
    assert "(via mcp) created the label “fresh”" in told
    assert "created the label “bug”" in told


async def test_an_agent_that_said_its_name_is_known_by_it_from_then_on(home: Path) -> None:
    async with agent_in(home) as (agent, store):
        await agent.call("move", card="6", stage="open")
        await agent.call("progress", card="6", text="half of it", **{"as": "Codex 5"})
        await agent.call("edit", card="6", priority="high")
        changes = await store.agent_changes(datetime.now(UTC) - HOUR)
        assert [one.agent for one in changes] == ["codex-5", "codex-5", ORIGIN]
        activities = (await page(await store.service(), 3, 1)).activities
        assert next(one.via for one in activities if one.column == "priority") == "codex-5"


def test_a_change_by_hand_has_no_origin() -> None:
    store = FakeStore(small())
    rename = set_title(small().in_stage(1)[0], "new")
    since = local(NOW.astimezone()).astimezone()
    change = PendingChange(1, 1, rename, PendingState.WAITING, since)
    store.kept = [change, change._replace(id=2, origin=ORIGIN)]
    assert [row.text.count("via mcp") for row in rows_of(store)] == [0, 1]
