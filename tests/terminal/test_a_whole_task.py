"""A person does everything to a task with the keys alone, and no network; then it comes back."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.drivers.terminal import Terminal
from tests.terminal.served import COLLEAGUE, Served
from tui.client.client import Client
from tui.store.documents.assemble_detail import comment_text

pytestmark = pytest.mark.long

BOARD, TASK = "Launch", "Write the report"
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
_CTRL_O, _CTRL_S, _CTRL_SPACE = "\x0f", "\x13", "\0"
_SECONDS = 20.0
_STEPS = 23

Ids = tuple[int, int]


async def furnish(client: Client) -> Ids:
    """A board of two people, with a task that has subtasks in two groups; both ids."""
    board = await client.create_board(BOARD, "", "to-do")
    stage = (await client.board(board["id"]))["stages"][0]
    everybody = await client.users()
    colleague = next(one["ID"] for one in everybody if one["display_name"] == "Ben Cook")
    await client.add_member(board["id"], colleague)
    task = await client.create_task(board["id"], stage["id"], TASK)
    for title, steps in (("Before", "XYZ"), ("After", "W")):
        group = await client.create_subtask_group(board["id"], task["id"], title)
        for step in steps:
            await client.create_subtask(board["id"], task["id"], group["id"], f"Step {step}")
    await client.create_label(board["id"], "urgent", text_color="#ffffff", color="#c0392b")
    await client.create_field(board["id"], "Customer", "text")
    await client.create_field(board["id"], "Size", "select", options=["S", "M"])
    await client.create_field(board["id"], "Paid", "checkbox")
    return board["id"], task["id"]


def press(terminal: Terminal, *steps: tuple[str, str]) -> None:
    """Press keys and see what comes of them, step by step.

    Keys are written one after the other with blanks between, “~” before what is typed as it is.
    """
    for keys, seen in steps:
        for key in keys.split():
            terminal.press(*(key[1:].replace("_", " ") if key[0] == "~" else (key,)))
        terminal.sees(seen)


def open_task(terminal: Terminal) -> None:
    """Go from the boards to the task, and wait for everything around it."""
    terminal.sees(BOARD)
    press(terminal, ("enter", TASK), ("enter", "Step W"), ("+", " empty"))
    terminal.until(
        lambda: "Paid" in terminal.text and "not loaded yet" not in terminal.text, "its fields"
    )


def set_by_keys(terminal: Terminal) -> None:
    """Change what has a key of its own."""
    press(
        terminal,
        ("a", "Assign people to"),
        ("~ben space", "[x] Ben Cook"),
        ("enter", "Assigned to Ben Cook"),
        ("t", "Labels of"),
        (f"~urg {_CTRL_SPACE}", "[x] ■ urgent"),
        ("enter", "■urgent"),
        ("p", "Priority of"),
        ("h", "Priority high"),
        ("d", "Due date of"),
        ("~2031-12-05 enter", "Due Fri"),
        ("s", "Start date of"),
        ("~2031-12-01 enter", "Starts Mon"),
        ("w", "Stopped watching"),
        ("e ctrl+u ~Write_it_all enter", "Write it all"),
        ("E", "Description of"),
        (f"~**Bold**_words {_CTRL_S}", "Bold words"),
        ("x", "Closed"),
        ("m", "Move “Write it all”"),
        ("~prog enter", "In Progress"),
    )


def go_down_to(terminal: Terminal, row: str) -> None:
    """Go down in the fields until the cursor is on a row."""
    while (here := _at_cursor(terminal)) != row:
        terminal.press("j")
        terminal.until(lambda here=here: _at_cursor(terminal) not in ("", here), f"below {here}")  # type: ignore[misc]


def _at_cursor(terminal: Terminal) -> str:
    """What the row of the cursor is called; nothing while it is being drawn."""
    marked = [line.partition("▌")[2] for line in terminal.lines]
    names = [one.split()[0] for one in marked if one and not one.startswith(" ")]
    return names[0] if len(names) == 1 else ""


def set_by_rows(terminal: Terminal) -> None:
    """Change the rest at its row: reminder, custom fields, template, cover and contact."""
    press(terminal, ("4", "▌"), ("g g", "▌Stage"))
    go_down_to(terminal, "Reminder")
    press(terminal, ("enter", "Reminder for"), ("~2031-12-04_9:00 enter", "Reminder Thu"))
    go_down_to(terminal, "Customer")
    press(terminal, ("enter", "Customer of"), ("~ACME enter", "to “ACME”"))
    go_down_to(terminal, "Size")
    press(terminal, ("enter", "Size of"), ("2", "to “M”"))
    go_down_to(terminal, "Paid")
    press(terminal, ("enter", "to “yes”"))
    go_down_to(terminal, "Template")
    press(terminal, ("enter", "is now a template"))
    go_down_to(terminal, "Cover")
    press(terminal, ("enter", "Cover of"), ("down enter", "Cover green"))
    go_down_to(terminal, "Contact")
    press(terminal, ("enter", "Contact of"), ("~55 enter", "Contact #55"))


def speak(terminal: Terminal) -> None:
    """Comment with a mention and a picture that lies where one is, and answer oneself."""
    press(
        terminal,
        ("c", "Comment on"),
        ("~Look_@be", "Ben Cook"),
        ("tab", "@ben"),
        (_CTRL_O, "Attach pictures"),
        (f"~dot.png enter {_CTRL_S}", "▪ dot.png"),
        (_CTRL_S, "Commented on"),
        ("T", "dot.png"),
        ("r", "Reply to"),
        (f"~Indeed {_CTRL_S}", "Replied on"),
        ("escape", "1 Description"),
        ("2", "▌Before"),
    )


def arrange(terminal: Terminal) -> None:
    """Carry one subtask to another group, close one, make one a task, add one."""
    press(
        terminal,
        ("g g j space", "◆ Moving “Step X”"),
        ("j j j j", "After 2/2"),
        ("enter", "After 0/2"),
        ("g g j x", "✓ Step Y"),
        ("j <", "Convert “Step Z” to a card"),
        ("~prog enter", "now in In Progress"),
        ("u", "Undone: made the subtask"),
        ("U", "Redone: made the subtask"),
        ("g g j n", "↵ add"),
        ("~Step_N enter", "Before 1/2"),
        ("escape", "space lift"),
    )


def take_back_each(terminal: Terminal) -> None:
    """Take back every change, one after the other, until all is as it was; then do all again."""
    travels = (("u", "Undone:", "Nothing to undo"), ("U", "Redone:", "Nothing to redo"))
    for key, done, end in travels:
        steps = 0
        while end not in terminal.lines[-2]:
            before = terminal.lines[-2]
            terminal.press(key)
            words = (before, done, end)
            terminal.until(lambda words=words: _says(terminal, *words), key)  # type: ignore[misc]
            steps += 1
        assert steps == _STEPS + 1, "each, and a key that says that there are no more"
        terminal.sees(TASK if key == "u" else "Write it all")


def _says(terminal: Terminal, before: str, *words: str) -> bool:
    """Whether the line of messages says one of these, and not what it said before."""
    said = terminal.lines[-2]
    return said != before and any(word in said for word in words)


async def everything(client: Client, ids: Ids) -> dict[str, Any]:
    """What the service holds of the task, in the words of a person."""
    gateway, board_id = client, ids[0]
    task = await gateway.task(*ids)
    board = await gateway.board(board_id)
    titles = {one["id"]: one["title"] for one in board["custom_fields"]}
    stages = {one["id"]: one["title"] for one in board["stages"]}
    values = await gateway.field_values(*ids)
    groups = await gateway.subtask_groups(*ids)
    comments = (await gateway.comments(*ids, 1)).documents
    cards = await gateway.tasks(board_id)
    pictures = [one for comment in comments for one in comment["images"]]
    return {
        "title": task["title"],
        "stage": stages[int(task["stage_id"])],
        "description": task["description"],
        "set": (task["priority"], task["status"], task["is_watching"]),
        "dates": [str(task[name])[:10] for name in ("started_at", "remind_at", "due_at")],
        "people": [one["user_login"] for one in task["assignees"]],
        "labels": [one["title"] for one in task["labels"]],
        "traits": (task["meta"]["is_template"], task["settings"]["cover"]["backgroundColor"]),
        "contact": task["crm_contact_id"],
        "fields": {titles[one["foreign_id"]]: one["settings"]["value"] for one in values},
        "subtasks": {
            group["value"]: [(one["title"], one["status"]) for one in group["subtasks"]]
            for group in groups
        },
        "cards": sorted(one["title"] for one in cards),
        "said": [
            (
                comment_text(one),
                len(one["settings"]["mentioned_id"]),
                [comment_text(two) for two in one["replies"]],
            )
            for one in comments
        ],
        "pictures": [await client.picture(one["secure_url"]) for one in pictures],
    }


def test_everything_done_without_a_network_is_at_the_service_afterwards(tmp_path: Path) -> None:
    served, home = Served(tmp_path / "served"), tmp_path / "home"
    home.mkdir()
    picture = home / "dot.png"
    picture.write_bytes(PIXEL)
    with ExitStack() as stack:
        with served.there():
            ids = served.asked(furnish)
            terminal = stack.enter_context(served.program(home))
            open_task(terminal)
        set_by_keys(terminal)
        set_by_rows(terminal)
        speak(terminal)
        arrange(terminal)
        take_back_each(terminal)
        picture.unlink()
        with served.there():
            terminal.press("R")
            terminal.until(lambda: _is_settled(terminal), "all at the service", seconds=_SECONDS)
            holds = served.asked(lambda client: everything(client, ids))
        press(terminal, ("escape", "1 open"), ("q", ""))
        assert terminal.exit_code() == 0
    assert "<strong>Bold</strong> words" in holds.pop("description")
    assert holds == {
        "title": "Write it all",
        "stage": "In Progress",
        "set": ("high", "closed", False),
        "dates": ["2031-12-01", "2031-12-04", "2031-12-05"],
        "people": [COLLEAGUE],
        "labels": ["urgent"],
        "traits": ("yes", "#4bce97"),
        "contact": 55,
        "fields": {"Customer": "ACME", "Size": "M", "Paid": True},
        "subtasks": {
            "Before": [("Step Y", "closed"), ("Step N", "open")],
            "After": [("Step W", "open"), ("Step X", "open")],
        },
        "cards": ["Step Z", "Write it all"],
        "said": [("Look @ben", 1, ["Indeed"])],
        "pictures": [PIXEL],
    }


def _is_settled(terminal: Terminal) -> bool:
    """Whether every change has arrived, and the screen says so."""
    return "synced" in terminal.lines[0] and "↑" not in terminal.lines[0]
