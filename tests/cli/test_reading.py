"""Commands that read boards: what they print, for people and for programs."""

import asyncio
import json
import re
import subprocess
import sys
from datetime import datetime
from difflib import unified_diff
from pathlib import Path

import pytest

from tests.cli.conftest import Said, archive_mine, cached_for_work, on_branch
from tests.lint import tables
from tui.cli.scripts.reading import comments_of
from tui.config.paths import HOME_VARIABLE, Places
from tui.help import topics
from tui.model.comment import Comment, CommentImage
from tui.model.detail import TaskDetail
from tui.model.task import Task
from tui.store.operations.setters import set_title
from tui.workspace import Workspace

BOARD_KEYS = ["id", "title", "type", "open", "closed", "created_at"]
SYNC_KEYS = ["sent", "waiting", "boards", "problem"]
SHOWN_KEYS = ["description", "fields", "subtasks", "comments"]
CARD_KEYS = [
    *("id", "title", "board", "stage", "status", "priority", "due", "start", "assignees"),
    *("labels", "blocked_by", "subtasks_done", "subtasks_total", "comments_count"),
    *("created_at", "updated_at", "is_sent", "is_template"),
]


def test_the_help_names_the_keys_of_every_document() -> None:
    text = topics.markdown("scripts").partition("`--json` prints documents whose keys stay:")[2]
    named = re.findall(r"`(\w+)`", text.partition("\n\n")[0])
    keys = [*BOARD_KEYS, *CARD_KEYS, "show", *SHOWN_KEYS, "sync", *SYNC_KEYS]
    tables.check(
        tables.Edit(
            "Let the paragraph on `--json` in tui/help/scripts.md name the keys in the order of the"
            " documents, or correct the keys in tests/cli/test_reading.py:",
            [*unified_diff(named[: len(keys)], keys, "the help", "the keys", lineterm="")],
        )
    )


def test_boards_are_listed(said: Said) -> None:
    assert said("boards") == (
        0,
        "#3  Platform  1  1  to-do\n#2  Web shop  1  1  to-do\n#1  Website   1  1  to-do\n",
        "",
    )
    assert said("boards", "--quiet") == (0, "3\n2\n1\n", "")
    code, text, beside = said("boards", "--json")
    found = json.loads(text)
    assert (code, beside) == (0, "")
    assert list(found[0]) == BOARD_KEYS
    assert [(one["title"], one["open"], one["closed"]) for one in found] == [
        *(("Platform", 1, 1), ("Web shop", 1, 1), ("Website", 1, 1))
    ]


def test_cards_are_found_by_the_words_of_the_filter(said: Said) -> None:
    code, text, beside = said("tasks", "--board", "platform")
    assert (code, beside) == (0, "")
    assert text.splitlines() == [
        "#5  ✓ Card of Platform  In Progress            high",
        "#6  Mine                In Progress  nov 2037        me  bug",
    ]
    code, text, beside = said("--ascii", "tasks", "is:closed")
    assert (code, beside) == (0, "")
    assert [line.split() for line in text.splitlines()] == [
        ["#5", "+", "Card", "of", "Platform", "In", "Progress", "Platform", "high"],
        ["#3", "+", "Card", "of", "Web", "shop", "In", "Progress", "Web", "shop", "high"],
        ["#1", "+", "Card", "of", "Website", "In", "Progress", "Website", "high"],
    ]
    assert said("tasks", "-q", "@me", "label:bug") == (0, "6\n", "")
    assert said("tasks", "-q", "--board", "1", "--board", "shop", "mine") == (0, "2\n4\n", "")
    assert said("tasks", "--", "-is:open", "label:bug") == (1, "", "callboard: no cards found.\n")
    code, text, _ = said("tasks", "--json", "label:bug")
    (card,) = json.loads(text)
    assert code == 0
    assert list(card) == CARD_KEYS
    assert card["board"] == {"id": 3, "title": "Platform"}
    assert card["stage"]["title"] == "In Progress"
    assert (card["due"], card["start"]) == (
        datetime(2037, 11, 6, 17).astimezone().isoformat(),
        None,
    )
    assert [one["login"] for one in card["assignees"]] == ["me"]
    assert [one["title"] for one in card["labels"]] == ["bug"]
    assert (card["subtasks_done"], card["subtasks_total"], card["comments_count"]) == (0, 1, 2)
    assert said("tasks", "--json", "nothing-like-it") == (1, "[]\n", "")


def test_a_card_is_shown_with_everything_around_it(said: Said) -> None:
    code, text, beside = said("show", "6")
    assert (code, beside) == (0, "")
    lines = text.splitlines()
    assert lines[:2] == ["#6 Mine", ""]
    fields = dict(line.split(maxsplit=1) for line in lines[2 : lines.index("", 2)])
    assert fields["Stage"] == "In Progress · Platform"
    assert (fields["Assignees"], fields["Labels"], fields["Points"]) == ("me", "bug", "5")
    assert lines[lines.index("Fix it") :][:3] == ["Fix it", "", "• soon"]
    assert lines[lines.index("Subtasks: 0 of 1 done") :][1:3] == ["  Steps", "  [ ] #7 First"]
    said_at = lines.index("Comments: 2")
    assert lines[said_at + 2].startswith("  me, ")
    assert lines[said_at + 3] == "  Why?"
    assert lines[said_at + 5].startswith("    me, ")
    assert lines[said_at + 6] == "    So."
    assert "\x1b" not in text
    code, text, _ = said("show", "--board", "platform", "min", "--json")
    card = json.loads(text)
    assert code == 0
    assert list(card) == [*CARD_KEYS, *SHOWN_KEYS]
    assert card["description"] == "Fix **it**\n\n- soon"
    assert card["fields"] == [{"id": 1, "title": "Points", "value": "5"}]
    assert card["subtasks"] == [{"id": 7, "title": "First", "status": "open", "group": "Steps"}]
    (comment,) = card["comments"]
    assert (comment["text"], comment["author"]["login"]) == ("Why?", "me")
    assert [one["text"] for one in comment["replies"]] == ["So."]


def test_archived_cards_and_subtasks_are_shown_by_number(said: Said, home: Path) -> None:
    assert said("show", "6")[0] == 0
    lines = said("show", "#7")[1].splitlines()
    assert lines[0] == "#7 First"
    assert [line.split(maxsplit=1)[1] for line in lines if line.startswith("Parent")] == [
        "#6 “Mine”"
    ]
    archive_mine(home)
    assert said("sync")[0] == 0
    text = said("show", "6")[1]
    assert text.startswith("#6 Mine\n")
    assert "\nArchived " in text
    assert said("show", "mine", "--board", "3")[2] == "callboard: no card is called “mine”.\n"


def test_pictures_of_comments_are_named() -> None:
    image = CommentImage(1, "Sketch.png")
    comment = Comment(7, 6, "See:", images=(image,), edited=True)
    detail = TaskDetail(Task(6, 3, None, "Mine"), comments=(comment,))
    lines = [*comments_of(detail, 80)]
    assert lines == ["", "  someone (edited)", "  See:", "  [picture] Sketch.png"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["tasks", "--board", "web"], "“Web shop” (2), “Website” (1)"),
        (["tasks", "--board", "Platfrom"], "Did you mean “Platform”?"),
        (["tasks", "due:", "mine"], "must be one of overdue, today, week, none\ndue: mine\n^^^^\n"),
        (["tasks", "mine", "label:bgu"], "no label “bgu”\nmine label:bgu\n     ^^^^^^^^^\n"),
        (["show", "mine"], "in the names of 3 cards: “Mine” (6), “Mine” (4), “Mine” (2)"),
        (["show", "--board", "3", "Card of Platfrom"], "Did you mean “Card of Platform”?"),
        (["show", "99"], "there is no card #99"),
        (["show", ""], "the name of a card is empty"),
        (["tasks", "--board", " "], "the name of a board is empty"),
        (["show"], "required: CARD"),
        (["-p", "wrok", "boards"], "there is no profile “wrok”"),
    ],
)
def test_wrong_arguments_are_told_in_a_line(said: Said, arguments: list[str], told: str) -> None:
    code, text, beside = said(*arguments)
    is_nothing = "“Plat" in told or "“Card of" in told or "there is no card" in told
    assert (code, text) == (1 if is_nothing else 2, "")
    assert told in beside


@pytest.mark.long
def test_without_a_service_what_is_known_is_printed_with_its_age(said: Said, home: Path) -> None:
    assert said("show", "Card of Website", "--board", "1")[0] == 0
    assert said("tasks", "--board", "website")[0] == 0
    cached_for_work(home, said)
    assert said("-p", "work", "boards", "-q")[:2] == (0, "3\n2\n1\n")
    code, text, beside = said("-p", "work", "tasks", "-q")
    assert (code, text) == (0, "1\n2\n")
    assert "not cached: Platform, Web shop" in beside
    assert "no password for the profile work" in beside
    assert "As of " in beside
    code, text, beside = said("-p", "work", "show", "1")
    assert (code, text.splitlines()[0]) == (0, "#1 Card of Website")
    assert "As of " in beside
    code, text, beside = said("-p", "work", "sync")
    assert (code, text) == (1, "sent 0 changes, read 0 boards\n")
    assert "no password for the profile work" in beside


def test_a_subtask_is_looked_for_on_the_board_that_is_named(said: Said) -> None:
    assert said("show", "6")[0] == 0
    assert said("show", "#7", "--board", "platform")[1].startswith("#7 First\n")
    lost = "callboard: there is no card #7 on these boards.\n"
    assert said("show", "#7", "--board", "website") == (1, "", lost)
    assert said("show", "#77", "--board", "platform")[0] == 1


def test_nothing_known_is_told(said: Said, home: Path) -> None:
    cached_for_work(home, said)
    for kept in ("cache", "data"):
        for file in (home / kept / "work").glob("*.sqlite3*"):
            file.unlink()
    for command in (["boards"], ["tasks"], ["show", "1"]):
        code, text, beside = said("-p", "work", *command)
        assert (code, text) == (1, "")
        assert "no password for the profile work" in beside


@pytest.mark.long
def test_commands_load_no_part_of_the_program(home: Path) -> None:
    code = """
import sys
from tui.cli.main import main
main(["boards"]), main(["tasks", "-q"]), main(["done", "-q", "6"]), main(["done", "-n", "2"])
print([name for name in ("textual", "tui.app") if name in sys.modules])
"""
    ran = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", code],
        env={"CALLBOARD_HOME": str(home), "LOGNAME": "me", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ran.stdout.splitlines()[-1] == "[]"


def test_the_card_of_the_branch_is_shown(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert said("here") == (1, "", "callboard: this folder is not in a git repository.\n")
    on_branch(place, "main")
    code, text, beside = said("here")
    assert (code, text) == (1, "")
    assert "“main” is not named after a card.\n           Such names are {id}-{slug}" in beside
    on_branch(place, "me/6-mine")
    assert said("here")[1].splitlines()[0] == "#6 Mine"
    on_branch(place, "99-gone")
    assert said("here")[2] == "callboard: there is no card #99 on these boards.\n"
    monkeypatch.setenv("PATH", "")
    assert said("here") == (1, "", "callboard: git cannot be run here.\n")


def test_without_a_branch_there_is_no_card_of_it(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_branch(tmp_path, "6-mine")
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git" / "HEAD").write_text("0" * 39 + "1\n", encoding="ascii")
    for command in (["here"], ["here", "open"]):
        told = "callboard: no branch is checked out in this repository.\n"
        assert said(*command) == (1, "", told)


def test_of_many_changes_that_are_refused_ten_are_named(said: Said, home: Path) -> None:
    assert said("tasks", "-q", "--board", "platform")[0] == 0

    async def change() -> None:
        workspace = Workspace.open(Places.find({HOME_VARIABLE: str(home)}))
        for number in range(901, 913):
            task = Task(number, 3, None, "Lost")
            await workspace.store.submit(set_title(task, "Renamed"))
        await workspace.aclose()

    asyncio.run(change())
    code, text, beside = said("sync")
    assert (code, text) == (1, "sent 0 changes, read 3 boards\n")
    lines = beside.splitlines()
    assert [line.startswith("callboard: refused: ") for line in lines] == [True] * 10 + [False]
    assert lines[-1] == "callboard: and 2 others"
    assert len(json.loads(said("sync", "--json")[1])["waiting"]) == 12


def test_pending_changes_are_sent_and_what_is_refused_is_told(said: Said, home: Path) -> None:
    assert said("tasks", "-q", "--board", "platform")[0] == 0

    async def change(*numbers: int) -> None:
        workspace = Workspace.open(Places.find({HOME_VARIABLE: str(home)}))
        view = await workspace.store.load_board(3)
        assert view is not None
        for number in numbers:
            task = view.task(number) or Task(number, 3, view.stages[0].id, "Lost")
            await workspace.store.submit(set_title(task, "Renamed"))
        await workspace.aclose()

    asyncio.run(change(6))
    assert said("sync") == (0, "sent 1 change, read 3 boards\n", "")
    assert said("show", "6")[1].splitlines()[0] == "#6 Renamed"
    asyncio.run(change(999))
    code, text, beside = said("sync", "--quiet")
    assert (code, text) == (1, "")
    assert beside.startswith("callboard: refused: ")
    code, text, _ = said("sync", "--json")
    told = json.loads(text)
    assert code == 1
    assert list(told) == SYNC_KEYS
    assert (told["sent"], told["boards"], told["problem"]) == (0, 3, None)
    assert list(told["waiting"][0]) == ["board", "change", "state", "reason", "since"]
    assert told["waiting"][0]["state"] == "refused"
