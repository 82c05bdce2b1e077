"""The texts of a task's bar, tabs and headings; pure functions."""

from datetime import datetime

from tui.model.board import BoardView
from tui.model.comment import count
from tui.model.detail import Part, TaskDetail
from tui.model.people import in_initials, initials_of
from tui.model.task import Priority, Task
from tui.model.urgency import is_overdue
from tui.screens.board_lines import sync_words
from tui.screens.task.panes import Section
from tui.store.events import SyncStatus
from tui.text.cells import cut
from tui.text.dates import relative
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span
from tui.widgets.tab_line import Tab

TITLE_WIDTH = 40
PROGRESS_WIDTH = 8


def bar_line(
    view: BoardView,
    task: Task,
    parent: Task | None,
    status: SyncStatus,
    now: datetime,
    *,
    is_read_only: bool = False,
) -> tuple[Line, Line]:
    """The bar: board, number and stage or parent of the task; at the right the sync status."""
    stage = view.stage(task.stage_id)
    number = "new" if task.is_local else f"#{task.id}"
    left: list[Span] = [(f" {cut(view.board.title, TITLE_WIDTH)}", "name")]
    if task.parent_id is not None or parent is not None:
        title = f" of “{cut(parent.title, TITLE_WIDTH)}”" if parent is not None else ""
        left.append((f"   {number} subtask{title}", "quiet"))
    else:
        left.append((f"   {number} in {stage.title if stage else '—'}", "quiet"))
    if is_read_only:
        left.append(("   read only", "warning"))
    elif task.archived_at is not None:
        left.append((keyed("   archived · {task.archive:A} restores it"), "warning"))
    return tuple(left), (*sync_words(status, now), (" ", "said"))


def facts_line(view: BoardView, task: Task, now: datetime) -> Line:
    """The most important fields on one line, for the narrow layout."""
    stage = view.stage(task.stage_id)
    facts: list[Span] = [(stage.title, "title")] if stage is not None else []
    if task.is_closed:
        facts.append((f"closed {glyphs.DONE}", "closed"))
    if task.priority is not Priority.LOW:
        sign = glyphs.HIGH if task.priority is Priority.HIGH else glyphs.MEDIUM
        facts.append((f"{sign} {task.priority}", "high" if sign == glyphs.HIGH else "meta"))
    if task.due_at is not None and not task.is_closed:
        late = is_overdue(task, now)
        facts.append((relative(task.due_at, now), "late" if late else "meta"))
    if task.assignees:
        named = in_initials(task.assignees, initials_of(view.people))
        facts.append((" ".join(named), "people"))
    line: list[Span] = []
    for text, role in facts:
        line += [(" · " if line else "", "meta"), (text, role)]
    for label in task.labels:
        line += [("  ", "meta"), (glyphs.CHIP, label.color), (label.title, "label")]
    return tuple(span for span in line if span[0])


def tabs(detail: TaskDetail, unread: int) -> tuple[Tab, ...]:
    """The tabs of the sections, with short notes."""
    done, total = detail.progress
    news = f"{glyphs.NEWS}{unread}" if unread else ""
    notes = {
        Section.SUBTASKS: f"{done}/{total}" if total else "",
        Section.COMMENTS: " ".join(filter(None, (said_count(detail), news))),
    }
    return tuple(Tab(section.name.capitalize(), notes.get(section, "")) for section in Section)


def said_count(detail: TaskDetail) -> str:
    """The number of comments, with `+` if more may exist; empty for none."""
    known = count(detail.comments or ())
    more = "+" if detail.comments is not None and not detail.all_comments else ""
    at_least = max(known, detail.task.comments_count)
    return f"{at_least}{more if at_least == known else ''}" if at_least else ""


def subtasks_note(detail: TaskDetail) -> Line:
    """The progress of the subtasks for their heading."""
    done, total = detail.progress
    if not total:
        return ()
    full = PROGRESS_WIDTH * done // total
    return (
        (f"{done}/{total} ", "meta"),
        (glyphs.FULL * full, "bar"),
        (glyphs.EMPTY * (PROGRESS_WIDTH - full), "meta"),
    )


def comments_note(detail: TaskDetail, unread: int) -> Line:
    """The number of comments and of unread ones for their heading."""
    said = said_count(detail)
    new = ((f"{' · ' if said else ''}{glyphs.NEWS} {unread} unread", "news"),) if unread else ()
    return ((said, "meta"), *new) if said or new else ()


def below_comments(detail: TaskDetail, unread: int) -> str:
    """The line below the newest comments: their number, or why there are none."""
    if detail.comments is None:
        return detail.why.get(Part.COMMENTS) or "loading comments …"
    said = said_count(detail)
    if not said:
        return keyed("no comments · {task.comment:c} writes one")
    plural = "" if said == "1" else "s"
    new = f" · {unread} unread" if unread else ""
    return keyed("{task.thread:T} opens the comments") + f" · {said} comment{plural}{new}"
