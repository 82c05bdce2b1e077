"""The keys of a task's subtasks: moving the cursor, carrying, and what only subtasks can do.

The rule it keeps: a key means what it means on a board; each is declared once and has an id by
which it can be remapped.
"""

from textual.binding import Binding, BindingType


def _key(name: str, keys: str, action: str, label: str, tooltip: str) -> Binding:
    """A key that is not shown among the hints at the bottom."""
    return Binding(keys, action, label, id=f"subtask.{name}", show=False, tooltip=tooltip)


HAND_KEYS: list[BindingType] = [
    Binding(
        "space", "lift_or_drop", "lift", id="subtask.lift",
        tooltip="Pick up the subtask, or the marked ones; drop",
    ),
    Binding(
        "enter", "open_or_drop", "open", id="subtask.open",
        tooltip="Open the subtask as a task, or drop",
    ),
    Binding("n", "new", "new", id="subtask.new", tooltip="New subtask below, typed in place"),
    _key("put-back", "escape", "put_back", "Put back", "Put back what is in the hand; clear marks"),
    _key("move-down", "J,shift+down", "shift(1)", "Move down", "Move the subtask one step down"),
    _key("move-up", "K,shift+up", "shift(-1)", "Move up", "Move the subtask one step up"),
    _key("mark", "v", "mark", "Mark", "Mark the subtask; actions work on all marked"),
    _key("mark-range", "V", "mark_range", "Mark range", "Mark from the last mark to here"),
    _key("stay", "tab,shift+tab", "stay", "Stay", "The subtask in the hand is dropped first"),
]  # fmt: skip

CURSOR_KEYS: list[BindingType] = [
    _key("down", "j,down", "go(1)", "Down", "Go to the row below"),
    _key("up", "k,up", "go(-1)", "Up", "Go to the row above"),
    _key("first", "home", "end(0)", "First row", "Go to the first row"),
    _key("top", "g g", "end(0)", "First row", "Go to the first row"),
    _key("last", "G,end", "end(-1)", "Last row", "Go to the last row"),
    _key("group-before", "h,left", "group(-1)", "Group before", "Go to the group before"),
    _key("group-after", "l,right", "group(1)", "Next group", "Go to the next group"),
    _key("page-down", "ctrl+d,pagedown", "go(10)", "Page down", "Go ten rows down"),
    _key("page-up", "ctrl+u,pageup", "go(-10)", "Page up", "Go ten rows up"),
    *[
        _key(
            f"group-{n}", str(n), f"carry_to({n - 1})", f"Group {n}",
            "Carry what is in the hand to the group of that number",
        )
        for n in range(1, 10)
    ],
]  # fmt: skip

DEED_KEYS: list[BindingType] = [
    _key("rename", "e", "rename", "Rename", "Edit the title of the subtask, or of the group"),
    _key("new-group", "N", "new_group", "New group", "New group of subtasks"),
    _key("delete", "D", "ask('delete')", "Delete", "Delete the subtask or the group (asks)"),
    _key("clone", "C", "ask('clone')", "Clone", "Copy the subtask"),
    _key("paste", "P", "ask('paste')", "Paste", "Make subtasks of the lines of a text"),
    _key("to-task", "<", "ask('to_task')", "To a task", "Make the subtask a task of its own"),
    _key("to-group", "m", "ask('to_group')", "To a group", "Move the subtask to another group"),
    _key("archive", "A", "no_archive", "Archive", "Subtasks cannot be archived: says so"),
]
