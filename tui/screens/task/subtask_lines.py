"""The rows of subtasks and their groups as lines of text; pure functions."""

from datetime import datetime
from typing import NamedTuple

from tui.model.detail import SubtaskGroup
from tui.model.moving.lift import RowKind
from tui.model.moving.subtasks import SubtaskRow
from tui.model.people import NO_INITIALS, Initials
from tui.model.task import Task
from tui.screens.task_spans import due, edge, people, priority
from tui.text.cells import fit, width as cell_width
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, fitted, line_width

BAR_WIDTH = 10
NAMED = 2
"""How many people a subtask shows at most; the others are counted."""


class SubtaskState(NamedTuple):
    """The state of a row."""

    is_current: bool = False
    is_marked: bool = False
    is_pending: bool = False


def subtask_line(
    row: SubtaskRow,
    width: int,
    now: datetime,
    state: SubtaskState,
    initials: Initials = NO_INITIALS,
) -> Line:
    """The line of a row, exactly `width` cells wide."""
    if row.kind is RowKind.GAP:
        return ((" " * width, "gap"),)
    first = edge(is_current=state.is_current, is_marked=state.is_marked)
    if row.subtask is None:
        return first, *_heading(row.group or SubtaskGroup(0, ""), width - 1, state)
    if row.kind is RowKind.GHOST:
        return _boxed(row.subtask, width, glyphs.GHOST, "ghost")
    if row.kind is RowKind.OUTLINE:
        return _boxed(row.subtask, width, glyphs.OUTLINE, "outline")
    return first, *_subtask(row.subtask, width - 1, now, state, initials)


def _heading(group: SubtaskGroup, width: int, state: SubtaskState) -> Line:
    """The line of a group: title, progress as numbers and as a bar, and whether it is pending."""
    done, total = group.done, len(group.subtasks)
    full = done * BAR_WIDTH // total if total else 0
    signs: list[Span] = [(f" {done}/{total}" if total else " empty", "count")]
    if total and width >= 4 * BAR_WIDTH:
        signs.append((f" {glyphs.FULL * full}", "bar"))
        signs.append((glyphs.EMPTY * (BAR_WIDTH - full), "frame"))
    if state.is_pending:
        signs.append((f" {glyphs.ON_THE_WAY}", "pending"))
    room = max(0, width - line_width(signs) - 1)
    title = group.title or "(no title)"
    title = fit(title, min(room, cell_width(title)))
    line = [(" ", "meta"), (title, "cursor" if state.is_current else "heading"), *signs]
    return fitted(line, width, "meta")


def _subtask(
    subtask: Task, width: int, now: datetime, state: SubtaskState, initials: Initials
) -> Line:
    """The line of a subtask: whether it is done, title, and as many details as fit."""
    role = "closed" if subtask.is_closed else "title"
    role = "cursor" if state.is_current else "marked" if state.is_marked else role
    sign = glyphs.DONE if subtask.is_closed else glyphs.OPEN
    pending: list[Span] = [(glyphs.ON_THE_WAY, "pending")] if state.is_pending else []
    details = (*priority(subtask), *due(subtask, now), *people(subtask, initials, NAMED))
    behind = [*pending, *details]
    while behind and sum(cell_width(text) + 1 for text, _ in behind) > width // 2:
        behind.pop()
    taken = sum(cell_width(text) + 1 for text, _ in behind)
    title = fit(f"   {sign} {subtask.title or '(no title)'}", max(0, width - taken))
    facts = ((f" {text}", role if role == "cursor" else of) for text, of in behind)
    return fitted([(title, role), *facts], width, "meta")


def _boxed(subtask: Task, width: int, box: glyphs.Box, role: str) -> Line:
    """A subtask in its own frame: a lifted one, or the outline at its original position."""
    bar = glyphs.BAR if role == "ghost" else " "
    sign = glyphs.DONE if subtask.is_closed else glyphs.OPEN
    inner = fit(f"{box.across} {sign} {subtask.title}", max(0, width - 3))
    return ((bar, "bar"), (fit(f"{box.down}{inner}{box.down}", width - 1), role))
