"""The lines of subtasks, of their groups, and of a move of subtasks."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from tui.model.board import BoardView
from tui.model.detail import DetailPart, SubtaskGroup, TaskDetail
from tui.model.moving import lift
from tui.model.moving.lift import Lift, RowKind
from tui.model.moving.subtasks import SubtaskRow
from tui.model.people import NO_INITIALS, Initials
from tui.model.task import Task
from tui.screens.board_lines import due, moving, people, priority
from tui.text.cells import cut, fit, width as cell_width
from tui.text.clean import quoted
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.bars import key_line
from tui.widgets.painted import Line, Span, fitted, line_width

BAR_WIDTH = 10
NAMED = 2
"""How many people a subtask shows at most; the others are counted."""

TITLE_WIDTH = 36
GROUP_WIDTH = 24
KEYS_WIDTH = 46
"""About how many cells of the status line are not titles."""
NARROW = 60
"""Below this width the status line of a move leaves out the origin."""


class SubtaskFace(NamedTuple):
    """Everything a row shows."""

    row: SubtaskRow
    width: int
    now: datetime
    initials: Initials = NO_INITIALS
    is_current: bool = False
    is_marked: bool = False
    is_pending: bool = False
    typed_lines: int = 0
    """How many lines the input over it has; none if there is no input."""

    def lines(self) -> list[Line]:
        if self.typed_lines:
            return [((" " * self.width, "cursor"),)] * self.typed_lines
        row, width, subtask = self.row, self.width, self.row.subtask
        if row.kind is RowKind.GAP:
            return [((" " * width, "cursor"),)]
        if subtask is not None and row.kind is RowKind.GHOST:
            title = fit(_title(subtask), width - 2)
            return [((f"{glyphs.BAR}{title}{glyphs.BAR_AT_END}", "hand"),)]
        if subtask is not None and row.kind is RowKind.OUTLINE:
            side = glyphs.OUTLINE.down
            return [((f"{side}{fit(_title(subtask), width - 2)}{side}", "quiet"),)]
        first = glyphs.MARK if self.is_marked else glyphs.BAR if self.is_current else " "
        line = self._heading(width - 1) if subtask is None else self._subtask(subtask, width - 1)
        if self.is_current or self.is_marked:
            text = first + "".join(text for text, _ in line)
            return [((text, "cursor" if self.is_current else "mark"),)]
        return [((first, "text"), *line)]

    def _heading(self, width: int) -> Line:
        group = self.row.group or SubtaskGroup(0, "")
        done, total = group.done, len(group.subtasks)
        full = done * BAR_WIDTH // total if total else 0
        signs: list[Span] = [(f" {done}/{total}" if total else " empty", "quiet")]
        if total and width >= 4 * BAR_WIDTH:
            signs.append((f" {glyphs.FULL * full}", "good"))
            signs.append((glyphs.EMPTY * (BAR_WIDTH - full), "line"))
        if self.is_pending:
            signs.append((f" {glyphs.ON_THE_WAY}", "warn"))
        title = cut(group.in_words or "(no title)", max(0, width - line_width(signs)))
        return fitted([(title, "strong"), *signs], width, "text")

    def _subtask(self, subtask: Task, width: int) -> Line:
        pending: list[Span] = [(glyphs.ON_THE_WAY, "warn")] if self.is_pending else []
        facts = [
            (f" {text}", role)
            for text, role in (
                *pending,
                *priority(subtask),
                *due(subtask, self.now),
                *people(subtask, self.initials, NAMED),
            )
        ]
        # The last facts give way first, until the title has half of the line.
        while facts and line_width(facts) > width // 2:
            facts.pop()
        title = fit(_title(subtask), max(0, width - line_width(facts)))
        sign = (title[:1], "good" if subtask.is_closed else "quiet")
        title_span = (title[1:], "quiet" if subtask.is_closed else "text")
        return fitted([sign, title_span, *facts], width, "text")


def _title(subtask: Task) -> str:
    sign = glyphs.DONE if subtask.is_closed else glyphs.OPEN
    return f"{sign} {subtask.title or '(no title)'}"


def why_empty(detail: TaskDetail | None) -> str:
    """Why there are no subtasks, or which key adds one."""
    if detail is None or detail.groups is None:
        why = detail.why if detail is not None else {}
        return why.get(DetailPart.SUBTASKS, "loading subtasks …")
    return keyed("no subtasks yet · {subtask.new:n} to add one · {subtask.paste:P} to paste a list")


def moving_line(lifted: Lift, shown: BoardView, width: int) -> Line:
    """The status line of a move: the lifted subtasks, target, origin, and keys to drop or cancel.

    If `width` is small the titles are cut, so that the keys are visible.
    """
    over, home = shown.stage(lifted.stage_id), shown.stage(lifted.home_stage_id)
    names = [lifted.tasks[0].title, over.title if over else "", home.title if home else ""]
    if sum(map(cell_width, names)) > width - KEYS_WIDTH:
        room = max(16, width - KEYS_WIDTH)
        names = [cut(names[0], room // 2), *(cut(name, room // 4) for name in names[1:])]
    title, to, origin = (
        cut(name, most)
        for name, most in zip(names, (TITLE_WIDTH, GROUP_WIDTH, GROUP_WIDTH), strict=True)
    )
    count = len(lift.others(lifted, shown, lifted.stage_id)) + len(lifted.tasks)
    subject = f"“{title}”" if len(lifted.tasks) == 1 else f"{len(lifted.tasks)} subtasks"
    return (
        *moving(subject).text,
        (f" {glyphs.ARROW} {to} {lifted.row + 1}/{count}", "strong"),
        (f"   from {origin} {lifted.home_row + 1}" if width >= NARROW else "", "quiet"),
        (keyed("   {subtask.open:↵}"), "key"),
        *key_line(" drop  {subtask.put-back:esc} cancel"),
    )


def named(subtasks: Sequence[Task]) -> str:
    """Subtasks in a message: the title of one, the number of several."""
    return quoted(subtasks[0].title) if len(subtasks) == 1 else f"{len(subtasks)} subtasks"
