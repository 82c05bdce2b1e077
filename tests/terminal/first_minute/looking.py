"""What is wrong with a screen, as far as a person at a terminal can see it."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tests.drivers.terminal import Terminal
from tui.widgets.glyphs import ASCII

MOST_ALIKE = 3
"""More rows that are the same, with words in them, are one row painted over others."""

_UNPAINTED = "default"
_LETTERS = re.compile(r"[^\W\d_]{2}")
_UPPER = re.compile(r"[╭+][─-] (?P<title>.+?) (?:[─-].*?)?[─-][╮+]")
_EDITOR = re.compile(r"[─-]{2} (?P<title>.+?) [─-]{2}")
_SIDES, _LOWER = "│|", "╰+"


class Frame(NamedTuple):
    """The frame of a dialog: its title, its first and last column, its first and last line."""

    title: str
    left: int
    right: int
    top: int
    bottom: int


def frame(terminal: Terminal) -> Frame | None:
    """The dialog in front; None if there is none, or if its frame is not whole."""
    lines = terminal.lines
    for top, line in enumerate(lines):
        for upper in _UPPER.finditer(line):
            left, right = upper.start(), upper.end() - 1
            for bottom in range(top + 1, len(lines)):
                if lines[bottom][left] in _LOWER:
                    return Frame(upper["title"], left, right, top, bottom)
                if not {lines[bottom][left], lines[bottom][right]} <= {*_SIDES}:
                    break
    return None


def title(terminal: Terminal) -> str:
    """The title of what is in front: of a dialog, of an editor, else of the screen."""
    if (dialog := frame(terminal)) is not None:
        return dialog.title
    editors = (_EDITOR.match(line) for line in terminal.lines)
    return next((each["title"] for each in editors if each), terminal.lines[0].strip())


def ground(terminal: Terminal, column: int, line: int) -> str:
    """The background of a cell; columns and lines of less than 0 count from the end."""
    screen = terminal.screen
    return str(screen.buffer[line % screen.lines][column % screen.columns].bg)


def wrong(terminal: Terminal) -> Iterator[str]:
    """Everything that is wrong with the screen; a style that is missing shows in backgrounds."""
    rows = Counter(line.strip() for line in terminal.lines if _LETTERS.search(line))
    yield from (f"{row!r} is on {count} rows" for row, count in rows.items() if count > MOST_ALIKE)
    across, down = range(terminal.screen.columns), range(terminal.screen.lines)
    if bare := [y for y in down if any(ground(terminal, x, y) == _UNPAINTED for x in across)]:
        yield f"no background: lines {bare}"
    footer = {ground(terminal, x, -1) for x in across}
    if len(footer) > 1:
        yield f"the footer has {len(footer)} backgrounds"
    if (dialog := frame(terminal)) is not None:
        yield from _wrong_frame(terminal, dialog)
    elif not _EDITOR.match(terminal.lines[0]):
        place, bar = ground(terminal, 0, 0), ground(terminal, -1, 0)
        if place == bar or {bar} != footer:
            yield f"the bar has the backgrounds {place} and {bar}, the footer {footer}"


def wrong_or_missing(terminal: Terminal, name: str, shows: Iterable[str]) -> Iterator[str]:
    """Everything that is wrong, if the title has this name in it, and these words are seen."""
    yield from wrong(terminal)
    if not has(title(terminal), name):
        yield f"the title is {title(terminal)!r}, without {name!r}"
    yield from (f"no {words!r}" for words in shows if not has(terminal.text, words))


def has(text: str, words: str) -> bool:
    """Whether a text of the screen has these words, in ASCII if it is drawn so."""
    return words.translate(ASCII) in text.translate(ASCII)


def until_none(terminal: Terminal, faults: Callable[[], Iterator[str]], what: str) -> None:
    """Read until nothing is wrong any more; `what` says what is looked at."""
    found: list[str] = []

    def is_right() -> bool:
        found[:] = faults()
        return not found

    try:
        terminal.until(is_right, what)
    except AssertionError as error:
        raise AssertionError(f"{'; '.join(found)}; {error}") from None


def _wrong_frame(terminal: Terminal, dialog: Frame) -> Iterator[str]:
    across = range(dialog.left, dialog.right + 1)
    edge = {ground(terminal, x, y) for x in across for y in (dialog.top, dialog.bottom)}
    if len(edge) > 1:
        yield f"the frame of {dialog.title!r} has {len(edge)} backgrounds"
    if dialog.left > 0 and ground(terminal, dialog.left - 1, dialog.bottom) in edge:
        yield f"{dialog.title!r} has the background of the screen behind it"
