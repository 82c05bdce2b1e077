"""Words that other programs separate in another way stay apart, through whatever door they come."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Said
from tests.mcp.agent import agent_in
from tests.service.world import furnished_world

WALES = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
TYPED = f"one\u2028two\u2029three\x85four\vfive\fsix\rseven {WALES}"
TITLE = f"one two three four five six seven {WALES}"
LINES = ["one", "two", "three", "four", "five", "six", f"seven {WALES}"]
CSV = f'Title,Description\n"{TYPED}","{TYPED}"\n'


def _shown(said: Said, title: str) -> dict[str, Any]:
    code, text, beside = said("show", title, "--board", "platform", "--json")
    assert code == 0, beside
    shown: dict[str, Any] = json.loads(text)
    return shown


@pytest.mark.long
def test_on_the_command_line(said: Said, tmp_path: Path) -> None:
    file = tmp_path / "description.md"
    file.write_text(TYPED, encoding="utf-8", newline="")
    assert said("add", "--board", "platform", TYPED)[0] == 0
    assert said("subtask", TITLE, TYPED, "--board", "platform")[0] == 0
    assert said("comment", TITLE, TYPED, "--board", "platform")[0] == 0
    assert said("edit", TITLE, "--description", str(file), "--board", "platform")[0] == 0
    shown = _shown(said, TITLE)
    assert shown["title"] == TITLE
    assert [one["title"] for one in shown["subtasks"]] == [TITLE]
    assert [one["text"].split("\n") for one in shown["comments"]] == [LINES]
    assert str(shown["description"]).split() == TITLE.split()


@pytest.mark.long
def test_in_an_import(said: Said, tmp_path: Path) -> None:
    file = tmp_path / "file.csv"
    file.write_text(CSV, encoding="utf-8", newline="")
    assert said("import", str(file), "--board", "platform")[0] == 0
    shown = _shown(said, TITLE)
    assert (shown["title"], str(shown["description"]).split()) == (TITLE, TITLE.split())


@pytest.mark.long
async def test_from_an_agent(home: Path) -> None:
    async with agent_in(home) as (agent, _):
        added = await agent.call("add", board="platform", title=TYPED.replace("\r", " "))
        assert [card["title"] for card in added["cards"]] == [*LINES[:5], f"six seven {WALES}"]
        (first, *_) = added["cards"]
        await agent.call("comment", card=str(first["id"]), text=TYPED)
        shown = await agent.call("show", card=str(first["id"]))
        assert [part["comment"].split("\n") for part in shown["parts"]] == [LINES]


@pytest.mark.parametrize("field", ["title", "description"])
def test_at_a_service(field: str) -> None:
    world = furnished_world()
    world.done("ann", "PUT", "/projects/1/tasks/1", {"property": field, "value": TYPED})
    kept = world.done("ann", "GET", "/projects/1/tasks/1").at(f"task.{field}")
    assert (kept if field == "title" else " ".join(kept.split())) == TITLE
    world.close()
