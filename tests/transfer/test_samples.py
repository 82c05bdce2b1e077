"""Each file, as its program writes it, becomes the board that it describes; imported twice, too."""

from pathlib import Path

import pytest

from tests.cli.conftest import Said
from tests.lint import tables
from tests.transfer.boards import Board, Card, board_of

SAMPLES = Path(__file__).with_name("samples")

TRELLO = Board(
    ("To do", "Doing", "Done x"),
    (
        Card(
            "To do",
            "Fix the login",
            due="2026-12-01 16:30",
            start="2026-11-20 09:00",
            labels=("Bug", "dark green"),
            subtasks=("x Reproduce it", "- Find the cause", "- Release: Tell the team"),
            comments=(
                "Ann Miller, 2026-03-01 08:15:\n\nSeen on *two* machines.",
                "Ben Ode, 2026-03-03 09:30:\n\nOnly with cookies off.",
            ),
            description="It fails with **two** tabs.\n\n1. Open one\n2. Open another\n\n"
            "Attachments:\n\n- [Report draft](https://example.org/report?a=1)\n\n"
            "Assigned to: Ann Miller, Ben Ode",
        ),
        Card("To do", "Second in the list", labels=("Plain",)),
        Card("Doing", "Write the news"),
        Card("Done", "Shipped", is_closed=True, due="2026-02-01 12:00"),
        Card("To do", "An old idea", is_archived=True),
        Card("To do", "Put away", is_archived=True),
    ),
)
GITHUB = Board(
    ("Open", "In progress", "Closed x"),
    (
        Card(
            "Open",
            "Add a map",
            description="Plain text\n\n[#10](https://github.com/example/shop/issues/10)",
        ),
        Card(
            "In progress",
            "Login fails in two tabs",
            due="2026-12-24 17:00",
            labels=("bug", "help wanted", "v1.2"),
            comments=("ben, 2026-01-06 11:30:\n\nI can see it.",),
            description="Steps:\n\n- [ ] one\n- [x] two\n\n"
            "[#11](https://github.com/example/shop/issues/11)\n\nAssigned to: Ann Miller, ben",
        ),
        Card(
            "Closed",
            "Support gopher",
            is_closed=True,
            description="[#12](https://github.com/example/shop/issues/12)",
        ),
    ),
)
TASKS = Board(
    ("Pending", "Started", "Waiting", "Completed x"),
    (
        Card(
            "Pending",
            "Buy milk",
            due="2026-12-01 16:30",
            priority="high",
            labels=("Home", "shop", "next"),
        ),
        Card(
            "Started",
            "Paint the fence",
            start="2026-11-20 09:00",
            comments=("2026-03-03 08:15:\n\nGreen or white?", "2026-03-04 09:00:\n\nGreen."),
        ),
        Card("Waiting", "Renew the passport", priority="medium"),
        Card("Completed", "Sow carrots", is_closed=True),
    ),
)
ISSUES = Board(
    ("In Progress", "To Do", "Done x"),
    (
        Card(
            "In Progress",
            'Fix the "login"',
            due="2026-12-01 17:00",
            priority="high",
            labels=("bug", "later"),
            description="Assigned to: Ann Miller",
        ),
        Card("To Do", "Two lines", priority="high", description="Assigned to: ben"),
        Card("Done", "Zähler prüfen", is_closed=True),
    ),
)
TRIPS = Board(
    ("Next", "Someday"),
    (
        Card(
            "Next",
            "Plan the trip",
            due="2026-12-01 17:00",
            start="2026-11-20 17:00",
            labels=("travel", "family"),
            description="Where to?\n\nAssigned to: Ann Miller",
        ),
        Card("Someday", "Book a train"),
    ),
)
OBSIDIAN = Board(
    ("Ideas", "Doing", "Ready x"),
    (
        Card(
            "Ideas",
            "Plan the [[Trip|trip]]",
            due="2026-12-01 10:30",
            labels=("travel", "family/kids"),
            subtasks=("- Book", "x Compare", "x Pack: Socks", "- Pack: Passport"),
            description="By train, if _possible_.\n\n- a night train?",
        ),
        Card(
            "Ideas",
            "Read",
            due="2026-12-24 17:00",
            priority="high",
            description="The long one",
        ),
        Card("Doing", "Paint C#", due="2026-12-03 17:00", priority="medium"),
        Card("Ready", "Water the garden", is_closed=True),
        Card("Ideas", "2026-01-05 Sow carrots", is_closed=True, is_archived=True),
    ),
)
TASKELL = Board(
    ("To Do", "Done x"),
    (
        Card(
            "To Do",
            "Fix the login",
            due="2026-12-01 16:30",
            subtasks=("x Reproduce it", "- Find the cause"),
            description="It fails with two tabs.\n\n- open one",
        ),
        Card("To Do", "Write the news", due="2026-12-24 17:00"),
        Card("Done", "Ship it", is_closed=True),
    ),
)
EACH = {
    "trello.json": ("Web shop of Trello", TRELLO),
    "github.json": ("shop", GITHUB),
    "taskwarrior.json": ("Tasks", TASKS),
    "taskwarrior-lines.json": ("Tasks", TASKS),
    "semicolons.csv": ("semicolons", ISSUES),
    "asana.csv": ("asana", TRIPS),
    "obsidian.md": ("obsidian", OBSIDIAN),
    "taskell.md": ("taskell", TASKELL),
}
TASKS_LOST = [
    "deleted tasks: 1",
    "templates of recurring tasks: 1",
    "“entry”: 4 cards",
    "“modified”: 4 cards",
    "“start”: 1 card",
    "“wait”: 1 card",
    "“end”: 1 card",
]
LOST = {
    "trello.json": [
        "history, such as moves: 1 card",
        "custom fields: 1 card",
        "archived lists: their cards are in the archive, of the first stage",
        "“dateLastActivity”: 6 cards",
        "“url”: 6 cards",
        "“attachments.date”: 1 card",
        "“attachments.idMember”: 1 card",
        "“stickers”: 1 card",
        "“checklists.checkItems.due”: 1 card",
        "“checklists.checkItems.idMember”: 1 card",
        "assignees who are not on the board, named in the description: Ann Miller, Ben Ode",
    ],
    "github.json": [
        "issues closed as not planned, which are only closed here: 1 card",
        "“author”: 3 cards",
        "“closedAt”: 1 card",
        "“createdAt”: 3 cards",
        "“updatedAt”: 3 cards",
        "“labels.description”: 1 card",
        "“projectItems.title”: 1 card",
        "assignees who are not on the board, named in the description: Ann Miller, ben",
    ],
    "taskwarrior.json": TASKS_LOST,
    "taskwarrior-lines.json": TASKS_LOST,
    "semicolons.csv": [
        "“Sprint”: 2 cards",
        "“Due date” (not understood): 1 card",
        "assignees who are not on the board, named in the description: Ann Miller, ben",
    ],
    "asana.csv": [
        "“Created At”: 2 cards",
        "assignees who are not on the board, named in the description: Ann Miller",
    ],
    "obsidian.md": [
        "subtasks of subtasks, which are subtasks here: 1 card",
        "limits of stages: 1",
    ],
}
"""What is in the files and cannot be on a board."""


def test_every_sample_is_tried() -> None:
    files = {file.name for file in SAMPLES.iterdir()}
    tables.check(
        tables.missing(
            (f'"{name}": ("TITLE", BOARD),' for name in files - EACH.keys()), "`EACH`", __file__
        ),
        tables.obsolete(EACH.keys() - files, "`EACH`", __file__),
    )


@pytest.mark.long
@pytest.mark.parametrize("name", EACH)
def test_a_file_becomes_its_board_and_only_once(name: str, said: Said) -> None:
    title, board = EACH[name]
    file = str(SAMPLES / name)
    code, planned, _ = said("import", file, "--dry-run")
    assert code == 0
    assert f"would create the board “{title}”" in planned
    assert f"would add {len(board.cards)} cards" in planned
    assert f"  {title} " not in said("boards")[1]

    code, text, beside = said("import", file)
    assert (code, text.splitlines()[0]) == (0, f"added the board “{title}”")
    assert [line.strip() for line in beside.splitlines()[1:]] == LOST.get(name, [])
    assert beside.startswith("callboard: not imported as it is in the file:\n") == (name in LOST)
    assert text.splitlines()[-1] == f"imported {len(board.cards)} cards to “{title}”"
    made = board_of(said, title)
    assert made.stages == board.stages
    active = [card for card in made.cards if not card.is_archived]
    assert active == [card for card in board.cards if not card.is_archived]
    assert sorted(made.cards) == sorted(board.cards)

    code, text, beside = said("import", file)
    assert (code, beside) == (0, "")
    assert text == f"all are already on “{title}”, and were left unchanged\n"
    assert board_of(said, title) == made
