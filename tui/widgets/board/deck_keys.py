"""The keys of a board's columns: moving the cursor, and moving cards with it.

The rule it keeps: a key is declared once and has an id by which it can be remapped; help, palette
and hints are made from these.
"""

from textual.binding import Binding, BindingType


def _key(name: str, keys: str, action: str, label: str, tooltip: str) -> Binding:
    """A key that is not shown among the hints at the bottom."""
    return Binding(keys, action, label, id=name, show=False, tooltip=tooltip)


CURSOR_KEYS: list[BindingType] = [
    _key("cursor.left", "h,left", "go(-1, 0)", "Left", "Go to the column on the left"),
    _key("cursor.down", "j,down", "go(0, 1)", "Down", "Go to the card below"),
    _key("cursor.up", "k,up", "go(0, -1)", "Up", "Go to the card above"),
    _key("cursor.right", "l,right", "go(1, 0)", "Right", "Go to the column on the right"),
    _key("cursor.first", "home", "end(0)", "First card", "Go to the first card of the column"),
    _key("cursor.top", "g g", "end(0)", "First card", "Go to the first card of the column"),
    _key("cursor.last", "G,end", "end(-1)", "Last card", "Go to the last card of the column"),
    _key("cursor.first-column", "0", "column(0)", "First column", "Go to the first column"),
    _key("cursor.last-column", "$", "column(-1)", "Last column", "Go to the last column"),
    *[
        _key(
            f"cursor.column-{n}",
            str(n),
            f"column({n - 1})",
            f"Column {n}",
            "Go to the column of that number",
        )
        for n in range(1, 10)
    ],
    _key("cursor.next-news", "]", "news(1)", "Next change", "Go to the next card others changed"),
    _key(
        "cursor.previous-news",
        "[",
        "news(-1)",
        "Previous change",
        "Go to the card before that others changed",
    ),
    _key("cursor.page-down", "ctrl+d,pagedown", "page(1)", "Page down", "Go down half a page"),
    _key("cursor.page-up", "ctrl+u,pageup", "page(-1)", "Page up", "Go up half a page"),
]

CARD_KEYS: list[BindingType] = [
    Binding(
        "space",
        "lift_or_drop",
        "lift",
        id="task.lift",
        tooltip="Pick up the card, or the marked ones; drop",
    ),
    Binding("enter", "open_or_drop", "open", id="task.open", tooltip="Open the task, or drop"),
    _key("task.move-left", "H,shift+left", "shift(-1, 0)", "Move left", "Move the card left"),
    _key("task.move-down", "J,shift+down", "shift(0, 1)", "Move down", "Move the card down"),
    _key("task.move-up", "K,shift+up", "shift(0, -1)", "Move up", "Move the card up"),
    _key("task.move-right", "L,shift+right", "shift(1, 0)", "Move right", "Move the card right"),
    _key("task.mark", "v", "mark", "Mark", "Mark the card; actions work on all marked"),
    _key("task.mark-range", "V", "mark_range", "Mark range", "Mark from the last mark to here"),
]

COLUMN_KEYS: list[BindingType] = [
    _key("column.collapse", "z", "collapse", "Collapse column", "Fold the column, or unfold it"),
    _key("column.zoom", "Z", "zoom", "Zoom column", "Show this column alone, or all again"),
]
