"""The colours of labels and covers, and their names."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from tui.errors import WrongInput
from tui.model.task import Label

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")

COLORS: Mapping[str, str] = {
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
"""The interface's named colours (2.3) that are visible on dark and light backgrounds."""

NO_COLOR = "#8590a2"
"""Replaces an invalid colour."""

_LIGHT_WORDS, _DARK_WORDS = "#ffffff", "#1b2533"
_SHORT = len("rgb")
_MIDDLE = 120_000
"""The brightness below which a colour has light text, of 255 000."""


def color_name(color: str) -> str:
    """The name of a colour; empty if it has none."""
    wanted = color.casefold()
    return next((name for name, value in COLORS.items() if value == wanted), "")


def color_words(color: str) -> str:
    """A colour in words: its name, if it has one, and its hex value."""
    name = color_name(color)
    return f"{name} ({color})" if name else color


def drawable(color: str) -> str:
    """The colour, or a replacement if it is invalid."""
    return color if _HEX.fullmatch(color) else NO_COLOR


def text_color(color: str) -> str:
    """A text colour that can be read on a colour."""
    digits = drawable(color)[1:]
    whole = "".join(2 * digit for digit in digits) if len(digits) == _SHORT else digits
    red, green, blue = (int(whole[at : at + 2], 16) for at in (0, 2, 4))
    # The weights of perceived brightness (ITU-R BT.601), times 1,000.
    return _LIGHT_WORDS if 299 * red + 587 * green + 114 * blue < _MIDDLE else _DARK_WORDS


def free_color(labels: Iterable[Label]) -> str:
    """The first of the colours used least by these labels."""
    taken = Counter(label.color.casefold() for label in labels)
    return min(COLORS.values(), key=lambda color: taken[color])


def is_color(color: str) -> bool:
    """Whether it is a valid colour: `#rgb` or `#rrggbb`."""
    return _HEX.fullmatch(color) is not None


def read_color(words: str) -> str:
    """The colour with a name or hex number. Raises `WrongInput` if there is none."""
    wanted = " ".join(words.casefold().split())
    color = COLORS.get(wanted, wanted if wanted.startswith("#") else f"#{wanted}")
    if not is_color(color):
        raise WrongInput(
            "Not a colour.",
            hint="Type a name such as dark green, or a number such as #4bce97.",
        )
    return color
