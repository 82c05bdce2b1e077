"""Output of commands: terminal-safe lines and JSON, and the log of an internal error.

Everything that is printed for people goes through `write` and `write_beside`. This is imported for
every command, and so only what most of them need.
"""

import os
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TextIO

from tui.errors import CannotGoOn
from tui.text import clean
from tui.widgets.glyphs import ASCII
from tui.widgets.plain_ascii import in_ascii, shows_utf8

if TYPE_CHECKING:
    from pathlib import Path

CRASH_LOG = "crash.log"
_USUAL, _STDOUT = 80, 1
MOST_CELLS = 200
"""So long is a text in a table that is not on a terminal, or in a list."""
ascii_only: ContextVar[bool] = ContextVar("ascii_only", default=False)
"""Whether signs are ASCII: `--ascii` was given, or the locale is without UTF-8.

Documents, completions and the manual do not depend on it.
"""


def for_people(text: str, output: TextIO | None = None) -> str:
    """A text for people as it is printed to an output, or else to standard output.

    With `--ascii` it has no signs that ASCII lacks; letters of other scripts, as in titles, stay
    what they are. On a terminal that does not show UTF-8 neither is left.
    """
    if text.isascii():
        return text
    output = output or sys.stdout
    if output.isatty() and not shows_utf8(os.environ, output.encoding):
        return in_ascii(text)
    return text.translate(ASCII) if ascii_only.get() else text


def write(text: str) -> None:
    """Print a text for people."""
    sys.stdout.write(for_people(text))
    sys.stdout.flush()


def write_beside(text: str) -> None:
    """Print a text for people to standard error, beside the output."""
    sys.stderr.write(for_people(text, sys.stderr))
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
    """Print a document as JSON; a list has a line for each of its documents."""
    import json

    if isinstance(document, list) and document:
        lines = ",\n".join(f"  {json.dumps(entry)}" for entry in document)
        sys.stdout.write(f"[\n{lines}\n]\n")
    else:
        sys.stdout.write(f"{json.dumps(document, indent=2)}\n")


def columns() -> int:
    """The width of the terminal as `shutil` has it, which takes long to import."""
    own = os.environ.get("COLUMNS", "")
    if own.isdecimal() and int(own):
        return int(own)
    try:
        return os.get_terminal_size(_STDOUT).columns or _USUAL
    except OSError:
        return _USUAL


def has_style(environ: Mapping[str, str]) -> bool:
    """Whether a terminal is to show colours and weights."""
    return not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def crashed(details: str, folder: "Path") -> CannotGoOn:
    """The error to show, after writing the details to a log in `folder`.

    `details` is a traceback without local variables; only the user can read the log.
    """
    from tui.config.paths import write_file

    log = folder / CRASH_LOG
    message = "stopped by an internal error; your changes and drafts are kept."
    try:
        write_file(log, details.encode(errors="replace"))
    except OSError as problem:
        return CannotGoOn(f"{message} {log} cannot be written: {problem.strerror}.")
    return CannotGoOn(f"{message} The details are in {log}")
