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


def stacked(
    layers: Sequence[Sequence[int | None]], width: int, *, line: int, height: int
) -> list[int]:
    """Which of the layers is at each cell of a line, from the top, of a chart; -1 for none.

    The first layer is on top, and the largest sum of layers fills the height.
    """
    count = len(layers[0])
    cells = min(width, count)
    columns = [
        [layer[(at + 1) * count // cells - 1] or 0 for layer in layers] for at in range(cells)
    ]
    level = (height - line - 0.5) * max(map(sum, columns)) / height
    return [_layer(column, level) for column in columns]


def _layer(column: Sequence[int], level: float) -> int:
    top = 0
    for index in reversed(range(len(column))):
        top += column[index]
        if level < top:
            return index
    return -1
