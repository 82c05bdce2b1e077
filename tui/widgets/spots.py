"""Lines in a list whose rows take several, found without asking for more heights than needed."""

from collections.abc import Callable
from typing import NamedTuple

Height = Callable[[int], int]
"""How many lines a row has; asked for only of rows in sight or passed over."""


class Spot(NamedTuple):
    """A line of a list: the row and the line in it. Spots are ordered from the top."""

    row: int
    line: int


def up(spot: Spot, lines: int, height: Height) -> Spot:
    """The spot so many lines above another one, or the very first."""
    row, line = spot
    while lines > line:
        if row == 0:
            return Spot(0, 0)
        lines -= line
        row -= 1
        line = height(row)
    return Spot(row, line - lines)


def down(spot: Spot, lines: int, rows: int, height: Height) -> Spot:
    """The spot so many lines below another one, or the end of the list."""
    while spot.row < rows:
        left = height(spot.row) - spot.line
        if lines < left:
            return Spot(spot.row, spot.line + lines)
        lines -= left
        spot = Spot(spot.row + 1, 0)
    return spot


def offset(top: Spot, row: int, window: int, height: Height) -> int | None:
    """How many lines below the top a row begins, less than 0 above it; None if out of sight."""
    if row < top.row:
        return None
    lines = -top.line
    for index in range(top.row, row):
        lines += height(index)
        if lines >= window:
            return None
    return lines
