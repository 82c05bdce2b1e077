"""Sends only the cells that differ from what is on the terminal.

What Textual is about to write is compared with what was written last at each place: it repaints
whole widgets, several times at a start, and over a slow line each byte is seen.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from rich.cells import get_character_cell_size
from rich.color import ColorSystem
from rich.console import Console
from rich.control import Control
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.geometry import Size
from textual.strip import Strip

_NEAR = 8
"""So many unchanged cells between two changes are written again: a jump past them is as long."""
_NO_TEXT_COLOR, _NO_BACKGROUND = "39", "49"
_OF_PALETTE = r"8;5;\d+|8;2;\d+;\d+;\d+|\d"
_CODE = re.compile(rf"(3(?:{_OF_PALETTE})|9\d)|(4(?:{_OF_PALETTE})|10\d)|(\d+)")
"""A colour of text, a colour of the background, or an attribute."""
_ENDS = {"1": "22", "2": "22", "3": "23", "4": "24", "7": "27", "9": "29"}
"""The codes that end attributes; the first two end together."""
_SEEN_ON_BLANKS = {"4", "7", "9", "21", "53"}
"""Lines and reversed colours: with any other attribute a blank is only its background."""

Cell = tuple[str, str]
"""A character and the codes of its style; parts of a run that can only be sent whole are all of it
and `#` with their number."""
Run = tuple[int, int, Strip]
"""Column, line, and what is written there."""


class TerminalCells:
    """What was written last at each cell of the terminal."""

    def __init__(self) -> None:
        self._rows: defaultdict[int, list[Cell | None]] = defaultdict(list)
        self._size: Size | None = None

    def forget(self) -> None:
        """Take all cells for unknown, so that they are sent when they are painted next."""
        self._rows = defaultdict(list)

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
        parts, style = list[str](), ""
        for line, row in self._rows.items():
            at = -1
            for column, (text, codes) in enumerate(cell or (" ", "#") for cell in row):
                is_whole = codes.startswith("#")
                if is_whole and codes != "#0":  # it is drawn with the first, or unknown
                    continue
                if column != at:
                    parts.append(_move(column, line))
                if is_whole or not (text == " " and _is_same_blank(style, codes)):
                    now = "" if is_whole else codes
                    parts.append(_to_style(style, now))
                    style = now
                parts.append(text)
                at = -1 if is_whole else column + 1
        return "".join((*parts, _to_style(style, "")))

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
        with suppress(ValueError, AttributeError, TypeError):
            for line, runs in json.loads(rows).items():
                self._rows[int(line)] = [
                    None if codes is None else (character, codes)
                    for codes, text in runs
                    for character in text
                ]

    def changes(self, update: LayoutUpdate | ChopsUpdate, console: Console) -> str:
        """The sequences that bring the terminal from what is on it to what an update paints.

        They count as written.
        """
        self._forget_if_resized(update)
        system = console._color_system or ColorSystem.TRUECOLOR  # noqa: SLF001  as Strip.render does
        rows, parts, style, at = self._rows, list[str](), "", (-1, -1)
        for column, line, strip in _runs(update):
            row, width = rows[line], strip.cell_length
            row.extend([None] * (column + width - len(row)))
            cells = _cells(strip, system)
            if cells is None:
                sequence = strip.render(console)
                whole: list[Cell] = [(sequence, f"#{number}") for number in range(width)]
                if row[column : column + width] != whole or not width:
                    parts += (_to_style(style, ""), _move(column, line), sequence)
                    style, at = "", (-1, -1)
                    row[column : column + width] = whole
                if any(segment.control for segment in strip):  # a picture, also over other lines
                    self.forget()
                continue
            before = row[column : column + width]
            if before == cells:
                continue
            row[column : column + width] = cells
            for start, end in _differences(before, cells):
                if at != (column + start, line):
                    parts.append(_move(column + start, line))
                for character, codes in cells[start:end]:
                    if codes != style and not (character == " " and _is_same_blank(style, codes)):
                        parts.append(_to_style(style, codes))
                        style = codes
                    parts.append(character)
                at = (column + end, line)
        parts.append(_to_style(style, ""))
        return "".join(parts)

    def _forget_if_resized(self, update: LayoutUpdate | ChopsUpdate) -> None:
        # What was painted before Textual followed the terminal may be anywhere on it.
        if isinstance(update, LayoutUpdate):
            size = update.region.size
        else:
            size = Size(update.chop_ends[0][-1], len(update.chops))
        if self._size not in (None, size):
            self.forget()
        self._size = size


class Changes(CompositorUpdate):
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
    # None if it is sent whole: terminals differ in how wide they draw other characters.
    cells: list[Cell] = []
    for text, style, control in strip:
        if control or not _is_of_single_cells(text) or (style is not None and style.link):
            return None
        codes = "" if style is None else Strip.render_ansi(style, system)
        if text.isspace():
            codes = _of_blanks(codes)
        cells += [(character, codes) for character in text]
    return cells


def _known(cell: Cell | None) -> tuple[str, str | None]:
    # What is sent whole is not known in parts.
    return cell if cell is not None and not cell[1].startswith("#") else (" ", None)


@lru_cache(4096)
def _is_of_single_cells(text: str) -> bool:
    return text.isprintable() and (
        text.isascii() or all(get_character_cell_size(character) == 1 for character in text)
    )


def _differences(before: Sequence[Cell | None], now: Sequence[Cell]) -> Iterator[tuple[int, int]]:
    start = end = -1
    for index, (old, new) in enumerate(zip(before, now, strict=True)):
        if old == new:
            continue
        if start < 0:
            start = index
        elif index - end > _NEAR:
            yield start, end
            start = index
        end = index + 1
    yield start, end


def _move(column: int, line: int) -> str:
    return Control.move_to(column, line).segment.text


@lru_cache(4096)
def _parts(codes: str) -> tuple[frozenset[str], str, str]:
    # The attributes, the colour of the text and that of the background.
    attributes, text, background = set(), _NO_TEXT_COLOR, _NO_BACKGROUND
    for text_color, background_color, attribute in _CODE.findall(codes):
        text, background = text_color or text, background_color or background
        if attribute:
            attributes.add(attribute)
    return frozenset(attributes), text, background


@lru_cache(4096)
def _of_blanks(codes: str) -> str:
    attributes, _, background = _parts(codes)
    if attributes & _SEEN_ON_BLANKS:
        return codes
    return "" if background == _NO_BACKGROUND else background


@lru_cache(4096)
def _is_same_blank(style: str, other: str) -> bool:
    return _of_blanks(style) == _of_blanks(other)


@lru_cache(4096)
def _to_style(style: str, new: str) -> str:
    if style == new:
        return ""
    if not new:
        return "\x1b[m"
    attributes, text, background = _parts(style)
    new_attributes, new_text, new_background = _parts(new)
    ended, whole = attributes - new_attributes, f"\x1b[0;{new}m"
    if not ended <= _ENDS.keys():
        return whole
    codes = sorted({_ENDS[attribute] for attribute in ended})
    left = {each for each in attributes if _ENDS.get(each) not in codes}
    codes += sorted(new_attributes - left)
    if new_text != text:
        codes.append(new_text)
    if new_background != background:
        codes.append(new_background)
    return min(f"\x1b[{';'.join(codes)}m", whole, key=len)
