"""`callboard subtask`: subtasks are added to a card, closed and reopened."""

import json
from pathlib import Path

from tests.cli.conftest import Said, cached_for_work
from tui.text.plain_names import DEFAULT_GROUP


def _subtasks(said: Said, card: str) -> list[tuple[str, str, str]]:
    shown = json.loads(said("show", card, "--json")[1])
    return [(each["group"], each["title"], each["status"]) for each in shown["subtasks"]]


def test_subtasks_are_added_closed_and_reopened(said: Said) -> None:
    assert said("subtask", "6", "Second", " A  third ") == (
        0,
        "added 2 subtasks to #6 “Mine”\n",
        "",
    )
    assert said("subtask", "6", "second", "first", "--done")[1] == (
        "closed 2 subtasks of #6 “Mine”\n"
    )
    assert said("subtask", "mine", "--board", "platform", "first", "--reopen")[1] == (
        "reopened “First” of #6 “Mine”\n"
    )
    assert _subtasks(said, "6") == [
        ("Steps", "First", "open"),
        ("Steps", "Second", "closed"),
        ("Steps", "A third", "open"),
    ]


def test_a_card_without_subtasks_gets_a_group(said: Said) -> None:
    assert said("subtask", "4", "One", "--group", "Plan")[0] == 0
    assert _subtasks(said, "4") == [("Plan", "One", "open")]
    assert said("subtask", "6", "Two", "--group", "Plan") == (
        1,
        "",
        "callboard: no group is called “Plan”.\n",
    )


def test_the_first_group_is_meant_by_what_is_shown_and_by_its_title(said: Said) -> None:
    assert said("subtask", "4", "One")[0] == 0
    assert "\n  Subtasks\n  [ ] " in said("show", "4")[1]
    for number, group in enumerate(("Subtasks", "default subtask group")):
        assert said("subtask", "4", f"Part {number}", "--group", group)[0] == 0
    assert {group for group, _, _ in _subtasks(said, "4")} == {DEFAULT_GROUP}


def test_a_dry_run_prints_the_requests(said: Said) -> None:
    code, text, beside = said("subtask", "6", "Never", "--dry-run")
    assert (code, beside) == (0, "")
    assert text.startswith("POST /projects/3/tasks/6/subtasks {")
    code, text, _ = said("subtask", "6", "First", "--done", "--dry-run")
    assert (code, text.split()[0]) == (0, "PUT")
    assert _subtasks(said, "6") == [("Steps", "First", "open")]


def test_what_names_no_subtask_changes_nothing(said: Said) -> None:
    code, text, beside = said("subtask", "6", "Frist", "--done")
    assert (code, text) == (1, "")
    assert beside.startswith("callboard: no subtask is called “Frist”.")
    assert said("subtask", "6", " ")[0] == 2
    assert len(_subtasks(said, "6")) == 1


def test_without_a_connection_subtasks_that_are_not_known_are_not_guessed(
    said: Said, home: Path
) -> None:
    said("show", "6")
    cached_for_work(home, said)
    code, text, beside = said("-p", "work", "subtask", "6", "Kept")
    assert (code, text) == (0, "added 1 subtask to #6 “Mine”\n")
    assert "Kept; will be sent when online." in beside
    code, _, beside = said("-p", "work", "subtask", "3", "Kept")
    assert code == 1
    assert "are not known here: nothing was changed." in beside
