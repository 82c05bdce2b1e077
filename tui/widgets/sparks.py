"""Small charts of one line: numbers as blocks of different heights, and bars."""

from collections.abc import Sequence

from tui.widgets import glyphs

_UNKNOWN = " "


def spark(values: Sequence[int | None], width: int) -> str:
    """A chart of at most `width` cells, from 0 to the largest value; blank where not known.

    If there are more values than cells, each cell has the last one of its share.
    """
    count = len(values)
    cells = min(width, count)
    shown = [values[(at + 1) * count // cells - 1] for at in range(cells)]
    largest = max((one for one in shown if one is not None), default=0)
    return "".join(_UNKNOWN if one is None else _block(one, largest) for one in shown)


def _block(value: int, largest: int) -> str:
    if not value:
        return glyphs.BLOCKS[0]
    return glyphs.BLOCKS[-(-value * (len(glyphs.BLOCKS) - 1) // largest)]


def bar(value: int, largest: int, width: int) -> str:
    """A bar of at most `width` cells; empty for nothing, else at least one cell."""
    return glyphs.FULL * -(-value * width // max(1, largest))
