"""Output of commands: terminal-safe lines, tables and JSON, and the log of an internal error.

Everything that is printed for people goes through `write` and `write_beside`. This is imported for
every command, and so only what most of them need.
"""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple

from tui.errors import CannotGoOn
from tui.text import clean
from tui.widgets.glyphs import ASCII

if TYPE_CHECKING:
    from pathlib import Path

CRASH_LOG = "crash.log"
_BETWEEN = "  "
_LEAST = 16
BOLD, BAD, NAME = "1", "1;31", "36"
"""Weights and colours of cells on a terminal, as the parameters of SGR."""
MOST_CELLS = 200
"""So long is a text in a table that is not on a terminal, or in a list."""
ascii_only: ContextVar[bool] = ContextVar("ascii_only", default=False)
"""Whether `--ascii` was given. Documents, completions and the manual do not depend on it."""


def for_people(text: str) -> str:
    """A text for people as it is printed: with `--ascii` without the signs that ASCII lacks.

    Letters of other scripts, as in titles, stay what they are.
    """
    return text.translate(ASCII) if ascii_only.get() else text


def write(text: str) -> None:
    """Print a text for people."""
    sys.stdout.write(for_people(text))
    sys.stdout.flush()


def write_beside(text: str) -> None:
    """Print a text for people to standard error, beside the output."""
    sys.stderr.write(for_people(text))
    sys.stderr.flush()


def say(line: str) -> None:
    """Print a line."""
    write(f"{clean.line(line).rstrip()}\n")


def say_beside(line: str) -> None:
    """Print a line to standard error, beside JSON output."""
    write_beside(f"{clean.line(line).rstrip()}\n")


def ask(question: str) -> str:
    """Ask for a line on the terminal."""
    return input(for_people(question)).strip()


def ask_secret(question: str) -> str:
    """Ask for a line on the terminal, which does not show it."""
    from getpass import getpass

    return getpass(for_people(question))


def write_json(document: Any) -> None:
    """Print a document as JSON."""
    import json

    sys.stdout.write(f"{json.dumps(document, indent=2)}\n")


class Column(NamedTuple):
    """A column; the `wide` one, which every table has, is cut where there is no room."""

    title: str
    is_wide: bool = False
    is_number: bool = False


class Colored(NamedTuple):
    """A cell of a table with the style that it has on a terminal with colours."""

    text: str
    style: str


Cell = str | Colored


class _Drawn(NamedTuple):
    text: str
    style: str
    width: int

    def padded(self, width: int, column: Column) -> str:
        text, own_width = self.text, self.width
        if own_width > width:
            from tui.text import cells

            text = cells.cut(text, width)
            own_width = cells.width(text)
        blank = " " * (width - own_width)
        text = f"\x1b[{self.style}m{text}\x1b[0m" if self.style and text else text
        return f"{blank}{text}" if column.is_number else f"{text}{blank}"


def print_table(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
    """Print a table: within the width of a terminal; without heading and colours elsewhere."""
    from shutil import get_terminal_size

    is_terminal = sys.stdout.isatty()
    width = get_terminal_size().columns if is_terminal else None
    has_colors = is_terminal and has_style(os.environ)
    write("".join(f"{line}\n" for line in lines(columns, rows, width, has_colors=has_colors)))


def has_style(environ: Mapping[str, str]) -> bool:
    """Whether a terminal is to show colours and weights."""
    return not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def lines(
    columns: Sequence[Column],
    rows: Iterable[Sequence[Cell]],
    width: int | None,
    *,
    has_colors: bool = False,
) -> list[str]:
    """The lines of a table of at most `width` cells, with a heading if there is a width.

    A column without any text is left out. No text is longer than `MOST_CELLS`, nor on a terminal
    than a third of it, but in the wide column. Of what does not fit, that one is cut, to `_LEAST`
    cells at first; then the last columns are left out.
    """
    from tui.text import cells

    most = MOST_CELLS if width is None else max(_LEAST, width // 3)
    limits = [max(most, width or 0) if column.is_wide else most for column in columns]
    table: list[list[_Drawn]] = []
    for row in rows:
        table.append([])
        for cell, limit in zip(row, limits, strict=True):
            text, style = cell if isinstance(cell, Colored) else (cell, "")
            if text:
                text = cells.cut(clean.line(text).strip(), limit)
            table[-1].append(_Drawn(text, style if has_colors else "", cells.width(text)))
    shown = [
        at
        for at, column in enumerate(columns)
        if column.is_wide or any(row[at].text for row in table)
    ]
    if width is not None and table:
        table.insert(0, [_Drawn(each.title, "", len(each.title)) for each in columns])
    widths = [max((row[at].width for row in table), default=0) for at in range(len(columns))]

    def total() -> int:
        return sum(widths[at] for at in shown) + len(_BETWEEN) * (len(shown) - 1)

    wide = next(at for at, column in enumerate(columns) if column.is_wide)
    if width is not None:
        while total() - widths[wide] + min(widths[wide], _LEAST) > width:
            if shown[-1] == wide:
                break
            shown.pop()
        widths[wide] = max(1, widths[wide] - max(0, total() - width))
    return [
        _BETWEEN.join(row[at].padded(widths[at], columns[at]) for at in shown).rstrip()
        for row in table
    ]


def crashed(details: str, folder: "Path") -> CannotGoOn:
    """The error to show, after writing the details to a log in `folder`.

    `details` is a traceback without local variables; only the user can read the log.
    """
    from tui.config.paths import write_file

    log = folder / CRASH_LOG
    message = "stopped by an error of its own; what you did and typed is kept."
    try:
        write_file(log, details.encode(errors="replace"))
    except OSError as problem:
        return CannotGoOn(f"{message} {log} cannot be written: {problem.strerror}.")
    return CannotGoOn(f"{message} The details are in {log}")
