"""What an import adds, and what it leaves as it is."""

import asyncio
import json
import os
import sys
import threading
from collections.abc import Sequence
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from tests.cli.conftest import Said, cached_for_work
from tests.transfer.boards import Card, board_of
from tui.config.paths import HOME_VARIABLE, Places
from tui.workspace import Workspace

FIRST = """\
# Trip

## Ideas

- [ ] Plan #later ^plan-1
    - [ ] Ask Ann
- [ ] Pack

## Done

- [x] Book
"""
MORE = FIRST.replace("- [ ] Pack\n", "- [ ] Pack\n- [ ] Pay #new\n") + "\n## Lost\n\n- [ ] Hat\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "trip.md"
    path.write_text(FIRST, encoding="utf-8")
    return path


def _titles(said: Said, board: str, *profile: str) -> list[str]:
    return [card.title for card in board_of(said, board, *profile).cards]


def test_a_later_import_adds_what_is_new_and_changes_nothing_else(said: Said, file: Path) -> None:
    assert said("import", str(file))[0] == 0
    assert said("move", "Plan", "done", "--from", "Trip")[0] == 0
    assert said("edit", "Pack", "--board", "Trip", "--title", "Pack the tent")[0] == 0
    assert said("done", "Book", "--board", "Trip", "--reopen")[0] == 0
    before = board_of(said, "Trip")
    assert said("import", str(file))[1] == "all are already on “Trip”, and were left unchanged\n"
    assert board_of(said, "Trip") == before

    file.write_text(MORE, encoding="utf-8")
    code, planned, _ = said("import", str(file), "-n")
    assert (code, planned.splitlines()[-1]) == (0, "would add 2 cards, 1 stage, 1 label")
    assert board_of(said, "Trip") == before
    code, text, _ = said("import", str(file))
    assert code == 0
    assert text.splitlines()[-2:] == [
        "imported 2 cards to “Trip”",
        "left unchanged on “Trip”: 3 cards of the file",
    ]
    after = board_of(said, "Trip")
    assert after.stages == ("Ideas", "Done x", "Lost")
    assert [card for card in after.cards if card in before.cards] == list(before.cards)
    assert [card for card in after.cards if card not in before.cards] == [
        Card("Ideas", "Pay", labels=("new",)),
        Card("Lost", "Hat"),
    ]


@pytest.mark.long
def test_without_the_record_cards_are_known_by_their_titles(
    said: Said, home: Path, file: Path
) -> None:
    file.write_text(FIRST + "\n***\n\n## Archive\n\n- [x] Gone\n", encoding="utf-8")
    assert said("import", str(file))[0] == 0
    (home / "data" / "imports").unlink()
    before = board_of(said, "Trip")
    code, text, beside = said("import", str(file))
    assert (code, text) == (0, "all are already on “Trip”, and were left unchanged\n")
    assert "matched by title only: “Plan”, “Pack”, “Book”, “Gone”" in beside
    assert board_of(said, "Trip") == before
    # From now on the record has them again.
    assert said("edit", "Pack", "--board", "Trip", "--title", "Pack the tent")[0] == 0
    assert said("import", str(file))[2] == ""
    assert len(_titles(said, "Trip")) == 4


@pytest.mark.long
def test_what_is_gone_comes_again_only_if_it_is_asked_for(said: Said, file: Path) -> None:
    assert said("import", str(file))[0] == 0
    assert said("import", str(file), "--board", "Platform")[0] == 0
    assert len(_titles(said, "Trip")) == 3
    assert {"Plan", "Pack", "Book"} < {*_titles(said, "Platform")}
    assert said("edit", "Pack", "--board", "Trip", "--title", "Pack the tent")[0] == 0
    assert said("import", str(file), "--board", "Trip", "--again")[0] == 0
    assert sorted(_titles(said, "Trip")) == ["Book", "Pack", "Pack the tent", "Plan"]


async def _undo_last(home: Path) -> None:
    workspace = Workspace.open(Places.find({HOME_VARIABLE: str(home)}))
    await workspace.connect()
    board_id = await workspace.store.board_of_last("undo")
    assert board_id is not None
    assert await workspace.store.undo(board_id, force=True)
    await workspace.aclose()


@pytest.mark.long
def test_an_import_that_was_undone_is_named_as_such(said: Said, home: Path, file: Path) -> None:
    assert said("import", str(file), "--board", "Platform")[0] == 0
    before = board_of(said, "Platform")
    asyncio.run(_undo_last(home))
    code, text, beside = said("import", str(file), "--board", "Platform")
    assert (code, text) == (0, "")
    assert beside.splitlines() == [
        "callboard: imported before, and no longer there: “Plan”, “Pack”, “Book”",
        "           --again adds them again.",
    ]
    assert json.loads(said("import", str(file), "--board", "Platform", "-n", "--json")[1])[
        "gone"
    ] == ["Plan", "Pack", "Book"]
    assert said("import", str(file), "--board", "Platform", "--again")[0] == 0
    assert [card.title for card in board_of(said, "Platform").cards] == [
        card.title for card in before.cards
    ]


def test_two_cards_of_one_title_are_both_imported_once(said: Said, file: Path, home: Path) -> None:
    file.write_text("## Ideas\n\n- same\n- same\n", encoding="utf-8")
    assert said("import", str(file))[0] == 0
    assert _titles(said, "trip") == ["same", "same"]
    assert said("import", str(file))[0] == 0
    file.write_text("## Ideas\n\n- same\n- same\n- same\n", encoding="utf-8")
    assert (
        said("import", str(file))[1].splitlines()[-1]
        == "left unchanged on “trip”: 2 cards of the file"
    )
    (home / "data" / "imports").unlink()
    assert said("import", str(file))[0] == 0
    assert _titles(said, "trip") == ["same"] * 3


def test_members_are_found_by_name_and_login(said: Said, tmp_path: Path) -> None:
    file = tmp_path / "work.csv"
    file.write_text("Title,Assignees\nMeet,ME; Nobody\nWrite,me\n", encoding="utf-8")
    code, _, beside = said("import", str(file), "--board", "Platform")
    assert code == 0
    assert "assignees who are not on the board, named in the description: Nobody" in beside
    cards = {card.title: card for card in board_of(said, "Platform").cards}
    assert cards["Meet"].assignees == cards["Write"].assignees == ("me",)
    assert cards["Meet"].description == "Assigned to: Nobody"
    assert cards["Write"].description == ""


def test_one_s_own_comments_have_no_heading(said: Said, tmp_path: Path) -> None:
    issue = {
        "number": 1,
        "title": "Meet",
        "state": "OPEN",
        "comments": [{"author": {"login": "ME"}, "body": "Yes.", "createdAt": ""}],
    }
    file = tmp_path / "issues.json"
    file.write_text(json.dumps([issue]), encoding="utf-8")
    assert said("import", str(file))[0] == 0
    assert board_of(said, "Issues").cards[0].comments == ("Yes.",)


def test_a_title_that_a_board_has_is_where_cards_go(said: Said, file: Path) -> None:
    file.write_text("# web SHOP\n\n## Open\n\n- [ ] Pack\n", encoding="utf-8")
    assert said("import", str(file))[0] == 0
    assert "Pack" in _titles(said, "Web shop")
    assert len(said("boards", "-q")[1].split()) == 3


def test_columns_can_be_named_and_input_piped(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"Kopf;Wo\nGraben;Beet\n"
    arguments = ("import", "-", "--format", "csv", "--board", "Platform")
    for more, code in (((), 2), (("--map", "title=Kopf", "--map", "stage=Wo"), 0)):
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(content)))
        assert said(*arguments, *more)[0] == code
    assert Card("Beet", "Graben") in board_of(said, "Platform").cards


def test_a_board_is_not_called_as_a_pipe_is(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"Title,Stage\nDig,Bed\n"
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    for file in ("-", f"/dev/fd/{reading}"):
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(content)))
        code, text, _ = said("import", file, "--dry-run")
        assert (code, text.splitlines()[0]) == (0, "would create the board “Imported”: Bed")
    os.close(reading)


def test_a_pipe_is_read_once_from_its_beginning(said: Said, tmp_path: Path) -> None:
    """As in `callboard import <(curl …)`."""
    pipe = tmp_path / "trip"
    os.mkfifo(pipe)
    content = b"Title,Stage\nDig,Open\n"
    writing = threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True)
    writing.start()
    code, _, beside = said("import", str(pipe), "--board", "Platform")
    assert (code, beside) == (0, "")
    assert Card("Open", "Dig") in board_of(said, "Platform").cards


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("nowhere.md",), "nowhere.md cannot be read: no such file or directory"),
        (("{}", "--map", "titel=Kopf"), "“titel=Kopf” maps no column"),
        (("{}", "--format", "trello"), "trip.md is not imported: line 1 is no JSON"),
        (("{}", "--board", "nothing"), "no board is called “nothing”"),
        (("{}", "--database", "x", "--board", "Trip"), "an archive is imported as a whole"),
        (("{}.zip", "-n"), "an archive is imported as a whole"),
    ],
)
def test_wrong_arguments_are_named(
    said: Said, file: Path, arguments: Sequence[str], what: str
) -> None:
    code, text, beside = said("import", *(each.replace("{}", str(file)) for each in arguments))
    assert code in (1, 2)
    assert text == ""
    assert what in beside
    assert len(beside.splitlines()) <= 2


def test_a_dry_run_for_programs(said: Said, file: Path) -> None:
    code, text, _ = said("import", str(file), "-n", "--json")
    plan = json.loads(text)
    assert code == 0
    assert plan["board"] == {"id": None, "title": "Trip"}
    assert (plan["stages"], plan["labels"]) == (["Ideas", "Done"], ["later"])
    assert [card["title"] for card in plan["cards"]] == ["Plan", "Pack", "Book"]
    assert plan["cards"][0]["subtasks"] == [{"title": "Ask Ann", "is_done": False, "group": ""}]


def test_without_a_service_all_is_kept_once_also_a_new_board(
    said: Said, home: Path, file: Path
) -> None:
    assert said("tasks", "--board", "platform")[0] == 0
    cached_for_work(home, said)
    work = ("-p", "work")
    code, text, beside = said(*work, "import", str(file), "--board", "Platform")
    assert (code, text.splitlines()[-1]) == (0, "imported 3 cards to “Platform”")
    assert "Kept; will be sent when online." in beside
    code, text, _ = said(*work, "import", str(file), "--board", "Platform")
    assert text == "all are already on “Platform”, and were left unchanged\n"
    code, text, _ = said(*work, "import", str(file), "--board", "Trip")
    assert code == 1  # there is none yet
    file.write_text(FIRST.replace("# Trip", "# Journey"), encoding="utf-8")
    for _ in range(2):
        assert said(*work, "import", str(file))[0] == 0
    board = board_of(said, "Journey", *work)
    assert board.stages == ("Ideas", "Done x")
    assert board.cards == (
        Card("Ideas", "Plan", labels=("later",), subtasks=("- Ask Ann",)),
        Card("Ideas", "Pack"),
        Card("Done", "Book", is_closed=True),
    )
