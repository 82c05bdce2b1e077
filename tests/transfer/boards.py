"""A home with the embedded service, and its boards as plain values to be compared."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from tests.cli.conftest import Said


class Card(NamedTuple):
    """A card of a board; dates are as 2026-12-01 16:30, subtasks as “x Group: title”."""

    stage: str
    title: str
    is_closed: bool = False
    due: str = ""
    start: str = ""
    priority: str = "low"
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    subtasks: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    description: str = ""
    is_archived: bool = False


class Board(NamedTuple):
    """A board; stages that close are marked with an `x`."""

    stages: tuple[str, ...]
    cards: tuple[Card, ...]


def board_of(said: Said, title: str, *profile: str) -> Board:
    """The board with this title, as its export has it."""
    code, text, beside = said(*profile, "export", "--board", title, "--json")
    assert code == 0, beside
    exported = json.loads(text)
    stages = exported["board"]["stages"]
    return Board(
        tuple(f"{stage['title']}{' x' if stage['closes'] else ''}" for stage in stages),
        tuple(map(_card, exported["cards"])),
    )


def _card(card: Mapping[str, Any]) -> Card:
    return Card(
        card["stage"]["title"],
        card["title"],
        card["status"] == "closed",
        _date(card["due"]),
        _date(card["start"]),
        card["priority"],
        tuple(label["title"] for label in card["labels"]),
        tuple(person["login"] for person in card["assignees"]),
        tuple(
            f"{'x' if one['status'] == 'closed' else '-'} {_group(one['group'])}{one['title']}"
            for one in card["subtasks"] or ()
        ),
        tuple(comment["text"] for comment in card["comments"] or ()),
        card["description"],
        card["is_archived"],
    )


def _group(title: str) -> str:
    return "" if title == "Default Subtask Group" else f"{title}: "


def _date(stamp: str | None) -> str:
    return (stamp or "")[:16].replace("T", " ")
