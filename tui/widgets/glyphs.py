"""The glyphs the program draws, and their ASCII replacements.

Every state has a glyph, never a colour alone. Every glyph is one cell wide in every terminal; there
are no emoji, because terminals disagree about their width. `ASCII` replaces each glyph, and each
typographic character of our texts, by one of the same width.
"""

from typing import NamedTuple


class Box(NamedTuple):
    """The six characters of a frame."""

    top_left: str
    top_right: str
    bottom_left: str
    bottom_right: str
    across: str
    down: str


FRAME = Box("╭", "╮", "╰", "╯", "─", "│")
OUTLINE = Box("┌", "┐", "└", "┘", "╌", "╎")

BAR = "▌"
BAR_AT_END = "▐"
MARK = "◆"
HERE = "▸"
PIN = "★"
CHIP = "■"
HIGH = "▲"
SORTED_DOWN = "▼"
MEDIUM = "▵"
DONE = "✓"
OPEN = "◦"
SUBTASKS = "☑"
COMMENTS = "✎"
ON_THE_WAY = "↑"
NEEDS_YOU = "⚠"
NEWS = "●"
NOBODY = "○"
BLOCKED = "⊘"
HOLDS_UP = "»"
STALE = "~"
TEMPLATE = "□"
AGENT = "◇"
NOW = "◐"
DUE = "·"
DOT = "•"
SEARCH = "⌕"
ARROW = "→"
LEFT = "‹"
RIGHT = "›"
DOWN = "↓"
UP = "↑"
FULL = "━"
EMPTY = "╌"
BLOCKS = "▁▂▃▄▅▆▇█"
HALF, HALF_BELOW = "▀", "▄"
START, END = "├", "┤"
TODAY, CROSSING = "│", "┼"
LATE = "┄"
CLOSE = "×"
FOLDED = "+"
UNFOLDED = "–"

ASCII = str.maketrans(
    {
        **dict.fromkeys("╭╮╰╯┌┐└┘┬┴┼", "+"),
        **dict.fromkeys("─╌", "-"),
        **dict.fromkeys("═━", "="),
        **dict.fromkeys("│╎┃▏▕", "|"),
        **dict.fromkeys("▌▸›", ">"),
        **dict(zip(BLOCKS, "_.:-=+*#", strict=True)),
        **dict.fromkeys("▉▊▋▍▎", " "),
        "▔": "-",
        "├": "[",
        "┤": "]",
        "┄": ".",
        "▀": '"',
        **dict.fromkeys("“”", '"'),
        **dict.fromkeys("‘’", "'"),
        **dict.fromkeys("◆•◦▪★", "*"),
        **dict.fromkeys("–—", "-"),
        "·": ".",
        "…": "~",
        "\xa0": " ",
        **dict.fromkeys("╔╗╚╝║", "#"),
        "▐": "<",
        "■": "#",
        "□": "&",
        "◇": "&",
        "○": "-",
        "⊘": "X",
        "»": "}",
        "◐": "%",
        "▲": "^",
        "▼": "v",
        "▵": "~",
        "✎": "@",
        "✓": "+",
        "☑": "=",
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
        "≥": ">",
    }
)
