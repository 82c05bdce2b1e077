"""`callboard board add`: what the service holds then, and what is printed."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Said, cached_for_work


def _boards(said: Said, *more: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(said(*more, "boards", "--json")[1])
    return found


def _stages(said: Said, board: str) -> list[tuple[str, str]]:
    """The stages of a board, with what a card becomes that is moved there from the first."""
    stages: list[tuple[str, str]] = []
    for stage in ("Open", "In Progress", "Completed", "Ideas", "Now", "Shipped"):
        code, text, _ = said("add", "--board", board, "--stage", stage, f"x {stage}", "--json")
        if not code:
            (card,) = json.loads(text)["cards"]
            if stages:
                assert said("move", str(card["id"]), stages[0][0])[0] == 0
                assert said("move", str(card["id"]), stage)[0] == 0
            card = json.loads(said("show", str(card["id"]), "--json")[1])
            stages.append((card["stage"]["title"], card["status"]))
    return stages


@pytest.mark.long
def test_a_board_is_added_with_the_stages_of_the_service(said: Said) -> None:
    told = (0, "added the board #4 “A new one”\n", "")
    assert said("board", "add", " A  new ", "one") == told
    (board, *_) = _boards(said)
    assert (board["id"], board["title"], board["type"]) == (4, "A new one", "to-do")
    stages = [("Open", "open"), ("In Progress", "open"), ("Completed", "closed")]
    assert _stages(said, "A new one") == stages
    assert said("board", "add", "-q", "Quiet") == (0, "", "")
    code, text, beside = said("board", "add", "JSON", "--json")
    told_json = json.loads(text)
    assert (code, beside) == (0, "")
    assert list(told_json) == ["state", "changes", "boards", "problem"]
    assert (told_json["state"], told_json["changes"]) == ("sent", ["Add the board “JSON”"])
    assert told_json["boards"] == [board for board in _boards(said) if board["title"] == "JSON"]


@pytest.mark.long
@pytest.mark.parametrize("kind", ["to-do", "roadmap"])
def test_a_board_is_added_with_all_that_the_program_asks_for(
    said: Said, tmp_path: Path, kind: str
) -> None:
    (tmp_path / "text.md").write_text("What is **planned**\n", encoding="utf-8")
    stages = ["--stage", "Ideas", "--stage", "Now", "--stage", " Shipped "]
    more = ["--description", str(tmp_path / "text.md"), "--currency", "EUR", "--folder", "sites"]
    code, text, beside = said("board", "add", "--type", kind, *stages, *more, "Plan")
    assert (code, text, beside) == (0, "added the board #4 “Plan”\n", "")
    (board, *_) = _boards(said)
    assert (board["title"], board["type"]) == ("Plan", kind)
    assert _stages(said, "Plan") == [("Ideas", "open"), ("Now", "open"), ("Shipped", "closed")]
    ids = said("tasks", "-q", "--board", "Plan", "x")[1].split()
    assert len(ids) == 3
    standup = json.loads(said("standup", "--json", "--folder", "sites", "--since", "1mo")[1])
    assert {one["title"] for one in standup["boards"]} == {"Website", "Plan"}


def test_a_dry_run_of_a_board_prints_its_requests(said: Said) -> None:
    before = _boards(said)
    code, text, beside = said("board", "add", "-n", "Dry", "--stage", "One", "--stage", "Two")
    assert (code, beside) == (0, "")
    first, second = text.splitlines()
    assert first == 'POST /projects {"board": {"title": "Dry", "description": "", "type": "to-do"}}'
    assert second.startswith("PUT /projects/{new board 1}/update-stage/{stage 1} ")
    assert [one["method"] for one in json.loads(said("board", "add", "-n", "x", "--json")[1])] == [
        "POST"
    ]
    assert _boards(said) == before


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["add", " "], 2, "the title is empty: nothing was changed."),
        (["add", "x", "--folder", "zzz"], 1, "no folder is called “zzz”."),
        (["add", "x", "--type", "zzz"], 2, "use one of to-do, roadmap."),
        (["add", "x", "--stage", " "], 2, "there is an empty title"),
        (["add", "x", "--description", "/no/file"], 2, "cannot be read"),
        ([], 2, "the following arguments are required: COMMAND"),
    ],
)
def test_a_board_that_cannot_be_added_changes_nothing(
    said: Said, arguments: list[str], code: int, told: str
) -> None:
    before = _boards(said)
    ended, text, beside = said("board", *arguments)
    assert (ended, text) == (code, "")
    assert told in beside
    assert _boards(said) == before


def test_without_a_service_a_board_is_kept(said: Said, home: Path) -> None:
    assert said("tasks", "--board", "platform")[0] == 0
    cached_for_work(home, said)
    code, text, beside = said("-p", "work", "board", "add", "Later", "--json")
    told = json.loads(text)
    assert (code, told["state"], told["boards"][0]["id"] < 0) == (0, "kept", True)
    assert "password" in told["problem"]
    assert "Kept; will be sent when online." in beside
    code, text, beside = said("-p", "work", "add", "--board", "Later", "A card")
    assert (code, text) == (1, "")
    assert "the board “Later” has no stages yet." in beside
    assert "It gets them once it is sent: callboard sync" in beside
    assert "Later" in [one["title"] for one in _boards(said, "-p", "work")]
