"""A card is known again by its id in its program, whatever else has changed."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Said
from tests.transfer.boards import board_of

ISSUE = {"number": 7, "title": "Mend", "state": "OPEN"}
TASK = {"uuid": "0f0f0f0f-0000-4000-8000-00000000000a", "description": "Mend", "status": "pending"}
CARD = {"id": "c1", "name": "Mend", "idList": "l1"}
BOARD = {"id": "b", "name": "B", "lists": [{"id": "l1", "name": "Todo"}]}


def _project(title: str) -> Mapping[str, Any]:
    content = {"type": "Issue", "number": 7, "repository": "o/r", "url": "", "title": title}
    return {"items": [{"id": "PVTI_1", "title": title, "status": "Todo", "content": content}]}


def _item(title: str) -> Mapping[str, Any]:
    return {"items": [{"id": "PVTI_2", "title": title, "content": {"type": "DraftIssue"}}]}


FILES: Mapping[str, str | Callable[[str], Any]] = {
    "id.csv": "Id,Title,Stage\nT-1,{},Todo\n",
    "number.csv": "Number,Title,Stage\n12,{},Todo\n",
    "jira.csv": "Summary,Issue key,Issue id,Status\n{},OPS-1,100,To Do\n",
    "linear.csv": "ID,Team,Title,Status,UUID\nENG-1,E,{},Todo,6c1e0000\n",
    "asana.csv": "Task ID,Name,Section/Column\n9001,{},Todo\n",
    "trello.csv": "Card ID,Card Name,List Name\nc1,{},Todo\n",
    "block.md": "## Todo\n\n- [ ] {} ^mend-1\n",
    "tasks.md": "## Todo\n\n- [ ] {} 🆔 mend1\n",
    "heading.md": "## Todo\n\n### {}\n\n- id: F-1\n\n## Done\n",
    "trello.json": lambda title: BOARD | {"cards": [CARD | {"name": title}]},
    "task.json": lambda title: [TASK | {"description": title}],
    "issue.json": lambda title: [ISSUE | {"title": title}],
    "url.json": lambda title: [ISSUE | {"title": title, "url": "https://github.com/o/r/issues/7"}],
    "gitlab.json": lambda title: [
        {"iid": 7, "title": title, "references": {"full": "g/p#7"}, "state": "opened"}
    ],
    "project.json": _project,
    "draft.json": _item,
}
TELLING = ("id.csv", "jira.csv", "trello.json", "url.json", "heading.md", "draft.json")
"""What the id of a card is in each file `test_programs` says."""


def _write(folder: Path, name: str, title: str) -> str:
    form = FILES[name]
    text = form.replace("{}", title) if isinstance(form, str) else json.dumps(form(title))
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def _titles(said: Said) -> list[str]:
    return [card.title for card in board_of(said, "Web shop").cards]


@pytest.mark.parametrize(
    "name",
    [name if name in TELLING else pytest.param(name, marks=pytest.mark.long) for name in FILES],
)
def test_a_title_that_changed_makes_no_second_card(said: Said, tmp_path: Path, name: str) -> None:
    before = _titles(said)
    assert said("import", _write(tmp_path, name, "Mend"), "--board", "Web shop")[0] == 0
    file = _write(tmp_path, name, "Mend the gate")
    code, text, beside = said("import", file, "--board", "Web shop")
    assert (code, text) == (0, "all are already on “Web shop”, and were left unchanged\n"), beside
    assert sorted(_titles(said)) == sorted([*before, "Mend"])


def test_an_issue_is_the_same_wherever_it_was_read(said: Said, tmp_path: Path) -> None:
    before = len(_titles(said))
    api = [ISSUE | {"url": "https://api.github.com/repos/o/r/issues/7", "title": "Mended"}]
    (tmp_path / "api.json").write_text(json.dumps(api), encoding="utf-8")
    for file in (
        _write(tmp_path, "url.json", "Mend"),
        _write(tmp_path, "project.json", "Mend it"),
        str(tmp_path / "api.json"),
        _write(tmp_path, "trello.json", "Bake"),
        _write(tmp_path, "trello.csv", "Bake bread"),
    ):
        assert said("import", file, "--board", "Web shop")[0] == 0
    assert len(_titles(said)) == before + 2


def test_another_id_is_another_card_whatever_its_title(said: Said, tmp_path: Path) -> None:
    file = tmp_path / "issues.csv"
    for row in ("T-1,Mend", "T-2,Mend", "T-3,Mend"):
        file.write_text(f"Id,Title\n{row}\n", encoding="utf-8")
        assert said("import", str(file), "--board", "Web shop")[0] == 0
    assert _titles(said).count("Mend") == 3


def test_without_an_id_it_is_the_title_and_place(said: Said, tmp_path: Path) -> None:
    file = tmp_path / "list.md"
    file.write_text("## Later\n\n- Mend\n\n## Now\n\n- Mend\n", encoding="utf-8")
    assert said("import", str(file))[0] == 0
    # One is moved in the file, and another is added above it in a new place.
    file.write_text(
        "## Soon\n\n- Mend\n\n## Later\n\n- Mend\n\n## Now\n\n- Mend\n", encoding="utf-8"
    )
    assert said("import", str(file))[1].splitlines()[0].endswith("“Mend” to “list”")
    cards = board_of(said, "list").cards
    assert sorted((card.stage, card.title) for card in cards) == [
        ("Later", "Mend"),
        ("Now", "Mend"),
        ("Soon", "Mend"),
    ]
    assert said("edit", str(_number(said, "Soon")), "--title", "Mend the gate")[0] == 0
    file.write_text("## Later\n\n- Mend\n\n## Now\n\n- Mend\n- Mend\n", encoding="utf-8")
    assert said("import", str(file))[1].startswith("all are already on “list”")


def _number(said: Said, stage: str) -> int:
    cards = json.loads(said("export", "--board", "list", "--json")[1])["cards"]
    return next(int(card["id"]) for card in cards if card["stage"]["title"] == stage)


@pytest.mark.long
def test_a_record_of_earlier_imports_is_still_known(said: Said, home: Path, tmp_path: Path) -> None:
    """Keys once were an id with the title behind it, or a title alone."""
    file = _write(tmp_path, "id.csv", "Mend")
    assert said("import", file, "--board", "Web shop")[0] == 0
    other = tmp_path / "list.md"
    other.write_text("## Open\n\n- Sow\n", encoding="utf-8")
    assert said("import", str(other), "--board", "Web shop")[0] == 0
    record = home / "data" / "imports"
    text = record.read_text(encoding="utf-8")
    text = text.replace('"T-1"', '"T-1 Mend"').replace('"sow\\\\nopen"', '"Sow"')
    record.write_text(text, encoding="utf-8")
    for title in ("Mend", "Sow"):
        assert said("edit", title, "--board", "Web shop", "--title", f"{title} it")[0] == 0
    before = _titles(said)
    for each in (file, str(other)):
        assert said("import", each, "--board", "Web shop")[1].startswith("all are already on")
    file = _write(tmp_path, "id.csv", "Mend now")
    assert said("import", file, "--board", "Web shop")[1].startswith("all are already on")
    assert _titles(said) == before
