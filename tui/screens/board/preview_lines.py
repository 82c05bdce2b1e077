"""The lines of the preview of a card: title, facts, description, subtasks and newest comments.

They are drawn as on the screen of the task, in as many cells and lines as there are.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby

from textual.geometry import Size

from tui.model.board import BoardView
from tui.model.comment import newest
from tui.model.detail import Part, TaskDetail
from tui.model.moving.subtasks import lanes, rows
from tui.model.people import by_mention, initials_of
from tui.model.task import Task
from tui.screens.board_lines import wrapped
from tui.screens.task.panes import Extract, below_comments, comment_count, comment_lines
from tui.screens.task.screen import facts_line
from tui.screens.task.subtask_view import SubtaskState, subtask_line
from tui.store.protocol import Store
from tui.text.cells import ELLIPSIS, cut
from tui.text.spans import Span as TextSpan, wrap
from tui.widgets import glyphs
from tui.widgets.painted import Line
from tui.widgets.reading_pane import reading_lines

_TITLE_LINES, _FACT_LINES, _COMMENTS = 3, 3, 3
_GAP = ("  ", "text")


def preview_lines(
    task: Task, view: BoardView, store: Store, now: datetime, size: Size
) -> list[Line]:
    """The lines of a card in at most so many cells and lines; `store` has its details."""
    width, now = size.width, now.replace(second=0, microsecond=0)
    detail = replace(store.detail(task.id) or TaskDetail(task), task=task)
    if store.status(task.board_id).problem:
        missing = {Part.SUBTASKS: detail.groups, Part.COMMENTS: detail.comments}
        unknown = {
            part: f"offline: {part} are not known" for part in missing if missing[part] is None
        }
        detail = replace(detail, why={**detail.why, **unknown})

    title = f"{glyphs.DONE} {task.title}" if task.is_closed else task.title
    lines: list[Line] = [
        (("".join(span.text for span in line), "strong"),)
        for line in wrap([TextSpan(title)], width)
    ]
    if len(lines) > _TITLE_LINES:
        last = f"{lines[_TITLE_LINES - 1][0][0]}{ELLIPSIS}"
        lines[_TITLE_LINES - 1 :] = [((cut(last, width), "strong"),)]
    number = "new" if task.is_local else f"#{task.id}"
    facts = ((number, "quiet"), _GAP, *facts_line(view, task, now, store.me))
    chips = [
        tuple(fact) for is_gap, fact in groupby(facts, lambda each: each == _GAP) if not is_gap
    ]
    lines += [*wrapped(chips, width, _FACT_LINES), ()]

    sections = [
        reading_lines(task.description, width)[1] or [(("no description", "quiet"),)],
        _subtasks(detail, view, now, width),
        _comments(detail, view, store.unread_comments(task.id), now, width),
    ]
    return lines + _fitting([each for each in sections if each], size.height - len(lines))


def _subtasks(detail: TaskDetail, view: BoardView, now: datetime, width: int) -> list[Line]:
    done, total = detail.progress
    if not total:
        return []
    heading = (("Subtasks", "strong"), (f"  {done} of {total}", "quiet"))
    if detail.groups is None:
        why = detail.why.get(Part.SUBTASKS, "loading subtasks …")
        return [heading, ((cut(why, width), "quiet"),)]
    initials, pending = initials_of(view.people), detail.pending_of("task")
    lines: list[Line] = [heading]
    for row in rows(detail, lanes(detail)):
        is_pending = row.subtask is not None and row.subtask.id in pending
        state = SubtaskState(is_pending=is_pending)
        lines.append(subtask_line(row, width, now, state, initials))
    return lines


def _comments(
    detail: TaskDetail, view: BoardView, unread: frozenset[int], now: datetime, width: int
) -> list[Line]:
    extract = Extract(
        newest(detail.comments or (), _COMMENTS),
        unread,
        detail.pending_of("comment"),
        frozenset(by_mention(view.people)),
        below_comments(detail, len(unread)),
    )
    lines = comment_lines(extract, width, now)
    count = comment_count(detail)
    return [(("Comments", "strong"), (f"  {count}", "quiet")), *lines] if count else lines


def _fitting(sections: Sequence[list[Line]], height: int) -> list[Line]:
    """The sections with a blank line between them, the longest ones cut to fit."""
    room = max(0, height - len(sections) + 1)
    shares: dict[int, int] = {}
    for index in sorted(range(len(sections)), key=lambda index: len(sections[index])):
        shares[index] = min(len(sections[index]), room // (len(sections) - len(shares)))
        room -= shares[index]
    lines: list[Line] = []
    for index, section in enumerate(sections):
        shown = section[: shares[index]]
        if shown and len(shown) < len(section):
            hidden = len(section) - len(shown) + 1
            shown[-1] = ((f"{glyphs.DOWN} {hidden} more lines", "quiet"),)
        lines += [*shown, ()]
    return lines[:-1]
