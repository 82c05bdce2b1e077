"""Which keys of a timeline come first in the footer, with the words for them now."""

from tui.screens.keys import Hints
from tui.text.keyed import keyed
from tui.widgets.bars import hint_line
from tui.widgets.painted import Line

OF_TIMELINE: Hints = {
    "timeline.left timeline.right": "week",
    "timeline.earlier timeline.later": "move dates",
    "timeline.lift": "lift",
    "task.due": "due",
    "task.start": "start",
    "timeline.zoom-in timeline.zoom-out": "zoom",
    "card.open": "open",
    "timeline.today": "today",
    "timeline.agenda": "agenda",
    "timeline.group": "group",
    "list.search": "",
}
OF_AGENDA: Hints = {
    "card.open": "open",
    "task.due": "due",
    "timeline.earlier timeline.later": "move a day",
    "timeline.lift": "lift",
    "timeline.agenda": "timeline",
    "timeline.left timeline.right": "day",
    "task.start": "start",
    "task.close": "close",
    "task.assign": "assign",
    "timeline.today": "today",
    "list.back": "back",
}


def carrying(room: int) -> Line:
    """The keys that carry what is lifted, drop it and put it back."""
    keys = (
        (keyed("{timeline.left:h} {timeline.right:l}"), "carry"),
        (keyed("{rows.open:↵}"), "drop"),
        (keyed("{list.back:esc}"), "cancel"),
    )
    return hint_line(keys, room)
