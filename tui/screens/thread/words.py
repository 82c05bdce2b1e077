"""The texts of a thread's bar, and of a thread without comments."""

from tui.model.comment import count
from tui.model.detail import Part, TaskDetail
from tui.model.task import Task
from tui.store.events import SyncStatus
from tui.text.cells import cut, width as cell_width
from tui.widgets import glyphs
from tui.widgets.painted import Line

_TITLE = 12
"""The least width of the title in cells."""


def thread_line(
    task: Task | None, detail: TaskDetail | None, unread: int, right: str, width: int
) -> tuple[Line, Line]:
    """The bar: task, comments and unread ones; at the right `right`, if it fits."""
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
    """The text in place of comments: why there are none, and what to press."""
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
