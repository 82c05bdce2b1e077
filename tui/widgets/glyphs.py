"""The signs the program draws with.

Every state has a sign, never a colour alone, and every sign is one cell wide in every terminal (no
emoji, whose width terminals disagree about). `ASCII` gives each sign of ours, and each typographic
sign of our texts, a stand-in of the same width.
"""

from typing import NamedTuple


class Box(NamedTuple):
    """The six strokes a frame is drawn with."""

    top_left: str
    top_right: str
    bottom_left: str
    bottom_right: str
    across: str
    down: str


FRAME = Box("╭", "╮", "╰", "╯", "─", "│")
GHOST = Box("╔", "╗", "╚", "╝", "═", "║")
OUTLINE = Box("┌", "┐", "└", "┘", "╌", "╎")

BAR = "▌"
MARK = "◆"
HERE = "▸"
CHIP = "■"
HIGH = "▲"
MEDIUM = "▵"
DONE = "✓"
OPEN = "◦"
SUBTASKS = "☑"
COMMENTS = "✎"
ON_THE_WAY = "↑"
NEEDS_YOU = "⚠"
NEWS = "●"
SEARCH = "⌕"
ARROW = "→"
LEFT = "‹"
RIGHT = "›"
FULL = "━"
EMPTY = "╌"

ASCII = str.maketrans(
    {
        **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼", "+"),
        **dict.fromkeys("╔╗╚╝║", "#"),
        **dict.fromkeys("─╌", "-"),
        **dict.fromkeys("═━", "="),
        **dict.fromkeys("│╎┃▏▕", "|"),
        **dict.fromkeys("▌▸›", ">"),
        **dict.fromkeys("▂▃▄▅▆▇█▉▊▋▍▎", " "),
        "▁": "_",
        "▔": "-",
        **dict.fromkeys("“”", '"'),
        **dict.fromkeys("‘’", "'"),
        **dict.fromkeys("◆•◦▪★", "*"),
        **dict.fromkeys("–—", "-"),
        **dict.fromkeys("·…", "."),
        "■": "#",
        "▲": "^",
        "▵": "~",
        "✎": "@",
        "✓": "+",
        "☑": "+",
        "↑": "^",
        "↓": "v",
        "←": "<",
        "‹": "<",
        "⚠": "!",
        "●": "o",
        "⌕": "/",
        "→": ">",
        "↵": "<",
        "×": "x",
    }
)
