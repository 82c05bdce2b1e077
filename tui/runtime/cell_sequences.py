"""The sequences that write cells of a terminal, with as few bytes as possible.

The cells of one style are written together, wherever they are: colours take more bytes than moving
the cursor does.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

Cell = tuple[str, str]
"""A character and the codes of its style.

Cells that can only be written together have all of what draws them, and codes that begin with `#`:
it and their number.
"""
WHOLE = "#"
Place = tuple[int, int]
"""Line and column."""

_NO_TEXT_COLOR, _NO_BACKGROUND = "39", "49"
_OF_PALETTE = r"8;5;\d+|8;2;\d+;\d+;\d+|\d"
_CODE = re.compile(rf"(3(?:{_OF_PALETTE})|9\d)|(4(?:{_OF_PALETTE})|10\d)|(\d+)")
"""A colour of text, a colour of the background, or an attribute."""
_ENDS = {"1": "22", "2": "22", "3": "23", "4": "24", "7": "27", "9": "29"}
"""The codes that end attributes; the first two end together."""
_SEEN_ON_BLANKS = {"4", "7", "9", "21", "53"}
"""Lines and reversed colours: with any other attribute a blank is only its background."""
_LONGEST_MOVE = len("\x1b[100G")
"""Of those in a line, as long as it has less than a thousand columns."""
_BLANKS = re.compile("( {4,})")
"""So many that erasing them may be shorter."""


class Stretch(NamedTuple):
    """Adjacent cells to be written."""

    line: int
    column: int
    cells: Sequence[Cell]


class StyledText(NamedTuple):
    """A text in one style."""

    line: int
    column: int
    text: str


class CellWriter:
    """Writes cells to a terminal of a `width`, whose cursor may be anywhere, with no style.

    `rows` is what it shows when all are written. `erases` says whether it fills what it erases with
    the background of the style.
    """

    def __init__(
        self, rows: Mapping[int, Sequence[Cell | None]], width: int, *, erases: bool
    ) -> None:
        self._rows = rows
        self._width = width
        self._erases = erases
        self._sequences: list[str] = []
        self._style = ""
        self._can_erase = False
        self._at: Place | None = None

    def write(self, stretches: Iterable[Stretch]) -> str:
        """The sequences that write these cells; there is no style after them."""
        by_style = _by_style(stretches)
        for codes in sorted(by_style, key=_order):
            self._sequences.append(_to_style(self._style, codes))
            self._style = codes
            self._can_erase = self._erases and not _parts(codes)[0] & _SEEN_ON_BLANKS
            for line, column, text in self._joined(sorted(by_style[codes])):
                self._put(line, column, text)
        return "".join((*self._sequences, _to_style(self._style, "")))

    def _joined(self, pieces: Sequence[StyledText]) -> Iterator[StyledText]:
        # Rewriting the cells between two pieces may be shorter than moving the cursor over them.
        last = pieces[0]
        for piece in pieces[1:]:
            gap = self._gap(last, piece) if piece.line == last.line else None
            if gap is None:
                yield last
                last = piece
            else:
                last = last._replace(text=f"{last.text}{gap}{piece.text}")
        yield last

    def _gap(self, last: StyledText, piece: StyledText) -> str | None:
        start, end = last.column + len(last.text), piece.column
        # Between blanks the gap may be longer: all of them become one erasure.
        are_blanks = self._can_erase and last.text[-1] == piece.text[0] == " "
        if end - start > _LONGEST_MOVE and not are_blanks:
            return None
        cells = self._rows[last.line][start:end]
        if not all(cell is not None and _looks_so(cell, self._style) for cell in cells):
            return None
        text = "".join(cell[0] for cell in cells if cell is not None)
        is_short = len(text.encode()) <= len(move((last.line, start), (last.line, end)))
        return text if is_short or (are_blanks and text.isspace()) else None

    def _put(self, line: int, column: int, text: str) -> None:
        parts = _BLANKS.split(text) if self._can_erase else [text]
        for index, part in enumerate(parts):
            start, end = (line, column), column + len(part)
            is_erased = False
            # `split` with a group gives the runs of blanks at odd indices. Erasing them (EL, ECH)
            # does not move the cursor, so a jump over them has to be paid for too.
            if index % 2:
                erasure = "\x1b[K" if end == self._width else f"\x1b[{len(part)}X"
                jump = move(start, (line, end)) if parts[index + 1] else ""
                is_erased = len(erasure) + len(jump) < len(part)
            if part:
                self._sequences += (move(self._at, start), erasure if is_erased else part)
                # After the last column the cursor position depends on the terminal (pending wrap).
                self._at = start if is_erased else (line, end) if end < self._width else None
            column = end


def _by_style(stretches: Iterable[Stretch]) -> Mapping[str, Sequence[StyledText]]:
    # Blanks join the style beside them if they look the same in it: each change of style costs
    # bytes.
    pieces: defaultdict[str, list[StyledText]] = defaultdict(list)
    blanks: defaultdict[str, list[StyledText]] = defaultdict(list)
    for line, first, cells in stretches:
        column, text, style = first, "", ""
        is_blank = True
        for codes, group in groupby(cells, itemgetter(1)):
            group_text = "".join([character for character, _ in group])
            is_group_blank = group_text.isspace()
            may_share = is_blank or is_group_blank
            if text and codes != style and not (may_share and _is_same_blank(style, codes)):
                (blanks if is_blank else pieces)[style].append(StyledText(line, column, text))
                column, text, is_blank = column + len(text), "", True
            if not (text and is_group_blank):
                style = codes
            text, is_blank = text + group_text, is_blank and is_group_blank
        (blanks if is_blank else pieces)[style].append(StyledText(line, column, text))
    for codes, blank in blanks.items():
        # Blanks alone take the style of most pieces among those in which they look the same.
        alike = (style for style in pieces if _is_same_blank(style, codes))
        pieces[max(alike, key=lambda style: len(pieces[style]), default=codes)] += blank
    return pieces


def _order(codes: str) -> tuple[str, Sequence[str], str]:
    # Neighbours in this order share background and attributes, so the change between them is short.
    attributes, text, background = _parts(codes)
    return background, sorted(attributes), text


def _looks_so(cell: Cell, style: str) -> bool:
    character, codes = cell
    return codes == style or (
        character == " " and not codes.startswith(WHOLE) and _is_same_blank(style, codes)
    )


@lru_cache(4096)
def move(at: Place | None, to: Place) -> str:
    """The shortest sequence that moves the cursor; `at` is None if it may be anywhere."""
    if at == to:
        return ""
    line, column = to
    ways = [f"\x1b[{line + 1};{column + 1}H" if column else f"\x1b[{line + 1}H"]
    if at is not None and at[0] == line:
        ways += (f"\x1b[{column + 1}G", _steps(column - at[1], "C", "D"))
    elif at is not None and at[1] == column:
        ways.append(_steps(line - at[0], "B", "A"))
    return min(ways, key=len)


def _steps(count: int, forward: str, back: str) -> str:
    return f"\x1b[{abs(count) if abs(count) > 1 else ''}{forward if count > 0 else back}"


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
def of_blanks(codes: str) -> str:
    """The codes of a blank in this style, without those that are not seen."""
    attributes, _, background = _parts(codes)
    if attributes & _SEEN_ON_BLANKS:
        return codes
    return "" if background == _NO_BACKGROUND else background


@lru_cache(4096)
def _is_same_blank(style: str, other: str) -> bool:
    return of_blanks(style) == of_blanks(other)


@lru_cache(4096)
def _to_style(style: str, new: str) -> str:
    if style == new:
        return ""
    if not new:
        return "\x1b[m"
    attributes, text, background = _parts(style)
    new_attributes, new_text, new_background = _parts(new)
    ended, whole = attributes - new_attributes, f"\x1b[0;{new}m"
    # Other attributes have no code that ends them alone.
    if not ended <= _ENDS.keys():
        return whole
    codes = sorted({_ENDS[attribute] for attribute in ended})
    # Bold and dim end together (22), so one of them may have to be set again.
    remaining = {attribute for attribute in attributes if _ENDS.get(attribute) not in codes}
    codes += sorted(new_attributes - remaining)
    if new_text != text:
        codes.append(new_text)
    if new_background != background:
        codes.append(new_background)
    return min(f"\x1b[{';'.join(codes)}m", whole, key=len)
