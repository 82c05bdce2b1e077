"""`callboard claim`, `next --claim` and `progress`: who has a card, and how far it is."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Said, cached_for_work
from tui.client.errors import Conflict
from tui.client.resources.tasks import Claim
from tui.config.paths import HOME_VARIABLE, Places
from tui.workspace import Workspace


def facts(said: Said, number: str) -> tuple[object, list[str], list[str], list[str]]:
    """The stage of a card, its assignees, labels and comments."""
    card = json.loads(said("show", number, "--json")[1])
    return (
        card["stage"]["title"],
        [person["login"] for person in card["assignees"]],
        [label["title"] for label in card["labels"]],
        [comment["text"] for comment in card["comments"]],
    )


def test_the_next_card_is_claimed_by_an_agent_and_given_back(said: Said) -> None:
    said("add", "--board", "platform", "--stage", "open", "One ^today")
    code, text, beside = said("next", "--claim", "--as", "codex")
    assert (code, beside) == (0, "")
    assert text == "claimed #8 “One” in “In Progress” for codex\n"
    claimed = ("In Progress", ["me"], ["◇ codex"], ["◇ codex: claimed"])
    assert facts(said, "8") == claimed
    assert said("claim", "8", "--as", "codex")[:2] == (
        0,
        "nothing to change: #8 “One” is already up to date\n",
    )
    code, _, beside = said("claim", "8", "--as", "aider")
    assert (code, beside.splitlines()[0]) == (1, "callboard: #8 is claimed by codex.")
    # What is claimed is not the next card of anyone else, and what was begun is not claimed again.
    assert said("next", "--board", "platform", "-q")[1] == "6\n"
    code, _, beside = said("next", "--board", "platform", "--claim")
    assert (code, beside) == (
        1,
        "callboard: no card to take: 1 claimed by agents, 1 begun by you.\n",
    )
    assert said("claim", "8", "--release")[1] == "released #8 “One”\n"
    assert facts(said, "8")[:3] == ("In Progress", [], [])
    assert said("next", "-q", "--board", "platform", "--claim")[1] == "8\n"


def test_what_cannot_be_claimed_is_said(said: Said) -> None:
    code, _, beside = said("claim", "5")
    assert (code, beside.splitlines()[0]) == (1, "callboard: #5 is closed.")
    assert said("claim", "6", "--as", "a:b")[0] == 2
    assert said("claim", "6", "--as", "x" * 25)[0] == 2
    code, text, _ = said("claim", "6", "--as", "codex", "--dry-run")
    assert (code, text.count("/claim")) == (0, 1)
    assert facts(said, "6")[2] == ["bug"]


def test_of_two_who_saw_the_same_one_is_refused(said: Said, home: Path) -> None:
    said("add", "--board", "platform", "--stage", "open", "One ^today")

    async def take_twice() -> str:
        workspace = Workspace.open(Places.find({HOME_VARIABLE: str(home)}))
        try:
            await workspace.connect()
            remote = await workspace.store.service()
            stages = [stage["id"] for stage in (await remote.board(3))["stages"]]
            claim = Claim(stages[0], (), (), stages[1], 1)
            await remote.claim_task(3, 8, claim)
            with pytest.raises(Conflict) as refusal:
                await remote.claim_task(3, 8, claim)
            return refusal.value.message
        finally:
            await workspace.aclose()

    assert asyncio.run(take_twice()) == "It was claimed in your name meanwhile."
    assert facts(said, "8")[:2] == ("In Progress", ["me"])


def test_a_claim_needs_the_service(home: Path, said: Said) -> None:
    said("tasks")
    cached_for_work(home, said)
    code, text, beside = said("-p", "work", "claim", "6", "--as", "codex")
    assert (code, text) == (1, "")
    assert "A claim needs the service: nothing was claimed." in beside
    assert json.loads(said("-p", "work", "sync", "--json")[1])["waiting"] == []


def test_progress_is_one_comment(said: Said) -> None:
    said("claim", "6", "--as", "codex")
    assert said("progress", "6", "tests written")[1] == "noted the progress of #6 “Mine”\n"
    assert said("progress", "6", "tests green,", "3 files", "--as", "codex")[0] == 0
    comments = facts(said, "6")[3]
    assert comments == ["Why?", "◇ codex: tests green, 3 files"]
    assert "nothing to change" in said("progress", "6", "tests green, 3 files")[1]
    # Another agent, and a person, have one of their own.
    said("progress", "6", "reviewed", "--as", "aider")
    said("label", "6", "◇ codex", "--remove")
    said("progress", "6", "Half of it.")
    said("progress", "6", "All of it.")
    assert facts(said, "6")[3][2:] == ["◇ aider: reviewed", "◇ All of it."]
    assert said("progress", "6", " ")[0] == 2


def test_the_guide_is_short(said: Said) -> None:
    code, text, _ = said("agent-guide")
    assert code == 0
    assert len(text.splitlines()) <= 60
    for word in ("next", "claim", "progress", "label", "done"):
        assert re.search(rf"^    callboard {word} ", text, re.MULTILINE)
