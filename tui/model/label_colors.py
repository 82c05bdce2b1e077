"""The colours of labels, with names for people.

A new label gets a colour that no other label of the board has, as long as there is one.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from tui.model.task import Label

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")

LABEL_COLORS: Mapping[str, str] = {
    "green": "#4bce97",
    "yellow": "#f5cd47",
    "orange": "#fea362",
    "red": "#f87168",
    "purple": "#9f8fef",
    "blue": "#579dff",
    "sky": "#6cc3e0",
    "lime": "#94c748",
    "pink": "#e774bb",
    "grey": "#8590a2",
    "dark green": "#1f845a",
    "dark yellow": "#946f00",
    "dark orange": "#c25100",
    "dark red": "#ae2e24",
    "dark purple": "#5e4db2",
    "dark blue": "#0c66e4",
    "dark sky": "#206a83",
    "dark lime": "#5b7f24",
    "dark pink": "#943d73",
    "dark grey": "#44546f",
}
"""Those of the interface's own names (2.3) that are seen on a dark ground and on a light one."""

_LIGHT_WORDS, _DARK_WORDS = "#ffffff", "#1b2533"


def color_name(color: str) -> str:
    """What people call a colour; empty if it has no name here."""
    wanted = color.casefold()
    return next((name for name, known in LABEL_COLORS.items() if known == wanted), "")


def text_color(color: str) -> str:
    """The colour of words on one of the colours that have a name."""
    return _LIGHT_WORDS if color_name(color).startswith("dark ") else _DARK_WORDS


def free_color(labels: Iterable[Label]) -> str:
    """The first colour that the fewest of these labels have."""
    taken = Counter(label.color.casefold() for label in labels)
    return min(LABEL_COLORS.values(), key=lambda color: taken[color])


def is_color(color: str) -> bool:
    """Whether it is a colour that can be drawn: `#rgb` or `#rrggbb`."""
    return _HEX.fullmatch(color) is not None
