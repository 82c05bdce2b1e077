"""Sends only the cells that differ from what is on the terminal.

What Textual is about to write is compared with what was written last at each place: it repaints
whole widgets, several times at a start, and over a slow line each byte is seen.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import groupby, repeat
from operator import itemgetter, ne

from rich.cells import get_character_cell_size
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.geometry import Size
from textual.strip import Strip

from tui.runtime.cell_sequences import WHOLE, Cell, CellWriter, Stretch, move, of_blanks

_UNKNOWN: Cell = " ", WHOLE

Run = tuple[int, int, Strip]
"""Column, line, and what is written there."""


class TerminalCells:
    """What was written last at each cell of the terminal."""

    def __init__(self) -> None:
        self._rows: defaultdict[int, list[Cell | None]] = defaultdict(list)
        self._size: Size | None = None
        self.erases = False
        """Whether the terminal fills what it erases with the background of the style."""
        self.are_lost = False
        """Whether the terminal may show something else, so that all has to be painted."""

    def forget(self) -> None:
        """Treat all cells as unknown, so that they are sent when they are painted next."""
        self._rows = defaultdict(list)

    def lose(self) -> None:
        """Treat all cells as unknown until all are painted, because the terminal has changed."""
        self.forget()
        self.are_lost = True

    def copy(self) -> "TerminalCells":
        """The same cells, which do not follow what is written later."""
        copy = TerminalCells()
        copy._rows.update({line: row.copy() for line, row in self._rows.items()})
        return copy

    def put(self, column: int, line: int, text: str, codes: str) -> None:
        """Take a text of single cells as written there, in one style."""
        row = self._rows[line]
        row.extend([None] * (column + len(text) - len(row)))
        row[column : column + len(text)] = [(character, codes) for character in text]

    def frame(self) -> str:
        """The sequences that draw all that is known on an empty terminal."""
        whole, stretches = list[str](), list[Stretch]()
        for line, row in self._rows.items():
            column = 0
            for is_single, group in groupby((cell or _UNKNOWN for cell in row), _is_single):
                cells = list(group)
                if is_single:
                    stretches.append(Stretch(line, column, cells))
                for at, (sequence, codes) in enumerate(cells, column):
                    # Each cell of such a strip has its whole sequence, which is written once, at
                    # the first.
                    if codes == f"{WHOLE}0":
                        whole += (move(None, (line, at)), sequence)
                column += len(cells)
        width = max(map(len, self._rows.values()), default=0)
        return "".join((*whole, CellWriter(self._rows, width, erases=False).write(stretches)))

    def dump(self) -> bytes:
        """What is known, for `read` in another process."""
        rows = {
            line: [
                (codes, "".join(character for character, _ in cells))
                for codes, cells in groupby(map(_known, row), itemgetter(1))
            ]
            for line, row in self._rows.items()
        }
        return json.dumps(rows).encode()

    def read(self, rows: bytes) -> None:
        """Take what `dump` wrote for what is on the terminal. Nothing is known if it is damaged."""
        self.forget()
        restored: dict[int, list[Cell | None]] = {}
        # A text that is nested too deeply is a RecursionError.
        with suppress(ValueError, AttributeError, TypeError, RecursionError):
            for line, runs in json.loads(rows).items():
                restored[int(line)] = [
                    None if codes is None else (character, f"{codes}")
                    for codes, text in runs
                    # It may be sent to the terminal again, so a damaged file must not put controls
                    # into it.
                    for character in _printable(text)
                ]
            self._rows.update(restored)

    def changes(self, update: LayoutUpdate | ChopsUpdate, console: Console) -> str:
        """The sequences that bring the terminal from what is on it to what an update paints.

        They count as written.
        """
        size = self._size_of(update)
        system = console._color_system or ColorSystem.TRUECOLOR  # noqa: SLF001  as Strip.render does
        rows, whole, stretches = self._rows, list[str](), list[Stretch]()
        for column, line, strip in _runs(update):
            row, width = rows[line], strip.cell_length
            if len(row) < column + width:
                row += [None] * (column + width - len(row))
            previous = row[column : column + width]
            cells = _cells(strip, system)
            if cells is not None:
                if previous != cells:
                    row[column : column + width] = cells
                    stretches += _differences(line, column, previous, cells)
                continue
            sequence = strip.render(console)
            # Each cell has the whole sequence, so that the strip counts as changed once anything is
            # written over a part of it. A strip without cells leaves nothing to compare.
            cells = [(sequence, f"{WHOLE}{number}") for number in range(width)]
            if previous != cells or not width:
                whole += (move(None, (line, column)), sequence)
                row[column : column + width] = cells
            # A picture covers other lines too. `rows` stays the forgotten mapping, so what else
            # this update writes is unknown as well.
            if any(segment.control for segment in strip):
                self.forget()
        writer = CellWriter(rows, size.width, erases=self.erases)
        return "".join((*whole, writer.write(stretches)))

    def _size_of(self, update: LayoutUpdate | ChopsUpdate) -> Size:
        # A terminal that changes its size may wrap and shift what was on it.
        if isinstance(update, LayoutUpdate):
            size = update.region.size
            self.are_lost = False
        else:
            size = Size(update.chop_ends[0][-1], len(update.chops))
        if self._size not in (None, size):
            self.forget()
        self._size = size
        return size


class ChangedCells(CompositorUpdate):
    """An update of which only the changes are written."""

    def __init__(self, update: LayoutUpdate | ChopsUpdate, cells: TerminalCells) -> None:
        self._update, self._cells = update, cells

    def render_segments(self, console: Console) -> str:
        return self._cells.changes(self._update, console)


def _runs(update: LayoutUpdate | ChopsUpdate) -> Iterator[Run]:
    # What the updates write in `render_segments`, in its order.
    if isinstance(update, LayoutUpdate):
        for line, strips in enumerate(update.strips, update.region.y):
            column = update.region.x
            for strip in strips:
                yield column, line, strip
                column += strip.cell_length
        return
    for line, first, last in update.spans:
        for end, (column, part) in zip(
            update.chop_ends[line], update.chops[line].items(), strict=False
        ):
            if part is None or column > last or end <= first:
                continue
            is_inside = first <= column < last and end <= last
            yield column, line, part if is_inside else part.crop(0, min(end, last) - column)


def _cells(strip: Strip, system: ColorSystem) -> list[Cell] | None:
    # None if the strip has wide or ambiguous characters, whose width differs between terminals, or
    # links or controls; it is sent whole then.
    cells: list[Cell] = []
    for text, style, control in strip:
        if control or (text_cells := _cells_of(text, style, system)) is None:
            return None
        cells += text_cells
    return cells


@lru_cache(1024)
def _cells_of(text: str, style: Style | None, system: ColorSystem) -> Sequence[Cell] | None:
    if (style is not None and style.link) or not _is_of_single_cells(text):
        return None
    codes = "" if style is None else Strip.render_ansi(style, system)
    if text.isspace():
        codes = of_blanks(codes)
    return list(zip(text, repeat(codes)))


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError(text)
    return text


def _is_single(cell: Cell) -> bool:
    return not cell[1].startswith(WHOLE)


def _known(cell: Cell | None) -> tuple[str, str | None]:
    # A strip that is sent whole cannot be restored in parts.
    return cell if cell is not None and _is_single(cell) else (" ", None)


def _is_of_single_cells(text: str) -> bool:
    return text.isprintable() and (
        text.isascii() or all(get_character_cell_size(character) == 1 for character in text)
    )


def _differences(
    line: int, column: int, previous: Sequence[Cell | None], current: Sequence[Cell]
) -> Iterator[Stretch]:
    if previous.count(None) == len(previous):  # as all of the first frame
        yield Stretch(line, column, current)
        return
    differ, end = bytes((*map(ne, previous, current), False)), 0
    while (start := differ.find(True, end)) >= 0:
        end = differ.find(False, start)
        yield Stretch(line, column + start, current[start:end])
