"""A dry run is the real run without writing: it says what the real one then makes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Said
from tests.transfer.boards import board_of
from tests.transfer.test_programs import CARDS as EXPORTED, EXPORTS
from tests.transfer.test_samples import EACH as SAMPLED, SAMPLES

FILES = {
    **{f"samples/{name}": SAMPLES / name for name in SAMPLED},
    **{f"exports/{name}": EXPORTS / name for name in EXPORTED},
}
FIELDS = {
    *("title", "stage", "status", "priority", "due", "start", "assignees", "labels"),
    *("description", "subtasks", "comments", "is_archived"),
}
GROUP = "Default Subtask Group"
TELLING = {
    f"exports/{name}"
    for name in ("own.csv", "jira.csv", "trello-interface.json", "github-project.json")
} | {"exports/obsidian-dates.md"}
"""Between them they have every field; what is read of each file `test_programs` says."""


def _made(card: Mapping[str, Any]) -> dict[str, Any]:
    """A card of an export as a dry run says it."""
    return {
        **{name: card[name] for name in FIELDS},
        "description": _words(card["description"]),
        "stage": card["stage"]["title"],
        "assignees": sorted(each["login"] for each in card["assignees"]),
        "labels": sorted(each["title"] for each in card["labels"]),
        "subtasks": [
            {
                "title": each["title"],
                "is_done": each["status"] == "closed",
                "group": "" if each["group"] == GROUP else each["group"],
            }
            for each in card["subtasks"] or ()
        ],
        "comments": [each["text"] for each in card["comments"] or ()],
    }


def _planned(card: Mapping[str, Any]) -> dict[str, Any]:
    return {name: card[name] for name in FIELDS} | {
        "assignees": sorted(card["assignees"]),
        "labels": sorted(card["labels"]),
        "description": _words(card["description"]),
    }


def _words(text: str) -> str:
    # A service keeps HTML, of which the same Markdown need not come back.
    return "".join(sign for sign in text if sign.isalnum())


def _in_order(cards: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(cards, key=lambda card: (card["title"], card["stage"]))


@pytest.mark.parametrize(
    "name",
    [name if name in TELLING else pytest.param(name, marks=pytest.mark.long) for name in FILES],
)
def test_what_a_dry_run_says_is_what_is_made(said: Said, name: str) -> None:
    file = str(FILES[name])
    code, text, beside = said("import", file, "--dry-run", "--json")
    assert (code, beside) == (0, "")
    planned = json.loads(text)
    title = planned["board"]["title"]
    code, _, said_dry = said("import", file, "--dry-run")
    assert code == 0
    assert f"  {title} " not in said("boards")[1]

    code, text, said_beside = said("import", file, "--json")
    assert code == 0
    done = json.loads(text)
    assert done["state"] == "sent"
    assert {key: done[key] for key in ("stages", "labels", "present", "gone", "lost")} == {
        key: planned[key] for key in ("stages", "labels", "present", "gone", "lost")
    }
    assert said_beside == said_dry
    assert [line.strip() for line in said_beside.splitlines()[1:]] == planned["lost"]
    made = json.loads(said("export", "--board", title, "--json")[1])
    assert [stage["title"] for stage in made["board"]["stages"]] == planned["stages"]
    assert _in_order([*map(_planned, planned["cards"])]) == _in_order([*map(_made, made["cards"])])

    again = json.loads(said("import", file, "--dry-run", "--json")[1])
    assert (again["cards"], again["stages"]) == ([], [])
    assert sorted(again["present"]) == sorted(card["title"] for card in planned["cards"])


def test_a_dry_run_knows_the_members_of_the_board(said: Said, tmp_path: Path) -> None:
    file = tmp_path / "work.csv"
    file.write_text("Title,Assignees,Due\nMeet,ME; Nobody,2026-12-01\n", encoding="utf-8")
    planned = json.loads(said("import", str(file), "--board", "Platform", "-n", "--json")[1])
    (card,) = planned["cards"]
    assert (card["assignees"], card["description"]) == (["me"], "Assigned to: Nobody")
    assert card["due"] == "2026-12-01T17:00:00+00:00"
    assert said("import", str(file), "--board", "Platform")[0] == 0
    made = next(card for card in board_of(said, "Platform").cards if card.title == "Meet")
    assert (made.assignees, made.description) == (("me",), "Assigned to: Nobody")
