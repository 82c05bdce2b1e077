"""The program as a person starts it, and the board as a person reads it off the screen."""

import os
import re
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.drivers.terminal import Terminal
from tui.config.profiles import EMBEDDED
from tui.tour import LESSONS, OVER_THERE

COMMAND = (sys.executable, "-m", "tui")
STORED_CARDS = """
    select stage.id, task.title, task.priority, task.status
    from stage left join task
        on task.stage_id = stage.id and task.archived_at is null and task.parent_id is null
    where stage.archived_at is null
    order by stage.position, stage.id, task.position, task.id
"""
WAITING = "select count(*) from entry where state in ('waiting', 'sending', 'unsure')"

FIRST, SECOND = (lesson.title[:20] for lesson in LESSONS[:2])
"""How the titles of the first two cards of the tour begin."""

TOUR = [len(LESSONS), len(OVER_THERE), 0]
"""How many cards the columns of the tour have."""

SIGN_CELLS = 22
FAR_OFF = "2031"
"""The only year in which tests have anything due; a card that is due then says so."""

EMPTY = "no cards"

_HEADING = re.compile(r"[▸▌ ]\d+ (.*?) +[◦◐✓] (\d+) *")
_RULES = re.compile("(?: ─+)+ ?")
"""The line below the headings of columns."""
_COVERED = ("╭", "╰", "── ")
"""What dialogs and menus are framed with."""
_BELOW = 2
"""How many lines are below the columns: the edge line and the footer."""
_SIGN_AT, _BEFORE_CARDS = 1, " ▌◆●"
"""What stands before the title of a card; a notice of two lines begins with another sign."""
_PANEL = "  Tutorial"
"""How the panel of the tour begins, which is between the columns and those lines."""


def environment(home: Path, **more: str) -> dict[str, str]:
    """What the program finds in its environment: little, and everything it keeps goes to `home`."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {
        **kept,
        "HOME": str(home),
        "CALLBOARD_HOME": str(home),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "PYTHONWARNINGS": "error",
        **more,
    }


def program(
    home: Path,
    *arguments: str,
    columns: int = 120,
    lines: int = 36,
    command: Sequence[str] = COMMAND,
    **more: str,
) -> Terminal:
    """The program in a terminal, just started; `more` is added to its environment."""
    return Terminal(
        [*command, *arguments],
        environment=environment(home, **more),
        folder=home,
        columns=columns,
        lines=lines,
    )


def shell(home: Path) -> Terminal:
    """A shell that controls jobs, as people start the program in.

    It changes the mode of the terminal, which is noted before that: it waits for a line.
    """
    command = ["sh", "-c", "read -r line; exec bash --norc --noprofile -i"]
    terminal = Terminal(command, environment=environment(home, PS1="here$ "), folder=home)
    terminal.send("\r")
    return terminal


@dataclass(frozen=True, slots=True)
class DrawnColumn:
    """A stage as it is on the screen: where it is, what it says, and what is in it."""

    left: int
    right: int
    top: int
    title: str
    count: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """Everything below its rule."""
        return "\n".join(self.lines)

    @property
    def cards(self) -> tuple[str, ...]:
        """Its cards in the compact density, each as `card_sign` writes it."""
        drawn = (line for line in self.lines if line.strip() and not line.startswith(f" {EMPTY}"))
        return tuple(
            card_sign(line[1:], is_high="▲" in line, is_dated=FAR_OFF in line) for line in drawn
        )


def card_sign(title: str, *, is_high: bool, is_dated: bool = False) -> str:
    """A card in a few characters, fewer than are ever cut from a title.

    ▲ stands for one that is urgent, ◷ for one that is due.
    """
    return f"{title[:SIGN_CELLS].rstrip()}{' ▲' if is_high else ''}{' ◷' if is_dated else ''}"


def bare(card: str) -> str:
    """A card as `card_sign` writes it, without the signs."""
    return card.removeprefix("✓ ").removesuffix(" ◷").removesuffix(" ▲")


def columns(terminal: Terminal) -> list[DrawnColumn]:
    """The columns on the screen, from left to right; none unless all of them are drawn whole.

    They are not while a frame is being drawn, or while a dialog covers some of them.
    """
    cells, lines = terminal.cells, terminal.lines
    top = next((y for y, line in enumerate(lines) if _RULES.fullmatch(line)), 0)
    if not top or any(sign in line for line in lines[top + 1 :] for sign in _COVERED):
        return []
    panel = (y - 1 for y, line in enumerate(lines) if _PANEL in line)
    bottom = next(panel, len(lines) - _BELOW)
    bottom -= cells[bottom - 1][_SIGN_AT] not in _BEFORE_CARDS
    found = []
    for rule in re.finditer("─+", lines[top]):
        left, right = rule.span()
        heading = _HEADING.fullmatch("".join(cells[top - 1][left:right]))
        if heading is None:
            return []
        cards = tuple("".join(line[left:right]) for line in cells[top + 1 : bottom])
        found.append(DrawnColumn(left, right, top, heading[1], int(heading[2]), cards))
    return found


def counts(terminal: Terminal) -> list[int]:
    """How many cards the columns on the screen have; empty while they are not drawn whole."""
    return [column.count for column in columns(terminal)]


def column_of(terminal: Terminal, title: str) -> int | None:
    """The index of the only column in which a title is; None if it is in none or in several."""
    found = [i for i, column in enumerate(columns(terminal)) if title in column.text]
    return found[0] if len(found) == 1 else None


def is_settled(terminal: Terminal, home: Path, profile: str = EMBEDDED) -> bool:
    """Whether every change has reached the service and the screen says so."""
    first = terminal.lines[0]
    is_said = any(
        each in first for each in ("synced", "on this machine", "need attention", "needs attention")
    )
    return is_said and "↑" not in first and waiting(home, profile) == 0


def has_tour(terminal: Terminal, home: Path) -> bool:
    """Whether every card of the tour is on the board, and the screen says that all is well."""
    return counts(terminal) == TOUR and FIRST in terminal.text and is_settled(terminal, home)


def end_tutorial(terminal: Terminal, home: Path) -> None:
    """Rename a stage of the tutorial, so that no lesson is ticked off by what is done then."""
    terminal.until(lambda: has_tour(terminal, home), "the tour")
    terminal.press("S", "r", "ctrl+u", *"Plan", "enter")
    terminal.sees("▸1 Plan")
    terminal.until(lambda: has_tour(terminal, home), "the stage renamed at the service")


def waiting(home: Path, profile: str = EMBEDDED) -> int:
    """How many changes are on disk that the service has not accepted."""
    path = home / "data" / profile / "outbox.sqlite3"
    with closing(sqlite3.connect(path, timeout=10)) as outbox:
        return int(outbox.execute(WAITING).fetchone()[0])


def stored(home: Path) -> list[list[tuple[str, str, str]]]:
    """What the service holds: title, priority and status of the cards of each stage, in order."""
    stages: dict[int, list[tuple[str, str, str]]] = {}
    with closing(sqlite3.connect(home / "data" / "boards.sqlite3", timeout=10)) as boards:
        for stage, title, priority, status in boards.execute(STORED_CARDS):
            cards = stages.setdefault(stage, [])
            if title is not None:
                cards.append((title, priority, status))
    return list(stages.values())


def dated(home: Path) -> set[str]:
    """The titles of the cards that the service has as due in that far-off year."""
    with closing(sqlite3.connect(home / "data" / "boards.sqlite3", timeout=10)) as boards:
        found = boards.execute("select title from task where due_at like ?", (f"{FAR_OFF}%",))
        return {title for (title,) in found}


def damage(home: Path) -> list[str]:
    """What is wrong with the files in a home that no program has open; none if all is well."""
    wrong = [str(path) for path in home.rglob("*.broken-*")]
    for path in sorted(home.rglob("*.sqlite3")):
        with closing(sqlite3.connect(path, timeout=10)) as file:
            (found,) = file.execute("pragma quick_check").fetchone()
            wrong += [f"{path}: {found}"] if found != "ok" else []
    return wrong
