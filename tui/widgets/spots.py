"""Positions in a list whose rows have several lines; as few heights as possible are computed."""

from collections.abc import Callable
from typing import NamedTuple

Height = Callable[[int], int]
"""Gives the number of lines of a row; called only for rows that are visible or scrolled past."""


class Spot(NamedTuple):
    """A position in a list: a row and a line in it; ordered from the top."""

    row: int
    line: int


def up(spot: Spot, lines: int, height: Height) -> Spot:
    """The spot `lines` above another one, at most the start of the list."""
    row, line = spot
    while lines > line:
        if row == 0:
            return Spot(0, 0)
        lines -= line
        row -= 1
        line = height(row)
    return Spot(row, line - lines)


def down(spot: Spot, lines: int, rows: int, height: Height) -> Spot:
    """The spot `lines` below another one, at most the end of the list."""
    while spot.row < rows:
        left = height(spot.row) - spot.line
        if lines < left:
            return Spot(spot.row, spot.line + lines)
        lines -= left
        spot = Spot(spot.row + 1, 0)
    return spot


def offset(top: Spot, row: int, window: int, height: Height) -> int | None:
    """The line at which a row starts, relative to `top`; None if the row is not visible."""
    if row < top.row:
        return None
    lines = -top.line
    for index in range(top.row, row):
        lines += height(index)
        if lines >= window:
            return None
    return lines
