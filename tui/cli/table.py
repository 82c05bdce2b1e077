"""Tables of commands: aligned columns, within the width of a terminal."""

import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

from tui.cli.output import MOST_CELLS, columns as terminal_columns, has_style, write
from tui.text import cells, clean

BOLD, BAD, NAME = "1", "1;31", "36"
"""Weights and colours of cells on a terminal, as the parameters of SGR."""
_BETWEEN = "  "
_LEAST = 16


class TableColumn(NamedTuple):
    """A column; the `wide` one, which every table has, is cut where there is no room."""

    title: str
    is_wide: bool = False
    is_number: bool = False


class Colored(NamedTuple):
    """A cell of a table with the style that it has on a terminal with colours."""

    text: str
    style: str


Cell = str | Colored
_Drawn = tuple[str, str, int]
"""A text with its style and its width."""


def print_table(columns: Sequence[TableColumn], rows: Sequence[Sequence[Cell]]) -> None:
    """Print a table: within the width of a terminal; without heading and colours elsewhere."""
    is_terminal = sys.stdout.isatty()
    width = terminal_columns() if is_terminal else None
    has_colors = is_terminal and has_style(os.environ)
    write("".join(f"{line}\n" for line in lines(columns, rows, width, has_colors=has_colors)))


def lines(
    columns: Sequence[TableColumn],
    rows: Sequence[Sequence[Cell]],
    width: int | None,
    *,
    has_colors: bool = False,
) -> list[str]:
    """The lines of a table of at most `width` cells, with a heading if there is a width.

    A column without any text is left out. No text is longer than `MOST_CELLS`, nor on a terminal
    than a third of it, but in the wide column. Of what does not fit, that one is cut, to `_LEAST`
    cells at first; then the last columns are left out.
    """
    if not rows:
        return []
    most = MOST_CELLS if width is None else max(_LEAST, width // 3)
    limits = [max(most, width or 0) if column.is_wide else most for column in columns]
    # Column by column, and each of its texts once: most are in many rows.
    content = [*zip(*rows, strict=True)]
    drawn = [
        {cell: _drawn(cell, limit, has_colors=has_colors) for cell in set(within)}
        for within, limit in zip(content, limits, strict=True)
    ]
    widths = [max(own for _, _, own in within.values()) for within in drawn]
    shown = [at for at, column in enumerate(columns) if column.is_wide or widths[at]]
    if width is not None:
        widths = [
            max(column_width, len(of.title))
            for column_width, of in zip(widths, columns, strict=True)
        ]

    def total() -> int:
        return sum(widths[at] for at in shown) + len(_BETWEEN) * (len(shown) - 1)

    wide = next(at for at, column in enumerate(columns) if column.is_wide)
    if width is not None:
        while total() - widths[wide] + min(widths[wide], _LEAST) > width:
            if shown[-1] == wide:
                break
            shown.pop()
        widths[wide] = max(1, widths[wide] - max(0, total() - width))
    table = []
    for at in shown:
        column, own_width = columns[at], widths[at]
        padded = {cell: _padded(text, own_width, column) for cell, text in drawn[at].items()}
        heading = column.title, "", len(column.title)
        head = [_padded(heading, own_width, column)] if width is not None else []
        table.append([*head, *map(padded.__getitem__, content[at])])
    return [_BETWEEN.join(row).rstrip() for row in zip(*table, strict=True)]


def _drawn(cell: Cell, limit: int, *, has_colors: bool) -> _Drawn:
    text, style = cell if isinstance(cell, Colored) else (cell, "")
    text = clean.line(text).strip()
    # Most texts are ASCII and fit, so that they need not be split into graphemes.
    if not text.isascii() or len(text) > limit:
        text = cells.cut(text, limit)
    return text, style if has_colors else "", cells.width(text)


def _padded(drawn: _Drawn, width: int, column: TableColumn) -> str:
    text, style, own_width = drawn
    if own_width > width:
        text = cells.cut(text, width)
        own_width = cells.width(text)
    blank = " " * (width - own_width)
    text = f"\x1b[{style}m{text}\x1b[0m" if style and text else text
    return f"{blank}{text}" if column.is_number else f"{text}{blank}"
