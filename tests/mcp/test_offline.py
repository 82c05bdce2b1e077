"""An agent without a connection: everything goes on, and is kept."""

import shutil
from pathlib import Path

import pytest

from tests.mcp.agent import agent_in

pytestmark = pytest.mark.long

_WORK = """[profiles.work]
url = "http://127.0.0.1:9/v2"
login = "me"
"""
"""A profile whose service is not there."""


@pytest.fixture
async def offline(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a profile `work`, whose boards are known."""
    async with agent_in(home) as (agent, _):
        await agent.call("tasks")
    (home / "config").mkdir(exist_ok=True)
    (home / "config" / "config.toml").write_text(_WORK, "utf-8")
    monkeypatch.setenv("CALLBOARD_PASSWORD", "secret")
    async with agent_in(home, profile="work"):
        pass  # makes its folders
    for folder in ("cache", "data"):
        for file in (home / folder / "embedded").glob("*.sqlite3*"):
            shutil.copy(file, home / folder / "work")
    return home


async def test_what_is_known_is_read_and_changes_are_kept(offline: Path) -> None:
    async with agent_in(offline, profile="work") as (agent, store):
        overview = await agent.call("overview", board="platform")
        assert "127.0.0.1" in overview["no_news"]
        (card,) = (await agent.call("tasks", query="mine", boards=["platform"]))["cards"]
        assert card["id"] == 6
        added = await agent.call("add", board="platform", title="One\nTwo\nThree")
        assert added["state"] == "kept"
        assert added["problem"].endswith("Kept; will be sent when online.")
        numbers = [card["id"] for card in added["cards"]]
        assert all(number < 0 for number in numbers)
        assert all(card["not_sent"] for card in added["cards"])
        moved = await agent.call("move", card=numbers[0], stage="progress")
        assert moved["cards"][0]["stage"] == "In Progress"
        assert (await agent.resource(f"callboard://card/{numbers[0]}"))["title"] == "One"
        assert (await agent.call("standup", boards=["platform"]))["no_news"]
        assert [change.origin for change in store.pending()] == ["mcp"] * 4
        assert await store.undo(3) is not None
        assert await store.undo(3) is not None
        assert (await agent.call("tasks", boards=["platform"]))["total"] == 2


async def test_a_card_keeps_the_id_that_it_had_before_it_was_sent(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with agent_in(home) as (agent, _):
        with monkeypatch.context() as patch:
            patch.setattr("tui.cli.mcp.session._SECONDS_TO_SEND", 0.0)
            (card,) = (await agent.call("add", board="platform", title="Kept"))["cards"]
        assert card["id"] < 0
        edited = await agent.call("edit", card=card["id"], title="Sent")
        assert (edited["cards"][0]["id"], edited["cards"][0]["title"]) == (8, "Sent")
        assert (await agent.call("show", card=str(card["id"])))["title"] == "Sent"
