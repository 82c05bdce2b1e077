"""CSV: a card in each row. The first row names the columns, in the words of several programs.

Above it may be the line `sep=;` that Excel asks for, and lines without such names.
"""

import csv
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from io import StringIO
from itertools import chain, islice
from operator import eq

from tui.text import clean
from tui.transfer.formats.csv_cards import Columns, CsvRow, card_of
from tui.transfer.formats.fields import FIELDS
from tui.transfer.losses import Losses
from tui.transfer.sheet import NotReadable, Sheet, SheetStage, folded, says_done

_DELIMITERS = ",;\t|"
_LONGEST_CELL = 1_000_000
_MOST_COLUMNS = 10_000
_MOST_ABOVE = 20
"""So many lines may be above the one that names the columns."""
_RULE = re.compile(r":?-{3,}:?")
_SEPARATOR = re.compile(r"\"?sep=(.)\"?[,;\t]*\n", re.IGNORECASE)


def is_csv(text: str) -> bool:
    """Whether a row of several columns, one of which can be a title, is the first with words.

    Rows with an empty first cell may be above it.
    """
    text = text.lstrip("\n ")
    if _SEPARATOR.match(text):
        return True
    for line in text.split("\n", _MOST_ABOVE)[:_MOST_ABOVE]:
        delimiter = _delimiter_of(line)
        cells = line.split(delimiter, _MOST_COLUMNS)
        if _is_heading(cells):
            return True
        if line.strip(f'{delimiter}" ') and cells[0].strip('" '):
            return False
    return False


def heading_of(text: str) -> Sequence[str]:
    """The names of the columns, as they are written in the first row. Raises `NotReadable`."""
    return [cell.strip() for _, row in islice(_rows(text), 1) for cell in row]


def _delimiter_of(line: str) -> str:
    return max(_DELIMITERS, key=line.count)


def _is_heading(cells: Sequence[str]) -> bool:
    names = {folded(name.strip('"\r')) for name in cells[:_MOST_COLUMNS]}
    return len(names) > 1 and not names.isdisjoint(FIELDS["title"])


def read_csv(text: str, name: str, columns: Mapping[str, str]) -> Sheet:
    """The rows as a board that is called `name`; `columns` names those of fields. May raise."""
    rows = list(_rows(text))
    if not rows:
        raise NotReadable("it has no line that names the columns.")
    at, heading = _heading_in(rows, columns.values())
    losses, cards = Losses(), []
    above = sum(any(map(str.strip, row)) for _, row in rows[:at])
    losses.of_board("lines above the names of the columns", above)
    layout = Columns(heading, columns)
    closing = set[str]()
    for number, cells in rows[at + 1 :]:
        if any(map(str.strip, cells[len(heading) :])):
            raise NotReadable(
                f"line {number} has {len(cells)} cells, but the first names {len(heading)} columns."
            )
        if not _is_between_cards(cells, layout.names):
            row = CsvRow(layout, cells)
            cards.append(card_of(row, closing))
            for column in row.not_taken():
                losses.of_card(column, number)
    titles = dict.fromkeys(card.stage for card in cards if card.stage)
    stages = [SheetStage(title, says_done(title) or title in closing) for title in titles]
    stages.sort(key=lambda stage: stage.closes)
    return Sheet(
        name, f"csv {name}", tuple(stages), tuple(cards), colors=layout.colors, lost=losses.lines()
    )


def _heading_in(
    rows: Sequence[tuple[int, list[str]]], named: Collection[str]
) -> tuple[int, Sequence[str]]:
    # The row with the columns that the user names, else the first that has the name of a title. A
    # card may be called “Task”: names of columns have more cells than the lines above them.
    names = {folded(name) for name in named}
    near = [row for _, row in rows[:_MOST_ABOVE]]
    filled = [sum(1 for cell in row if cell.strip()) for row in near]
    mapped = (at for at, row in enumerate(near) if names and names <= {*map(folded, row)})
    known = (
        at
        for at, row in enumerate(near)
        if filled[at] > max(filled[:at], default=0) and _is_heading(row)
    )
    at = next(chain(mapped, known), 0)
    return at, [clean.line(cell).strip() for cell in rows[at][1]] if rows else []


def _is_between_cards(cells: Sequence[str], names: Sequence[str]) -> bool:
    # Nothing, the rule of a table in Markdown, or the names of the columns above another group.
    if all(map(_RULE.fullmatch, filter(None, map(str.strip, cells)))):
        return True
    # Most rows differ in their first cell: no other is folded.
    return len(cells) == len(names) and all(map(eq, map(folded, cells), names))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    text = text.lstrip("\n")
    if separator := _SEPARATOR.match(text):
        text, delimiter = text[separator.end() :], separator[1]
    else:
        delimiter = _delimiter_of(text.partition("\n")[0])
    lines = _within_limits(StringIO(text, newline=""), delimiter)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    # The limit is one of the whole process, so it is restored.
    limit = csv.field_size_limit(_LONGEST_CELL)
    try:
        for row in reader:
            if row:
                yield reader.line_num + bool(separator), row
    except csv.Error as error:
        raise NotReadable(f"line {reader.line_num} is no CSV: {error}.") from error
    finally:
        csv.field_size_limit(limit)


def _within_limits(lines: StringIO, delimiter: str) -> Iterator[str]:
    # Counted before a row is made of millions of cells. A text may hold many commas.
    most = _MOST_COLUMNS
    for number, line in enumerate(lines, start=1):
        if line.count(delimiter) > most:
            raise NotReadable(f"line {number} has {line.count(delimiter):,} columns, too many.")
        most = _LONGEST_CELL + _MOST_COLUMNS
        yield line
