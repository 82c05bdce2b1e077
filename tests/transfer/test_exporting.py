"""A board is written, and read as the same board again."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Said, archive_mine, cached_for_work
from tests.transfer.boards import Card, board_of

SAMPLES = Path(__file__).with_name("samples")


@pytest.mark.long
@pytest.mark.parametrize("form", ["md", "csv"])
@pytest.mark.parametrize(
    "sample",
    [
        "trello.json",
        pytest.param("obsidian.md", marks=pytest.mark.long),
        pytest.param("github.json", marks=pytest.mark.long),
        pytest.param("asana.csv", marks=pytest.mark.long),
    ],
)
def test_what_is_exported_is_imported_as_the_same_board(
    said: Said, tmp_path: Path, sample: str, form: str
) -> None:
    _, text, _ = said("import", str(SAMPLES / sample))
    title = text.splitlines()[0].removeprefix("added the board “").removesuffix("”")
    file = tmp_path / f"again.{form}"
    code, text, _ = said("export", "--board", title, f"--{form}", str(file))
    made = board_of(said, title)
    assert (code, text) == (0, f"{file} holds {len(made.cards)} cards of “{title}”\n")
    content = file.read_text(encoding="utf-8").replace(f'title: "{title}"', "title: again")
    file.write_text(content, encoding="utf-8")
    assert said("import", str(file))[0] == 0
    again = board_of(said, "again")
    titles = {card.stage for card in made.cards} if form == "csv" else {*made.stages}
    assert {stage.removesuffix(" x") for stage in again.stages} == {
        title.removesuffix(" x") for title in titles
    }

    def of(cards: tuple[Card, ...]) -> list[Card]:
        return [card._replace(comments=(), labels=tuple(sorted(card.labels))) for card in cards]

    assert sorted(of(again.cards)) == sorted(of(made.cards))
    # The file is known again where it came from, by title: the ids are new there.
    assert said("import", str(file), "--board", title)[1].startswith("all are already on")


def test_a_board_with_something_of_everything(said: Said, home: Path) -> None:
    assert said("tasks", "--board", "platform")[0] == 0
    archive_mine(home)
    code, text, beside = said("export", "--board", "Platform", "--md")
    assert (code, beside) == (0, "callboard: left out: 2 comments; --json has them too.\n")
    assert text == (
        '---\n\nkanban-plugin: board\ntitle: "Platform"\n\n---\n\n'
        "## Open\n\n\n"
        "## In Progress\n\n- [x] Card of Platform [priority:: high] ^card-5\n\n"
        "## Completed\n\n**Complete**\n\n"
        "***\n\n## Archive\n\n"
        "- [ ] Mine #bug [assignee:: me] [stage:: In Progress] @{2037-11-06} @@{17:00} ^card-6\n"
        "    > Fix **it**\n    >\n    > - soon\n"
        "    - Steps\n        - [ ] First\n\n"
    )
    document = json.loads(said("export", "--board", "Platform", "--json")[1])
    assert document["board"]["stages"][0] == {"title": "Open", "closes": False}
    mine = document["cards"][1]
    assert (mine["title"], mine["is_archived"]) == ("Mine", True)
    assert mine["fields"][0]["value"] == "5"
    assert [comment["text"] for comment in mine["comments"]] == ["Why?"]
    assert [reply["text"] for reply in mine["comments"][0]["replies"]] == ["So."]


def test_without_a_service_what_is_not_cached_is_named(said: Said, home: Path) -> None:
    assert said("tasks", "--board", "platform")[0] == 0
    cached_for_work(home, said)
    code, text, beside = said("-p", "work", "export", "--board", "Platform", "--md")
    assert code == 1
    assert "- [ ] Mine #bug" in text
    assert "not cached, so not in the file: the subtasks of “Mine”" in beside
    assert "As of" in beside
    assert said("show", "Mine", "--board", "platform")[0] == 0
    cached_for_work(home, said)
    code, text, beside = said("-p", "work", "export", "--board", "Platform", "--md")
    assert code == 0
    assert "        - [ ] First" in text
    assert "not cached" not in beside


def test_no_file_is_written_over(said: Said, tmp_path: Path) -> None:
    file = tmp_path / "board.csv"
    file.write_text("mine", encoding="utf-8")
    code, _, beside = said("export", "--board", "Platform", "--csv", str(file))
    assert (code, file.read_text(encoding="utf-8")) == (2, "mine")
    assert "already exists: nothing was written" in beside


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ((), "name the file of the archive, or one --board with --md or --csv"),
        (("--board", "Platform"), "choose a format: --md, --csv, --json, --html"),
        (("--md", "--board", "x", "--database", "y"), "--database does not belong to it"),
        (("--md", "--csv"), "not allowed with"),
        (("--csv", "--board", "nothing"), "no board is called “nothing”"),
    ],
)
def test_wrong_arguments_are_named(said: Said, arguments: tuple[str, ...], what: str) -> None:
    code, text, beside = said("export", *arguments)
    assert code in (1, 2)
    assert (text, what in beside) == ("", True)


def test_a_spreadsheet_takes_no_title_for_a_formula(said: Said) -> None:
    assert said("add", "--board", "Platform", "=HYPERLINK(1)")[0] == 0
    text = said("export", "--board", "Platform", "--csv")[1]
    assert ",'=HYPERLINK(1),Open," in text
