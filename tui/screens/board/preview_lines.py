"""The lines of the preview of a card: title, facts, description, subtasks and newest comments.

They are drawn as on the screen of the task, in as many cells and lines as there are.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from textual.geometry import Size

from tui.model.board import BoardView
from tui.model.comment import newest
from tui.model.comment_text import followed
from tui.model.detail import DetailPart, TaskDetail
from tui.model.moving.subtasks import SubtaskRow
from tui.model.people import by_mention, initials_of
from tui.model.task import Task
from tui.screens.board_lines import in_trouble, wrapped
from tui.screens.task.facts import facts_of
from tui.screens.task.panes import Extract, below_comments, comment_count, comment_lines
from tui.screens.task.subtask_lines import SubtaskFace
from tui.store.protocol import Store
from tui.text.cells import ELLIPSIS, cut
from tui.text.spans import Span as TextSpan, wrap
from tui.widgets import glyphs
from tui.widgets.painted import Line
from tui.widgets.reading_pane import WIDEST, reading_lines

_TITLE_LINES, _FACT_LINES, _COMMENTS = 3, 3, 3
_MOST_READ = 3000
"""So many characters of a text are read at most, more than a pane can show: keys wait meanwhile."""
_MORE: Line = ((f"{glyphs.DOWN} more", "quiet"),)


def preview_lines(
    task: Task, view: BoardView, store: Store, now: datetime, size: Size
) -> list[Line]:
    """The lines of a card in at most so many cells and lines; `store` has its details."""
    width, now = size.width, now.replace(second=0, microsecond=0)
    detail = replace(store.detail(task.id) or TaskDetail(task), task=task)
    status = store.status(task.board_id)
    if status.problem:
        missing = {DetailPart.SUBTASKS: detail.groups, DetailPart.COMMENTS: detail.comments}
        unknown = {
            part: f"{in_trouble(status)}: {part} not loaded"
            for part in missing
            if missing[part] is None
        }
        detail = replace(detail, why={**detail.why, **unknown})

    title = f"{glyphs.DONE} {task.title}" if task.is_closed else task.title
    lines: list[Line] = [
        (("".join(span.text for span in line), "strong"),)
        for line in wrap([TextSpan(cut(title, (_TITLE_LINES + 1) * width))], width)
    ]
    if len(lines) > _TITLE_LINES:
        last = f"{lines[_TITLE_LINES - 1][0][0]}{ELLIPSIS}"
        lines[_TITLE_LINES - 1 :] = [((cut(last, width), "strong"),)]
    number = "new" if task.is_local else f"#{task.id}"
    facts = facts_of(view, task, now, store.me, None, is_stale=False, relations=store.relations())
    chips: list[Line] = [((number, "quiet"),), *(fact.line for fact in facts)]
    lines += [*wrapped(chips, width, _FACT_LINES), ()]

    sections = [
        _description(task.description, width),
        _subtasks(detail, view, now, size),
        _comments(detail, view, store.unread_comments(task.id), now, width),
    ]
    return lines + _fitting([section for section in sections if section], size.height - len(lines))


def preview_links(task: Task, store: Store) -> tuple[str, ...]:
    """What can be opened from the texts of a card that are shown."""
    detail = store.detail(task.id)
    comments = () if detail is None else newest(detail.comments or (), _COMMENTS)
    said = (followed(comment.text[:_MOST_READ]) for comment in comments)
    return (
        *reading_lines(_begin(task.description), WIDEST)[0],
        *(link for links in said for link in links),
    )


def _begin(source: str) -> str:
    begin = source[:_MOST_READ]
    # The cut may be inside a tag.
    return begin[: begin.rfind("<")] if begin.rfind("<") > begin.rfind(">") else begin


def _description(source: str, width: int) -> list[Line]:
    lines = reading_lines(_begin(source), width)[1] or [(("no description", "quiet"),)]
    return [*lines, _MORE] if len(source) > _MOST_READ else lines


def _subtasks(detail: TaskDetail, view: BoardView, now: datetime, size: Size) -> list[Line]:
    done, total = detail.progress
    if not total:
        return []
    heading = (("Subtasks", "strong"), (f"  {done} of {total}", "quiet"))
    if detail.groups is None:
        why = detail.why.get(DetailPart.SUBTASKS, "loading subtasks …")
        return [heading, ((cut(why, size.width), "quiet"),)]
    initials, pending = initials_of(view.people), detail.pending_of("task")
    lines: list[Line] = [heading]
    for group in detail.groups:
        room = max(0, size.height - len(lines))
        rows = [SubtaskRow(group), *(SubtaskRow(group, task) for task in group.subtasks[:room])]
        for row in rows:
            is_pending = row.subtask is not None and row.subtask.id in pending
            face = SubtaskFace(row, size.width, now, initials, is_pending=is_pending)
            lines += face.lines()
    return lines


def _comments(
    detail: TaskDetail, view: BoardView, unread: frozenset[int], now: datetime, width: int
) -> list[Line]:
    comments = newest(detail.comments or (), _COMMENTS)
    extract = Extract(
        tuple(replace(comment, text=comment.text[:_MOST_READ]) for comment in comments),
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
    # From the shortest on: what it leaves of its share goes to the longer ones.
    for index in sorted(range(len(sections)), key=lambda index: len(sections[index])):
        shares[index] = min(len(sections[index]), room // (len(sections) - len(shares)))
        room -= shares[index]
    lines: list[Line] = []
    for index, section in enumerate(sections):
        shown = section[: shares[index]]
        if shown and len(shown) < len(section):
            shown[-1] = _MORE
        lines += [*shown, ()]
    return lines[:-1]
