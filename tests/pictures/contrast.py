"""Contrast as WCAG 2 computes it, and how much of it texts need; not by the program's own code."""

from rich.color import Color as RichColor, ColorType
from textual.color import Color

XTERM = ["000000", "cd0000", "00cd00", "cdcd00", "0000ee", "cd00cd", "00cdcd", "e5e5e5"]
XTERM += ["7f7f7f", "ff0000", "00ff00", "ffff00", "5c5cff", "ff00ff", "00ffff", "ffffff"]
WINDOWS = ["0c0c0c", "c50f1f", "13a10e", "c19c00", "0037da", "881798", "3a96dd", "cccccc"]
WINDOWS += ["767676", "e74856", "16c60c", "f9f1a5", "3b78ff", "b4009e", "61d6d6", "f2f2f2"]
PALETTES = (XTERM, WINDOWS)
"""The sixteen colours of usual terminals."""


def least(name: str) -> float:
    """The least contrast of texts in a theme."""
    return 7.0 if name.startswith("high-contrast") else 4.5


def contrast(one: Color, other: Color) -> float:
    """From 1, the same, to 21, black and white."""

    def light(color: Color) -> float:
        parts = [part / 255 for part in color.rgb]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    low, high = sorted((light(one), light(other)))
    return high / low


def worst(color: RichColor, ground: RichColor) -> float:
    """The contrast of what is drawn; of colours of the terminal, in the worst palette."""
    if color.type is ColorType.DEFAULT and ground.type is ColorType.DEFAULT:
        return 21.0
    if ColorType.DEFAULT in (color.type, ground.type):
        return 1.0
    return min(contrast(*(_in(palette, one) for one in (color, ground))) for palette in PALETTES)


def _in(palette: list[str], color: RichColor) -> Color:
    if color.type is ColorType.TRUECOLOR and color.triplet is not None:
        return Color(*color.triplet)
    assert color.number is not None, f"{color} is no colour of a palette"
    return Color.parse(f"#{palette[color.number]}")
