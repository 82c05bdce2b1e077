"""A board as a row of the list, as pure functions."""

from collections.abc import Iterable
from datetime import datetime

from textual.content import Content

from tui.model.board import Board
from tui.model.people import in_initials, initials_of
from tui.text.cells import fit
from tui.text.fuzzy import rank
from tui.widgets import glyphs

BAR_WIDTH = 10
COUNT_WIDTH = 9
PEOPLE_WIDTH = 12
WIDE = 70
"""From so many cells on a row also says who is on a board and what kind it is."""


def fitting(boards: Iterable[Board], search: str, *, archived: bool) -> list[Board]:
    """The boards that fit a search, best first; archived ones last, or not at all."""
    kept = [each for each in boards if archived or each.archived_at is None]
    kept.sort(key=lambda each: each.archived_at is not None)
    if not search.strip():
        return kept
    return [kept[index] for index in rank(search, [each.title for each in kept])]


def board_row(board: Board, width: int, now: datetime, waiting: int = 0) -> Content:
    """A board on one line: title, changes that wait, how much is done, kind, people, age."""
    wide = width >= WIDE
    extra = PEOPLE_WIDTH + COUNT_WIDTH + 7 if wide else 0
    room = max(8, width - BAR_WIDTH - COUNT_WIDTH - extra - 2)
    title = board.title or "(no title)"
    if board.archived_at is not None:
        title = f"[archived] {title}"
    waits = f" {glyphs.ON_THE_WAY}{waiting}" if waiting else ""
    share = board.completed_count / board.tasks_count if board.tasks_count else 0.0
    full = int(share * BAR_WIDTH)
    parts = [
        (fit(f" {title}", room - len(waits)), "bold"),
        (waits, "bold $warning"),
        (" ", ""),
        (glyphs.FULL * full, "$success"),
        (glyphs.EMPTY * (BAR_WIDTH - full), "$foreground-muted"),
        (f" {f'{board.completed_count}/{board.tasks_count}':>{COUNT_WIDTH - 1}}", ""),
    ]
    if wide:
        people = " ".join(in_initials(board.people[:4], initials_of(board.people)))
        parts.append((f" {board.type.value:<7}", "$foreground-muted"))
        parts.append((fit(f" {people}", PEOPLE_WIDTH), "$primary"))
        parts.append((f"{_age(board, now):>{COUNT_WIDTH}}", "$foreground-muted"))
    return Content.assemble(*parts)


def _age(board: Board, now: datetime) -> str:
    """How long ago a board was made, in days."""
    if board.created_at is None:
        return ""
    days = (now - board.created_at.astimezone().replace(tzinfo=None)).days
    return "today" if days <= 0 else f"{days}d"
