"""The words above a thread, and in place of one that is not there."""

from tui.model.comment import count
from tui.model.detail import Part, TaskDetail
from tui.model.task import Task
from tui.store.events import SyncStatus
from tui.text.cells import cut, width as cell_width
from tui.widgets import glyphs
from tui.widgets.painted import Line

_TITLE = 12
"""The cells that a title has at least."""


def thread_line(
    task: Task | None, detail: TaskDetail | None, unread: int, right: str, width: int
) -> tuple[Line, Line]:
    """The task, how much was said and how much of it is unread; at the right what else fits."""
    if task is None:
        return ((" This task is not here", "name"),), ()
    number = "new" if task.is_local else f"#{task.id}"
    facts = ""
    if detail is not None and detail.comments is not None:
        many = count(detail.comments)
        more = "" if detail.all_comments else "+"
        facts = f" · {many}{more} comment{'' if many == 1 and not more else 's'}"
    news = f" · {glyphs.NEWS} {unread} unread" if unread else ""
    room = width - cell_width(f"   {number}{news}{facts} ")
    right = f"{right} " if cell_width(right) + _TITLE <= room else ""
    title = cut(task.title, max(_TITLE, room - cell_width(right)))
    left = ((f" {title}", "name"), (f"  {number}", "quiet"), (news, "heard"), (facts, "quiet"))
    return left, ((right, "quiet"),)


def nothing_words(detail: TaskDetail | None, status: SyncStatus) -> str:
    """Why no comment is shown."""
    if detail is not None and Part.COMMENTS in detail.why:
        return detail.why[Part.COMMENTS]
    if detail is not None and detail.comments is not None:
        return "No comments yet.\n\nc writes the first comment"
    if status.problem:
        return (
            "The comments are not loaded yet; they come when the service answers.\n\n"
            "c writes one anyway: it is sent then"
        )
    return "loading comments …"
