"""The keys of the deck: they move the cursor, and change or move the card or column at it."""

from textual.binding import Binding, BindingType

from tui.widgets.keys import quiet_keys

CARRY_KEYS = "{cursor.left:h} {cursor.right:l} {cursor.first-column:0} {cursor.last-column:$} 1–9"
"""The keys that move a lifted column, for hints."""

CURSOR_KEYS = quiet_keys(
    "cursor",
    ("left", "h,left", "go(-1, 0)", "Column on the left"),
    ("down", "j,down", "go(0, 1)", "Next card"),
    ("up", "k,up", "go(0, -1)", "Previous card"),
    ("right", "l,right", "go(1, 0)", "Column on the right"),
    ("first", "home", "end(0)", "First card"),
    ("top", "g g", "end(0)", "First card"),
    ("last", "G,end", "end(-1)", "Last card"),
    ("first-column", "0", "column(0)", "First column"),
    ("last-column", "$", "column(-1)", "Last column"),
    *((f"column-{n}", str(n), f"column({n - 1})", "Column by number") for n in range(1, 10)),
    ("next-news", "]", "news(1)", "Next update by others"),
    ("previous-news", "[", "news(-1)", "Previous update by others"),
    ("page-down", "ctrl+d,pagedown", "page(1)", "Half a page down"),
    ("page-up", "ctrl+u,pageup", "page(-1)", "Half a page up"),
)

CARD_KEYS: list[BindingType] = [
    Binding("space", "lift_or_drop", "lift", id="task.lift", tooltip="Lift or drop card"),
    Binding("enter", "open_or_drop", "open", id="task.open", tooltip="Open task"),
    *quiet_keys(
        "task",
        ("move-left", "H,shift+left", "shift(-1, 0)", "Move card left"),
        ("move-down", "J,shift+down", "shift(0, 1)", "Move card down"),
        ("move-up", "K,shift+up", "shift(0, -1)", "Move card up"),
        ("move-right", "L,shift+right", "shift(1, 0)", "Move card right"),
        ("mark", "v", "mark", "Mark or unmark card"),
        ("mark-range", "V", "mark_range", "Mark cards from the last mark"),
    ),
]

COLUMN_KEYS = quiet_keys(
    "column",
    ("collapse", "z", "collapse", "Fold or unfold column"),
    ("zoom", "Z", "zoom", "Show column alone or all"),
    ("fold-lane", "minus", "fold_lane", "Fold or unfold swimlane"),
)
