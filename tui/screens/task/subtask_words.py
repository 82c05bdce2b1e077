"""What is said about subtasks on the status line."""

from tui.model import lift as hand
from tui.model.board import BoardView
from tui.model.lift import Lift
from tui.text.cells import cut, width as cell_width
from tui.widgets import glyphs
from tui.widgets.painted import Line

TITLE_WIDTH = 36
GROUP_WIDTH = 24
KEYS_WIDTH = 46
"""What all but the titles takes, about."""
NARROW = 60
"""Below so many cells it is not said where it came from."""


def moving_line(lifted: Lift, shown: BoardView, width: int) -> Line:
    """What is in the hand, where it would go, where it came from, and how to let go.

    Where `width` is small the titles are cut, so that the keys can be seen.
    """
    over, home = shown.stage(lifted.stage_id), shown.stage(lifted.home_stage_id)
    names = [lifted.tasks[0].title, over.title if over else "", home.title if home else ""]
    if sum(map(cell_width, names)) > width - KEYS_WIDTH:
        room = max(16, width - KEYS_WIDTH)
        names = [cut(names[0], room // 2), *(cut(name, room // 4) for name in names[1:])]
    title, to, origin = (
        cut(name, most)
        for name, most in zip(names, (TITLE_WIDTH, GROUP_WIDTH, GROUP_WIDTH), strict=True)
    )
    count = len(hand.others(lifted, shown, lifted.stage_id)) + len(lifted.tasks)
    what = f"“{title}”" if len(lifted.tasks) == 1 else f"{len(lifted.tasks)} subtasks"
    return (
        (f" MOVING {what}", "hand"),
        (f"  {glyphs.ARROW}  {to} {lifted.row + 1}/{count}", "name"),
        (f"   from {origin} {lifted.home_row + 1}" if width >= NARROW else "", "quiet"),
        ("   ↵", "key"),
        (" drop  ", "quiet"),
        ("esc", "key"),
        (" cancel", "quiet"),
    )
