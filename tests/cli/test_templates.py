"""Templates at the embedded service: `callboard add --template`, and that they are not counted."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Said
from tui.config.paths import HOME_VARIABLE, Places
from tui.store.operations import set_plain
from tui.workspace import Workspace


@pytest.fixture
def mine_is_template(said: Said, home: Path) -> None:
    """The card Mine of Platform, which has something of everything, becomes a template."""

    async def change() -> None:
        workspace = Workspace.open(Places.find({HOME_VARIABLE: str(home)}))
        await workspace.connect()
        view = await workspace.store.load_board(3)
        assert view is not None, "the board 3, Platform, is not cached"
        task = view.task(6)
        assert task is not None, f"the card 6, Mine, is not on {view.board.title}"
        await workspace.store.submit(set_plain(task, "template", value=True))
        await workspace.aclose()

    assert said("tasks", "--board", "platform")[0] == 0
    asyncio.run(change())
    assert said("sync")[0] == 0


@pytest.mark.usefixtures("mine_is_template")
def test_a_card_is_a_copy_of_a_template_with_all_that_is_on_it(said: Said) -> None:
    code, text, beside = said("add", "Copied !high", "--template", "mine", "--board", "platform")
    assert (code, text, beside) == (0, "added #8 “Copied” to “Open” on “Platform”\n", "")
    card = json.loads(said("show", "8", "--json")[1])
    assert (card["priority"], card["due"][:10]) == ("high", "2037-11-06")
    assert [label["title"] for label in card["labels"]] == ["bug"]
    assert [person["login"] for person in card["assignees"]] == ["me"]
    assert [subtask["title"] for subtask in card["subtasks"]] == ["First"]
    assert card["fields"][0]["value"] == "5"
    assert "Fix **it**" in card["description"]
    assert card["comments"] == []
    _, listed, _ = said("boards", "--json")
    platform = next(board for board in json.loads(listed) if board["title"] == "Platform")
    assert (platform["open"], platform["closed"]) == (1, 1)
    assert said("tasks", "--board", "platform", "is:open", "--quiet")[1] == "8\n"
    assert said("add", "--template", "mine", "--board", "platform")[1].startswith("added #")


@pytest.mark.usefixtures("mine_is_template")
def test_a_template_is_found_and_stays_one_in_files(said: Said, tmp_path: Path) -> None:
    assert said("tasks", "--board", "platform", "is:template", "--quiet")[1] == "6\n"
    assert json.loads(said("show", "6", "--json")[1])["is_template"] is True
    for form in ("md", "csv"):
        file = tmp_path / f"{form} copy.{form}"
        assert said("export", "--board", "platform", f"--{form}", str(file))[0] == 0
        content = file.read_text(encoding="utf-8").replace('"Platform"', f'"{form} copy"')
        file.write_text(content, encoding="utf-8")
        assert said("import", str(file))[0] == 0
        exported = json.loads(said("export", "--board", f"{form} copy", "--json")[1])
        states = {card["title"]: card["is_template"] for card in exported["cards"]}
        assert states == {"Card of Platform": False, "Mine": True}


@pytest.mark.usefixtures("mine_is_template")
def test_a_template_counts_in_no_figures(said: Said) -> None:
    report = said("standup", "--json", "--board", "platform", "--since", "1 jan")[1]
    assert "Mine" not in report
    figures = json.loads(said("insight", "--json", "--board", "platform")[1])
    assert sum(stage["cards"] for stage in figures["boards"][0]["ages"]) == 0


def test_a_template_that_is_not_there_is_named(said: Said) -> None:
    code, _, beside = said("add", "x", "--template", "y", "--board", "platform")
    assert (code, beside) == (2, "callboard: “Platform” has no templates.\n")
