"""The signs the program draws with, once in Unicode and once in ASCII.

The rule it keeps: every state has a sign, never a colour alone, and every sign is one cell wide in
every terminal (no emoji, whose width terminals disagree about).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """The six strokes a frame is drawn with."""

    top_left: str
    top_right: str
    bottom_left: str
    bottom_right: str
    across: str
    down: str


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One complete set of signs."""

    frame: Box
    ghost: Box
    outline: Box
    bar: str
    mark: str
    here: str
    chip: str
    high: str
    medium: str
    done: str
    subtasks: str
    comments: str
    on_the_way: str
    ok: str
    refused: str
    search: str
    arrow: str
    clipped: str
    full: str
    empty: str


UNICODE = Glyphs(
    frame=Box("╭", "╮", "╰", "╯", "─", "│"),
    ghost=Box("╔", "╗", "╚", "╝", "═", "║"),
    outline=Box("┌", "┐", "└", "┘", "╌", "╎"),
    bar="▌",
    mark="◆",
    here="▸",
    chip="■",
    high="▲",
    medium="–",
    done="✓",
    subtasks="☑",
    comments="❝",
    on_the_way="↑",
    ok="✓",
    refused="✗",
    search="⌕",
    arrow="→",
    clipped="…",
    full="━",
    empty="╌",
)

ASCII = Glyphs(
    frame=Box("+", "+", "+", "+", "-", "|"),
    ghost=Box("#", "#", "#", "#", "=", "#"),
    outline=Box(".", ".", ".", ".", ".", ":"),
    bar=">",
    mark="*",
    here=">",
    chip="#",
    high="^",
    medium="-",
    done="x",
    subtasks="+",
    comments='"',
    on_the_way="^",
    ok="ok",
    refused="!",
    search="/",
    arrow="->",
    clipped="~",
    full="=",
    empty=".",
)
