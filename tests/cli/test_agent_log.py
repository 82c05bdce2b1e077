"""`callboard agents`: what agents did, and undoing all that one of them did."""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.cli.conftest import Said, cached_for_work
from tui.client.writes import made_by
from tui.config.paths import HOME_VARIABLE, Places
from tui.workspace import Workspace


def listed(said: Said, *words: str) -> list[dict[str, Any]]:
    code, text, _ = said("agents", *words, "--json")
    assert code == 0
    changes: list[dict[str, Any]] = json.loads(text)
    return changes


def state(said: Said) -> tuple[str, str, str, list[str], int]:
    """What the agents of the test change of a card."""
    card = json.loads(said("show", "6", "--json")[1])
    labels = [label["title"] for label in card["labels"]]
    return card["stage"]["title"], card["priority"], card["status"], labels, len(card["comments"])


def work(said: Said) -> None:
    for words in (
        ("claim", "6"),
        ("progress", "6", "half of it"),
        ("edit", "6", "--priority", "high"),
        ("done", "6"),
    ):
        code, _, beside = said(*words, "--as", "Codex 5")
        assert (code, beside) == (0, "")


def test_what_an_agent_did_is_listed_and_undone(said: Said) -> None:
    before = state(said)
    work(said)
    said("edit", "6", "--title", "Ours")
    said("comment", "6", "Looked at it.", "--as", "aider")
    changes = listed(said, "codex 5")
    assert {one["agent"] for one in changes} == {"codex-5"}
    assert changes[0]["what"] == "closed"
    assert "set the priority to high" in [one["what"] for one in changes]
    assert {(one["card"], one["title"], one["board"]) for one in changes if one["card"]} == {
        (6, "Ours", "Platform")
    }
    assert listed(said)[0]["agent"] == "aider"
    words = " ".join(said("agents")[1].split())
    assert words.startswith("aider #6 Ours commented: “Looked at it.” just now Platform")

    assert said("agents", "--undo")[0] == 2
    assert said("agents", "codex 5", "--undo", "--dry-run")[0] == 0
    assert state(said) != before
    code, text, beside = said("agents", "codex 5", "--undo")
    assert (code, text.startswith("undone: "), text.endswith(" changes of codex-5\n")) == (
        0, True, True,
    )  # fmt: skip
    assert "Add the label “◇ Codex 5”: what belongs to the board stays." in beside
    assert state(said)[:4] == before[:4]
    # The comment of the other one is left, and that the card was claimed once.
    assert state(said)[4] == before[4] + 2
    again = json.loads(said("agents", "codex 5", "--undo", "--json")[1])
    assert (again["undone"], again["state"]) == (0, "unchanged")
    assert all(one["undone"] for one in listed(said, "codex 5") if one["card"])


def test_an_agent_elsewhere_is_listed_with_what_cannot_be_undone(said: Said, home: Path) -> None:
    said("tasks")

    async def rename() -> None:
        # As another machine would, whose history is not in these files.
        workspace = Workspace.open(Places.find({HOME_VARIABLE: str(home)}))
        try:
            await workspace.connect()
            with made_by("codex"):
                await (await workspace.store.service()).set_task(3, 5, "title", "Elsewhere")
        finally:
            await workspace.aclose()

    asyncio.run(rename())
    said("done", "6", "--as", "codex")
    changes = [(one["what"], one["here"]) for one in listed(said, "codex")]
    assert changes == [
        ("closed", True),
        ("renamed it from “Card of Platform” to “Elsewhere”", False),
    ]
    code, text, beside = said("agents", "codex", "--undo")
    assert (code, text) == (0, "undone: 1 change of codex\n")
    assert beside == "callboard: left as it is: 1 change made elsewhere: undo it there.\n"


def test_without_a_connection_what_was_done_here_is_known(home: Path, said: Said) -> None:
    said("tasks")
    cached_for_work(home, said)
    said("-p", "work", "done", "6", "--as", "codex")
    code, text, beside = said("-p", "work", "agents")
    assert (code, "closed" in text) == (0, True)
    assert "Only changes made on this machine are listed." in beside
    code, text, beside = said("-p", "work", "agents", "codex", "--undo")
    assert (code, text) == (0, "undone: 1 change of codex\n")
    assert "Kept; will be sent when online." in beside
    assert [one["undone"] for one in json.loads(said("-p", "work", "agents", "--json")[1])] == [
        True
    ]
    assert said("-p", "work", "agents", "codex", "--minutes", "0")[0] == 2
