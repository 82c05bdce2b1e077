"""Commands that read boards: what they print, for people and for programs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Said, cached_for_work

CARD_KEYS = [
    *("id", "title", "board", "stage", "status", "priority", "due", "start", "assignees"),
    *("labels", "subtasks_done", "subtasks_total", "comments_count", "created_at"),
    *("updated_at", "is_sent"),
]


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
    assert list(found[0]) == ["id", "title", "type", "open", "closed", "created_at"]
    assert [(one["title"], one["open"], one["closed"]) for one in found] == [
        *(("Platform", 1, 1), ("Web shop", 1, 1), ("Website", 1, 1))
    ]


def test_cards_are_found_by_the_words_of_the_filter(said: Said) -> None:
    code, text, beside = said("tasks", "--board", "platform")
    assert (code, beside) == (0, "")
    assert text.splitlines() == [
        "#5  ✓ Card of Platform  In Progress            high",
        "#6  Mine                In Progress  nov 2037  low   me  bug",
    ]
    code, text, beside = said("--ascii", "tasks", "is:closed")
    assert (code, beside) == (0, "")
    assert [line.split() for line in text.splitlines()] == [
        ["#5", "+", "Card", "of", "Platform", "In", "Progress", "high", "Platform"],
        ["#3", "+", "Card", "of", "Web", "shop", "In", "Progress", "high", "Web", "shop"],
        ["#1", "+", "Card", "of", "Website", "In", "Progress", "high", "Website"],
    ]
    assert said("tasks", "-q", "@me", "label:bug") == (0, "6\n", "")
    assert said("tasks", "-q", "--board", "1", "--board", "shop", "mine") == (0, "2\n4\n", "")
    assert said("tasks", "--", "-is:open", "label:bug") == (1, "", "callboard: no card is found.\n")
    code, text, _ = said("tasks", "--json", "label:bug")
    (card,) = json.loads(text)
    assert code == 0
    assert list(card) == CARD_KEYS
    assert card["board"] == {"id": 3, "title": "Platform"}
    assert card["stage"]["title"] == "In Progress"
    assert (card["due"], card["start"]) == ("2037-11-06T17:00:00", None)
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
    assert list(card) == [*CARD_KEYS, "description", "fields", "subtasks", "comments"]
    assert card["description"] == "Fix **it**\n\n- soon"
    assert card["fields"] == [{"id": 1, "title": "Points", "value": "5"}]
    assert card["subtasks"] == [{"id": 7, "title": "First", "status": "open", "group": "Steps"}]
    (comment,) = card["comments"]
    assert (comment["text"], comment["author"]["login"]) == ("Why?", "me")
    assert [one["text"] for one in comment["replies"]] == ["So."]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["tasks", "--board", "web"], "“Web shop” (2), “Website” (1)"),
        (["tasks", "--board", "Platfrom"], "Did you mean “Platform”?"),
        (["tasks", "due:", "mine"], "is one of overdue, today, week, none\ndue: mine\n^^^^\n"),
        (["tasks", "mine", "label:bgu"], "no label “bgu”\nmine label:bgu\n     ^^^^^^^^^\n"),
        (["show", "mine"], "in the names of 3 cards: “Mine” (6), “Mine” (4), “Mine” (2)"),
        (["show", "--board", "3", "Card of Platfrom"], "Did you mean “Card of Platform”?"),
        (["show", "99"], "there is no card #99"),
        (["show", ""], "no card is called “(no title)”"),
        (["show"], "required: CARD"),
        (["-p", "wrok", "boards"], "there is no profile “wrok”"),
    ],
)
def test_wrong_arguments_are_told_in_a_line(said: Said, arguments: list[str], told: str) -> None:
    code, text, beside = said(*arguments)
    assert (code, text) == (2, "")
    assert told in beside


def test_without_a_service_what_is_known_is_printed_with_its_age(said: Said, home: Path) -> None:
    assert said("show", "Card of Website", "--board", "1")[0] == 0
    assert said("tasks", "--board", "website")[0] == 0
    cached_for_work(home, said)
    assert said("-p", "work", "boards", "-q")[:2] == (0, "3\n2\n1\n")
    code, text, beside = said("-p", "work", "tasks", "-q")
    assert (code, text) == (0, "1\n2\n")
    assert "not cached: Platform, Web shop" in beside
    assert "no password for the profile work" in beside
    assert "Known as of " in beside
    code, text, beside = said("-p", "work", "show", "1")
    assert (code, text.splitlines()[0]) == (0, "#1 Card of Website")
    assert "Known as of " in beside
    code, text, beside = said("-p", "work", "sync")
    assert (code, text) == (1, "sent 0 changes, read 0 boards\n")
    assert "no password for the profile work" in beside


def test_nothing_known_is_told(said: Said, home: Path) -> None:
    cached_for_work(home, said)
    for kept in ("cache", "data"):
        for file in (home / kept / "work").glob("*.sqlite3*"):
            file.unlink()
    for command in (["boards"], ["tasks"], ["show", "1"]):
        code, text, beside = said("-p", "work", *command)
        assert (code, text) == (1, "")
        assert "no password for the profile work" in beside


def test_reading_loads_no_part_of_the_program(home: Path) -> None:
    code = """
import sys
from tui.cli.main import main
main(["boards"]), main(["tasks", "-q"])
print([name for name in ("textual", "tui.app") if name in sys.modules])
"""
    ran = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", code],
        env={"CALLBOARD_HOME": str(home), "LOGNAME": "me", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert ran.stdout.splitlines()[-1] == "[]"
