"""A card as lines of text: pure functions from a task to what is drawn of it.

Every line is exactly as wide as asked, in cells. Parts are named by the role they play (`title`,
`late`, …) and never by a colour, so that the theme decides how they look.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from tui.context import Density
from tui.model.lift import RowKind
from tui.model.people import NO_INITIALS, Initials, in_initials
from tui.model.task import Priority, Task
from tui.model.urgency import is_overdue, is_upcoming
from tui.text.cells import cut, fit, width as cell_width
from tui.text.dates import relative
from tui.widgets import glyphs
from tui.widgets.glyphs import Box
from tui.widgets.painted import Line, Span

CardLine = Line
"""One line of a card; its roles are those of `tui.theme.PAINTS`."""

NAMED = 3
"""How many people a card names."""


class Look(NamedTuple):
    """What a card is drawn with, the same for all cards of a board at one moment."""

    density: Density
    now: datetime
    initials: Initials = NO_INITIALS


class CardState(NamedTuple):
    """What is true of one card at one moment."""

    kind: RowKind = RowKind.CARD
    is_current: bool = False
    is_marked: bool = False
    is_pending: bool = False
    is_news: bool = False


def card_lines(task: Task, width: int, look: Look, state: CardState) -> list[CardLine]:
    """The lines of a card, `look.density` of them, each exactly `width` cells wide."""
    if state.kind is RowKind.GAP:
        return [((" " * width, "gap"),)] * look.density
    if state.kind is RowKind.GHOST:
        return _boxed(task, width, look, glyphs.GHOST, "ghost")
    if state.kind is RowKind.OUTLINE:
        return _boxed(task, width, look, glyphs.OUTLINE, "outline")
    lines = [_title_line(task, width - 1, look, state)]
    if look.density is Density.NORMAL:
        lines.append(_fitted([*_facts(task, look), *_chips(task)], width - 1))
    if look.density is Density.ROOMY:
        lines.append(_fitted(_facts(task, look), width - 1))
        lines.append(_fitted(_chips(task), width - 1))
    return [(_edge(state, part), *line) for part, line in enumerate(lines)]


def _edge(state: CardState, part: int) -> Span:
    """The cell at the left of a line: the cursor's bar, else a mark at the title, else nothing."""
    if state.is_current:
        return glyphs.BAR, "mark" if state.is_marked else "bar"
    return (glyphs.MARK, "mark") if state.is_marked and part == 0 else (" ", "meta")


def _title_line(task: Task, width: int, look: Look, state: CardState) -> CardLine:
    """The title, with its signs: done before it, on its way or changed by others behind it."""
    role = "cursor" if state.is_current else "marked" if state.is_marked else "title"
    if task.is_closed:
        role = "cursor" if state.is_current else "closed"
    before = f"{glyphs.DONE} " if task.is_closed else ""
    signs = _signs(task, look) if look.density is Density.COMPACT else []
    if state.is_pending:
        signs.append((glyphs.ON_THE_WAY, "pending"))
    if state.is_news:
        signs.append((glyphs.NEWS, "news"))
    behind = sum(cell_width(text) + 1 for text, _ in signs)
    if behind > width // 2:
        signs, behind = signs[-1:], sum(cell_width(text) + 1 for text, _ in signs[-1:])
    title = fit(before + task.title, max(0, width - behind))
    return (
        (title, role),
        *((f" {text}", "cursor" if state.is_current else of) for text, of in signs),
    )


def _signs(task: Task, look: Look) -> list[Span]:
    """What a compact card can say beside its title."""
    signs = [(glyphs.CHIP, label.color) for label in task.labels[:3]]
    signs.extend(_due(task, look))
    if task.priority is Priority.HIGH:
        signs.append((glyphs.HIGH, "high"))
    return signs


def _facts(task: Task, look: Look) -> list[Span]:
    """Number, priority, due date, people, subtasks and comments of a task."""
    number = "new" if task.is_local else f"#{task.id}"
    facts: list[Span] = [(number, "meta"), *_priority(task), *_due(task, look)]
    if task.assignees:
        facts.append((_people(task, look), "people"))
    if task.subtasks_total:
        done = f"{glyphs.SUBTASKS}{task.subtasks_done}/{task.subtasks_total}"
        facts.append((done, "meta"))
    if task.comments_count:
        facts.append((f"{glyphs.COMMENTS}{task.comments_count}", "meta"))
    return facts


def _people(task: Task, look: Look) -> str:
    """Who does a task, in initials; a few are named and the others counted."""
    named = in_initials(task.assignees[:NAMED], look.initials)
    more = len(task.assignees) - len(named)
    return " ".join(named) + (f"+{more}" if more else "")


def _priority(task: Task) -> list[Span]:
    """The sign of a task's priority; low, which most are, goes without one."""
    if task.priority is Priority.HIGH:
        return [(glyphs.HIGH, "high")]
    return [(glyphs.MEDIUM, "meta")] if task.priority is Priority.MEDIUM else []


def _due(task: Task, look: Look) -> list[Span]:
    """When a task is due, in words; nothing once it is done."""
    if task.due_at is None or task.is_closed:
        return []
    when = relative(task.due_at, look.now)
    if is_overdue(task, look.now):
        return [(f"·{when}·", "late")]
    return [(when, "soon" if is_upcoming(task, look.now) else "meta")]


def _chips(task: Task) -> list[Span]:
    """The labels of a task; one without a title is its colour alone."""
    return [
        (text, role)
        for label in task.labels
        for text, role in ((glyphs.CHIP, label.color), (label.title, "label"))
        if text
    ]


def _fitted(parts: Sequence[Span], width: int) -> CardLine:
    """Parts side by side with a blank between, cut and padded to the width."""
    line: list[Span] = []
    left = width
    for text, role in parts:
        piece = f" {text}" if line and role != "label" else text
        if left <= 0:
            break
        piece = cut(piece, left)
        line.append((piece, role))
        left -= cell_width(piece)
    if left > 0:
        line.append((" " * left, "meta"))
    return tuple(line)


def _boxed(task: Task, width: int, look: Look, box: Box, role: str) -> list[CardLine]:
    """A card in a frame of its own, for what is lifted and what it leaves behind."""
    bar = glyphs.BAR if role == "ghost" else " "
    inner = max(0, width - 3)
    across = box.across * inner
    title = fit(f" {task.title}", inner)
    facts = _fitted([(" ", role), *((text, role) for text, _ in _facts(task, look))], inner)
    text = "".join(piece for piece, _ in facts)
    if look.density is Density.COMPACT:
        texts = [f"{box.down}{title}{box.down}"]
    elif look.density is Density.NORMAL:
        texts = [
            f"{box.top_left}{title}{box.top_right}",
            f"{box.bottom_left}{text}{box.bottom_right}",
        ]
    else:
        texts = [
            f"{box.top_left}{across}{box.top_right}",
            f"{box.down}{title}{box.down}",
            f"{box.bottom_left}{across}{box.bottom_right}",
        ]
    return [((bar, "bar"), (fit(line, width - 1), role)) for line in texts]
