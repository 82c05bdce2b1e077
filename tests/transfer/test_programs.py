"""What the files of programs say, card by card, and what of them is listed as not taken."""

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.harness.zones import zone_of_machine
from tests.lint import tables
from tui.transfer.formats.csv_writing import COLUMNS
from tui.transfer.moments import written
from tui.transfer.reading import read_sheet
from tui.transfer.sheet import NotReadable, Sheet, SheetCard

EXPORTS = Path(__file__).with_name("exports")


def read(name: str) -> Sheet:
    """The sheet of an export."""
    file = EXPORTS / name
    return read_sheet(file.read_bytes(), file.stem, "", {})


def said(card: SheetCard) -> dict[str, Any]:
    """What a card has, without what it has not."""
    plain: dict[str, Any] = {
        "due": written(card.due_at),
        "start": written(card.started_at),
        "priority": card.priority.value.removeprefix("low"),
        "people": [" ".join(names) for names in card.people],
        "labels": [*card.labels],
        "subtasks": [
            f"{'x' if one.is_done else '-'} {one.group}: {one.title}" for one in card.subtasks
        ],
        "comments": [f"{one.author} {written(one.at)}: {one.text}" for one in card.comments],
        "id": card.own_id,
    }
    plain |= {
        field.name: getattr(card, field.name)
        for field in fields(card)
        if field.name in ("title", "stage", "description", "is_done", "is_archived")
    }
    return {name: value for name, value in plain.items() if value}


CARDS: Mapping[str, list[dict[str, Any]]] = {
    "asana.csv": [
        {
            "id": "9001",
            "title": "Rent a van",
            "stage": "Planning",
            "description": "Ask for two keys",
            "labels": ["trip", "car"],
            "people": ["Ann Miller ann@example.org"],
            "due": "2026-12-10",
            "start": "2026-12-01",
        },
        {
            "id": "9002",
            "title": "Choose a day",
            "stage": "Planning",
            "people": ["eve@example.org"],
            "is_done": True,
        },
        {"id": "9003", "title": "Call the porter", "is_done": True},
    ],
    "jira.csv": [
        {
            "id": "YARD-1",
            "title": "Repair the gate",
            "stage": "To Do",
            "description": "First line\nSecond line",
            "labels": ["wood", "tools"],
            "people": ["Ann Miller 5b1"],
            "due": "2026-01-10",
            "priority": "high",
            "comments": [
                "5b1 2026-01-09 15:55: Buy oil; then paint",
                "ben 2026-01-10 08:00: Done by noon?",
            ],
        },
        {"id": "YARD-2", "title": "Oil the hinges", "stage": "Rolled out", "is_done": True},
        {
            "id": "YARD-3",
            "title": "Mow",
            "stage": "In Review",
            "priority": "medium",
            "comments": [" : just words"],
        },
    ],
    "linear.csv": [
        {
            "id": "KIT-1",
            "title": "-5 degrees",
            "stage": "In Progress",
            "description": "Cold",
            "labels": ["Bug", "Ice"],
            "people": ["ben@example.org"],
            "due": "2026-12-24",
            "start": "2026-01-02 08:30",
            "priority": "high",
        },
        {"id": "KIT-2", "title": "Descale", "stage": "Shipped out", "is_done": True},
        {
            "id": "KIT-3",
            "title": "Sharpen",
            "stage": "Dropped",
            "is_done": True,
            "is_archived": True,
        },
    ],
    "trello.csv": [
        {
            "id": "trello c1",
            "title": "Bake bread",
            "stage": "Todo",
            "description": "Text",
            "labels": ["rye", "sour", "sky"],
            "people": ["ann"],
            "due": "2026-12-01 00:00",
            "is_done": True,
        },
        {"id": "trello c2", "title": "Old", "stage": "Todo", "is_archived": True},
    ],
    "excel.csv": [
        {"title": "Paint, twice", "stage": "Doing", "due": "2026-12-01"},
        {"title": "Sand", "stage": "Doing", "due": "2026-12-01", "is_done": True},
    ],
    "own.csv": [
        {
            "id": "card-5",
            "title": "=Sum",
            "stage": "Doing",
            "description": "Some *words*",
            "labels": ["bug", "a, b"],
            "people": ["ann", "Ben Ode"],
            "due": "2026-12-01 00:00",
            "start": "2026-11-01",
            "priority": "medium",
            "subtasks": ["x : One", "- Group: Two"],
            "is_done": True,
        },
        {"id": "card-6", "title": "Old", "stage": "Doing", "is_archived": True},
    ],
    "sheets.csv": [{"id": "1", "title": "Water", "stage": "Garden", "due": "2026-12-01"}],
    "github-pages.json": [
        {
            "id": "github https://github.com/ann/map/issues/2",
            "title": "Draw roads",
            "stage": "Closed",
            "description": "[#2](<https://github.com/ann/map/issues/2>)",
            "is_done": True,
        },
        {
            "id": "github https://github.com/ann/map/issues/1",
            "title": "Draw rivers",
            "stage": "Open",
            "description": "[#1](<https://github.com/ann/map/issues/1>)",
            "labels": ["water", "v1"],
            "people": ["ann ann"],
            "due": "2026-12-24",
        },
    ],
    "github-project.json": [
        {
            "id": "github https://github.com/ann/map/issues/1",
            "title": "Draw rivers",
            "stage": "In progress",
            "description": "All of them\n\n[#1](<https://github.com/ann/map/issues/1>)",
            "labels": ["water", "v1"],
            "people": ["ann"],
            "due": "2026-12-24",
            "start": "2026-12-01",
            "priority": "high",
        },
        {"id": "github PVTI_2", "title": "An idea", "stage": "No status"},
        {
            "id": "github https://github.com/ann/map/issues/3",
            "title": "Was drawn",
            "stage": "Done",
            "description": "[#3](<https://github.com/ann/map/pull/3>)",
            "is_done": True,
        },
    ],
    "gitlab.json": [
        {
            "id": "gitlab yard/shop#5",
            "title": "Cut",
            "stage": "Closed",
            "description": "[#5](<https://gitlab.com/yard/shop/-/issues/5>)",
            "labels": ["saw"],
            "is_done": True,
        },
        {
            "id": "gitlab yard/shop#6",
            "title": "Glue the box",
            "stage": "Open",
            "description": "With wood glue\n\n[#6](<https://gitlab.com/yard/shop/-/issues/6>)",
            "labels": ["wood", "box", "v2"],
            "people": ["Ann Miller ann"],
            "due": "2026-12-24",
        },
    ],
    "taskwarrior.json": [
        {
            "id": "taskwarrior 0f0f0f0f-0000-4000-8000-00000000000a",
            "title": "Prune the roses",
            "stage": "Waiting",
            "due": "2038-01-18",
        },
        {
            "id": "taskwarrior 0f0f0f0f-0000-4000-8000-00000000000b",
            "title": "Dig",
            "stage": "Pending",
        },
    ],
    "trello-interface.json": [
        {
            "id": "trello c1",
            "title": "Bake bread",
            "stage": "Todo",
            "description": "See [the book](https://example.org)",
            "labels": ["rye"],
            "people": ["Ann Miller ann", "Ben Ode ben"],
            "due": "2026-12-01 16:30",
            "subtasks": ["x Steps: Knead", "- Steps: Wait"],
            "comments": ["Ben Ode 2026-03-02 08:00: Use the old dough."],
            "is_done": True,
        },
        {"id": "trello c4", "title": "https://trello.com/c/abc/5-other", "stage": "Todo"},
    ],
    "headings.md": [
        {
            "id": "F-1",
            "title": "Mend the fence",
            "stage": "Todo",
            "description": "- workload: Hard\nIt leans **left**.\n\n# Not a heading",
            "labels": ["wood", "tools", "garden"],
            "people": ["ann", "ben"],
            "due": "2026-12-24",
            "start": "2026-12-01",
            "priority": "high",
            "subtasks": ["x : Measure", "- : Saw"],
        },
        {
            "title": "Sow",
            "stage": "Todo",
            "description": "Some words, then\n\n#### Where\n\n- near the gate",
        },
        {"title": "Rake", "stage": "Done", "is_done": True},
        {"title": "Weed", "stage": "Done"},
    ],
    "obsidian-dates.md": [
        {
            "title": "Fix the pump",
            "stage": "Next",
            "description": "more about it\nbetween #tags and words",
            "labels": ["water", "urgent", "tags"],
            "due": "2026-12-24 21:30",
            "start": "2026-12-01",
            "priority": "high",
        },
        {"title": "Call", "stage": "Next", "due": "2026-12-24"},
        {"title": "Write @due{no date}", "stage": "Next"},
        {"id": "abc", "title": "Read", "stage": "Next", "due": "2026-01-04", "is_done": True},
    ],
}
LOST: Mapping[str, list[str]] = {
    "asana.csv": [
        "“Created At”: 3 cards",
        "“Last Modified”: 3 cards",
        "“Projects”: 3 cards",
        "“Completed At” (the date): 2 cards",
        "“Blocking (Dependencies)”: 1 card",
        "“Parent task”: 1 card",
    ],
    "jira.csv": [
        "“Issue Type”: 3 cards",
        "“Created”: 3 cards",
        "“Status Category Changed”: 2 cards",
        "“Sprint”: 1 card",
        "“Resolution”: 1 card",
        "“Parent”: 1 card",
        "“Due date” (not understood): 1 card",
    ],
    "linear.csv": [
        "“Team”: 3 cards",
        "“Estimate”: 1 card",
        "“Creator”: 2 cards",
        "“Created”: 3 cards",
        "“Completed” (the date): 1 card",
        "“Parent issue”: 1 card",
        "“Canceled” (the date): 1 card",
        "“Archived” (the date): 1 card",
    ],
    "trello.csv": [
        "“Card URL”: 2 cards",
        "“Comment Count”: 1 card",
        "“Last Activity Date”: 2 cards",
        "“Board Name”: 2 cards",
    ],
    "excel.csv": [],
    "own.csv": [],
    "sheets.csv": [
        "lines above the names of the columns: 1",
    ],
    "github-pages.json": [
        "“user”: 1 card",
        "“milestone.description”: 1 card",
        "“comments”: 1 card",
        "“created_at”: 1 card",
        "“updated_at”: 1 card",
        "“type”: 1 card",
        "“state_reason”: 1 card",
        "“closed_at”: 1 card",
    ],
    "github-project.json": [
        "items that are not in the file, as --limit was lower: 2",
        "“estimate”: 1 card",
        "“sprint”: 1 card",
        "“linked pull requests”: 1 card",
        "“content.type”: 1 card",
    ],
    "gitlab.json": [
        "“created_at”: 1 card",
        "“updated_at”: 1 card",
        "“milestone.due_date”: 1 card",
        "“author”: 1 card",
        "“user_notes_count”: 1 card",
        "“time_stats.time_estimate”: 1 card",
        "“time_stats.human_time_estimate”: 1 card",
        "“weight”: 1 card",
        "“closed_at”: 1 card",
    ],
    "taskwarrior.json": [
        "“entry”: 2 cards",
        "“modified”: 2 cards",
        "“wait”: 2 cards",
        "“until”: 1 card",
        "“estimate”: 1 card",
        "“recur”: 1 card",
        "“parent”: 1 card",
    ],
    "trello-interface.json": [
        "history, such as moves: 1 card",
        "templates of cards: 1",
        "separators between cards: 1",
        "“checklists.checkItems.due”: 1 card",
        "“cover.color”: 1 card",
        "“desc” of the board: 1",
    ],
    "headings.md": [
        "“defaultExpanded”: 1 card",
        "dates of completion: 1 card",
        "“author” of the file: 1",
    ],
    "obsidian-dates.md": [
        "dates that are not understood: 1 card",
        "dates of completion: 1 card",
    ],
}


def test_every_export_is_read() -> None:
    files = {file.name for file in EXPORTS.iterdir()}
    tables.check(
        tables.missing(
            (f'"{name}": [CARDS],' for name in files - CARDS.keys()), "`CARDS`", __file__
        ),
        tables.missing((f'"{name}": [],' for name in files - LOST.keys()), "`LOST`", __file__),
        tables.obsolete((CARDS.keys() | LOST.keys()) - files, "`CARDS` and `LOST`", __file__),
    )


@pytest.mark.parametrize("name", CARDS)
def test_an_export_says_what_its_cards_are(name: str) -> None:
    sheet = read(name)
    assert [said(card) for card in sheet.cards] == CARDS[name]
    assert [*sheet.lost] == LOST[name]


def test_a_stage_closes_if_its_program_says_so() -> None:
    closing = {
        name: [stage.title for stage in read(name).stages if stage.closes]
        for name in ("jira.csv", "linear.csv", "github-project.json", "headings.md")
    }
    assert closing == {
        "jira.csv": ["Rolled out"],
        "linear.csv": ["Shipped out"],
        "github-project.json": ["Done"],
        "headings.md": ["Done"],
    }


def test_labels_have_the_colors_of_their_program() -> None:
    assert read("gitlab.json").colors == {"saw": "#ff0000", "wood": "#8b4513"}
    assert read("trello.csv").colors == {"rye": "#f87168", "sky": "#6cc3e0"}


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Europe/Berlin", "Pacific/Auckland"])
@pytest.mark.parametrize("name", ["github-pages.json", "gitlab.json", "linear.csv", "jira.csv"])
def test_a_day_is_that_day_in_every_zone(name: str, zone: str) -> None:
    with zone_of_machine(zone):
        assert [card.due_at for card in read(name).cards] == [
            card.due_at for card in read_in_utc(name).cards
        ]


def read_in_utc(name: str) -> Sheet:
    """The sheet of an export on another machine."""
    with zone_of_machine("UTC"):
        return read(name)


def test_pages_of_an_interface_are_read_as_one_list() -> None:
    first, second = {"number": 1, "title": "A", "state": "open"}, {"number": 2, "title": "B"}
    pages = [[first], [second], []]
    for text in (
        json.dumps(pages),
        "".join(map(json.dumps, pages)),
        "\n".join(map(json.dumps, pages)),
        f"{json.dumps(first)}\n{json.dumps(second)}\n",
        f"{json.dumps(first)},\n{json.dumps(second)},\n",
    ):
        sheet = read_sheet(text.encode(), "x", "", {})
        assert sorted(card.title for card in sheet.cards) == ["A", "B"]
        assert sorted(card.key for card in sheet.cards) == ["github 1", "github 2"]
    with pytest.raises(NotReadable, match="line 2 is no JSON"):
        read_sheet(b'[{"number": 1, "title": "A"}]\n[{', "x", "", {})


@pytest.mark.parametrize("above", ["sep=;\n", '"sep=;"\n', "SEP=;\n", "\n\n"])
def test_the_separator_that_excel_asks_for_is_used(above: str) -> None:
    text = f"{above}Title;Stage;Notes\nA,1;Doing;a, b, c, d\n"
    (card,) = read_sheet(text.encode(), "x", "", {}).cards
    assert (card.title, card.stage, card.description) == ("A,1", "Doing", "a, b, c, d")


def test_lines_may_end_in_a_carriage_return() -> None:
    sheet = read_sheet(b"Title,Stage\rA,Doing\rB,Doing\r", "x", "", {})
    assert [card.title for card in sheet.cards] == ["A", "B"]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"Title" + b"," * 2_000_000, 1),
        (b"," * 2_000_000 + b"\nTitle,Stage\n", 1),
        (b"Title,Stage\nA" + b"," * 2_000_000, 2),
        (b"sep=;\nTitle" + b";" * 2_000_000, 1),
    ],
    ids=["heading", "above", "row", "separator"],
)
def test_millions_of_columns_are_refused_before_they_are_cells(content: bytes, line: int) -> None:
    with pytest.raises(NotReadable, match=rf"^line {line} has \d+(,000){{2}} columns, too many"):
        read_sheet(content, "x", "csv", {})


@pytest.mark.long
def test_columns_that_fill_the_largest_file_are_refused() -> None:
    with pytest.raises(NotReadable, match=r"^line 1 has 62,000,000 columns, too many"):
        read_sheet(b"Title" + b"," * 62_000_000, "x", "csv", {})


def test_a_list_of_cards_of_trello_is_read_without_its_lists() -> None:
    cards = [{"id": "c1", "name": "A", "idList": "l1"}, {"id": "c2", "name": "B", "idList": "l1"}]
    sheet = read_sheet(json.dumps(cards).encode(), "cards", "", {})
    assert [(card.title, card.key) for card in sheet.cards] == [
        ("A", "trello c1"),
        ("B", "trello c2"),
    ]
    assert (sheet.title, sheet.lost) == ("cards", ("“idList”: 2 cards",))


def test_cards_within_the_lists_of_trello_are_read() -> None:
    lists = [{"id": "l", "name": "L", "cards": [{"name": "A", "idList": "l"}]}]
    board = {"id": "b", "name": "B", "lists": lists}
    (card,) = read_sheet(json.dumps(board).encode(), "x", "", {}).cards
    assert (card.title, card.stage) == ("A", "L")


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("Title,Completed\nA,2026-01-01\nB,\n", [True, False]),
        ("Title,Completed At,Status\nA,2026-01-01,Open\nB,,Open\n", [True, False]),
        ("Title,Status,Status Category\nA,Live,Done\nB,Done,In Progress\n", [True, False]),
        ("Title,Due Complete,List Name\nA,true,Todo\nB,false,Todo\n", [True, False]),
        ("Title,Done,Stage\nA,100%,Todo\nB,no,Todo\n", [True, False]),
        ("Title,Resolution\nA,Fixed\nB,Unresolved\n", [True, False]),
        ("Title,Stage\nA,Not done\nB,To be released\n", [False, False]),
        ("Title,Completed Date\nA,02/01/2026\nB,\n", [True, False]),
        ("Title,Completed\nA,5/9/26 8:00\nB,maybe\n", [True, False]),
        ("Title,Current State,Accepted at\nA,accepted,2026-01-01\nB,started,\n", [True, False]),
        ("Title,Canceled,Status\nA,2026-01-01T00:00:00Z,Dropped\nB,,Dropped\n", [True, False]),
    ],
)
def test_done_is_done_whatever_says_so(text: str, done: list[bool]) -> None:
    sheet = read_sheet(text.encode(), "x", "", {})
    assert [card.is_done for card in sheet.cards] == done


def test_a_status_beside_a_stage_is_taken_or_listed() -> None:
    text = "Title,Stage,Status\nA,One,Blocked\nB,One,Open\nC,One,Done\nD,One,Waiting\n"
    sheet = read_sheet(text.encode(), "x", "", {})
    assert [card.is_done for card in sheet.cards] == [False, False, True, False]
    assert sheet.lost == ("“Status”: 2 cards",)


def test_a_range_of_days_is_from_the_start_to_the_due_date() -> None:
    rows = (
        'A,Ann,"December 1, 2026 → December 3, 2026"',
        "B,,soon → later",
        "C,,soon → 2026-12-03",
    )
    text = "\n".join(("Name,Assign,Due", *rows))
    sheet = read_sheet(text.encode(), "x", "", {})
    first, second, third = sheet.cards
    assert (written(first.started_at), written(first.due_at)) == ("2026-12-01", "2026-12-03")
    assert (first.people, second.due_at, second.started_at) == ((("Ann",),), None, None)
    assert (third.started_at, written(third.due_at)) == (None, "2026-12-03")
    assert sheet.lost == ("“Due” (not understood): 2 cards",)


def test_lists_in_brackets_and_what_stands_for_nothing_are_read() -> None:
    # As ClickUp writes them.
    text = """
        Task ID|Task Name|Task Content|Status|Due Date|Assignees|Tags|Priority|List Name|Comments
        a|Write|All|doing|1796137200000|[Ann,Jo]|[bug,ui]|2|L|[]
        b|null|null|Closed|null|[]|[]|null|L|{}
    """
    with zone_of_machine("UTC"):
        sheet = read_sheet(dedent(text).encode(), "x", "", {})
    assert list(map(said, sheet.cards)) == [
        {
            "id": "a",
            "title": "Write",
            "stage": "doing",
            "description": "All",
            "due": "2026-12-01 15:00",
            "people": ["Ann", "Jo"],
            "labels": ["bug", "ui"],
        },
        {"id": "b", "title": "null", "stage": "Closed", "is_done": True},
    ]
    assert sheet.lost == ("“Priority” (not understood): 1 card", "“List Name”: 2 cards")


@pytest.mark.parametrize(
    ("columns", "card"),
    [
        ({}, ("A", "doing")),
        ({"stage": "List Name"}, ("A", "L")),
        ({"title": "List Name"}, ("L", "doing")),
        ({"labels": "Status"}, ("A", "L")),
    ],
)
def test_what_is_mapped_comes_before_what_is_known_of_clickup(
    columns: Mapping[str, str], card: tuple[str, str]
) -> None:
    text = "Task Name,Status,List Name\nA,doing,L\n"
    sheet = read_sheet(text.encode(), "x", "", columns)
    assert [(found.title, found.stage) for found in sheet.cards] == [card]


def test_an_own_export_keeps_labels_in_brackets() -> None:
    text = ",".join(COLUMNS) + "\n"
    row = {"Title": "A", "Labels": "[wip]", "Description": "null"}
    text += ",".join(row.get(name, "") for name in COLUMNS) + "\n"
    (card,) = read_sheet(text.encode(), "x", "", {}).cards
    assert (card.labels, card.description) == (("[wip]",), "null")


@pytest.mark.parametrize(
    ("text", "columns", "titles"),
    [
        ("TYPE,CONTENT\nsection,Todo\ntask,Write\n", {"title": "CONTENT"}, ["Todo", "Write"]),
        ("Plan,,\nWhat,Where,\nA,Todo,\ntask,Todo,\n", {"title": "what"}, ["A", "task"]),
        ("Plan,,\nTitle,Stage,\nA,Todo,\n", {}, ["A"]),
        (",,\n,2026,\nTitle,Stage,\nA,Todo,\n", {}, ["A"]),
        ("What,Where\ntask,Todo\n", {"stage": "Where", "title": "What"}, ["task"]),
    ],
)
def test_the_row_that_names_the_columns_is_found(
    text: str, columns: Mapping[str, str], titles: list[str]
) -> None:
    sheet = read_sheet(text.encode(), "x", "csv", columns)
    assert [card.title for card in sheet.cards] == titles


@pytest.mark.parametrize(
    "text",
    [
        "| Title | Stage |\n|---|:-----:|\n| A | Todo |\n| B | Todo |\n",
        "Plan,,\nTitle,Stage,\nA,Todo,\n,,\ntitle,Stage,\nB,Todo,\n",
    ],
)
def test_rules_and_names_of_columns_between_cards_are_no_cards(text: str) -> None:
    sheet = read_sheet(text.encode(), "x", "csv", {})
    assert [(card.title, card.stage) for card in sheet.cards] == [("A", "Todo"), ("B", "Todo")]


@pytest.mark.parametrize("names", ["Person,Date", "Owned By,Deadline", "Responsible,Due"])
def test_people_and_dates_have_many_names(names: str) -> None:
    sheet = read_sheet(f"Name,{names}\nA,Ann,2026-12-05\n".encode(), "x", "", {})
    (card,) = sheet.cards
    assert (card.people, written(card.due_at), sheet.lost) == ((("Ann",),), "2026-12-05", ())


def test_a_card_called_task_names_no_columns() -> None:
    text = "TYPE,CONTENT\nsection,Todo\ntask,Write\n"
    with pytest.raises(NotReadable, match=r"as that of titles, of “TYPE”, “CONTENT”\.$"):
        read_sheet(text.encode(), "x", "csv", {})


def test_items_of_a_checklist_may_be_in_one_line() -> None:
    text = "Task Name,Checklist Items\nA,One;Two\nB,[ ] One; two\n"
    first, second = read_sheet(text.encode(), "x", "", {}).cards
    assert [one.title for one in first.subtasks] == ["One", "Two"]
    assert [one.title for one in second.subtasks] == ["One; two"]


def test_settings_in_the_front_matter_count_too() -> None:
    text = "---\nkanban-plugin: basic\ndate-format: DD.MM.YY\n---\n## A\n- [ ] B @{24.12.26}\n"
    (card,) = read_sheet(text.encode(), "x", "", {}).cards
    assert (card.title, written(card.due_at)) == ("B", "2026-12-24")


def test_one_stage_may_have_headings_as_cards() -> None:
    sheet = read_sheet(b"## Todo\n\n### A\n### B\n", "x", "", {})
    assert [(card.title, card.stage) for card in sheet.cards] == [("A", "Todo"), ("B", "Todo")]
