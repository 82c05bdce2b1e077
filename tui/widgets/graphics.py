"""Which way of drawing pictures the terminal has, told from its name.

The rule it keeps: the terminal is never asked, because its answer would be read as keys and waiting
for one that never comes takes a quarter of a second. Behind a multiplexer nothing is taken for
granted.
"""

from collections.abc import Mapping
from enum import Enum

_KITTY = ("xterm-kitty", "xterm-ghostty")
_SIXEL = ("foot", "mlterm", "contour", "yaft")
_SIXEL_PROGRAMS = ("WezTerm", "iTerm.app", "rio")


class Graphics(Enum):
    """Ways of drawing a picture."""

    KITTY = "the graphics protocol of kitty"
    SIXEL = "Sixel"
    BLOCKS = "half blocks in colour"
    NONE = "words"


def graphics_of(environment: Mapping[str, str]) -> Graphics:
    """The best way that a terminal with this environment is known to have."""
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR") or term in ("", "dumb", "linux"):
        return Graphics.NONE
    if environment.get("TMUX") or term.startswith(("screen", "tmux")):
        return Graphics.BLOCKS
    if term in _KITTY or environment.get("KITTY_WINDOW_ID"):
        return Graphics.KITTY
    program = environment.get("TERM_PROGRAM", "")
    if term.startswith(_SIXEL) or program in _SIXEL_PROGRAMS or environment.get("KONSOLE_VERSION"):
        return Graphics.SIXEL
    return Graphics.BLOCKS
