"""The sections of a task and their headings: side by side in a wide terminal, else one at a time.

Each section is one widget that is only shown or hidden, so that its state survives a change of
section or width.
"""

from datetime import datetime
from enum import IntEnum
from functools import lru_cache
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from tui.actions.action import action
from tui.model.comment import Comment, count
from tui.model.comment_text import followed
from tui.model.detail import DetailPart, TaskDetail
from tui.model.moving.subtasks import RowKey as SubtaskKey
from tui.record import record
from tui.screens.task.activity import ActivityList
from tui.screens.task.field_list import FieldList
from tui.screens.task.subtask_list import SubtaskList
from tui.screens.thread.view import words
from tui.store.operations.base import Operation
from tui.text.cells import ELLIPSIS, cut
from tui.text.clean import counted
from tui.text.dates import local, past_time
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.bars import Bar, SectionHeading, Tab
from tui.widgets.painted import Line, PaintedLines
from tui.widgets.reading_pane import ReadingPane

LINES_EACH = 3
"""How many lines of a comment are shown."""
INDENT = "  "
WIDE = 100
"""From this width on, the fields are beside the other sections."""
TEXT_WIDTH = 74
"""The most cells of a line of the description and of comments."""


class TaskSection(IntEnum):
    """The sections of a task screen, in order."""

    TEXT = 0
    SUBTASKS = 1
    COMMENTS = 2
    FIELDS = 3
    ACTIVITY = 4

    @property
    def title(self) -> str:
        return "Description" if self is TaskSection.TEXT else self.name.capitalize()


MAIN = (TaskSection.TEXT, TaskSection.SUBTASKS, TaskSection.COMMENTS)
"""The sections of the left column in the wide layout."""


@record
class Extract:
    """The contents of the widget: the newest comments, and a line below them."""

    comments: tuple[Comment, ...] = ()
    unread: frozenset[int] = frozenset()
    pending: frozenset[int] = frozenset()
    logins: frozenset[str] = frozenset()
    below: str = ""


class CommentExtract(PaintedLines, can_focus=True):
    """The newest comments, a few lines each, and a line with their number."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "thread", "thread", id="task.comments", tooltip="Open comments"),
    ]

    class ThreadRequested(Message):
        """The user wants to open the screen with all comments."""

    def __init__(self) -> None:
        super().__init__()
        self._extract = Extract()
        self._now: datetime | None = None

    @property
    def links(self) -> tuple[str, ...]:
        """What can be opened from the comments that are shown."""
        every = (followed(comment.text) for comment in self._extract.comments)
        return tuple(link for links in every for link in links)

    def show(self, extract: Extract, now: datetime) -> None:
        now = now.replace(second=0, microsecond=0)
        if (extract, now) != (self._extract, self._now):
            self._extract, self._now = extract, now
            self.draw_anew()

    def lines_now(self, size: Size) -> list[Line]:
        return comment_lines(self._extract, max(2, min(size.width, TEXT_WIDTH)), self._now)

    def on_click(self, event: events.Click) -> None:
        if event.chain > 1:
            self.action_thread()
        else:
            self.follow_link_at(event)

    def action_thread(self) -> None:
        self.post_message(self.ThreadRequested())


@lru_cache(maxsize=4)
def comment_lines(extract: Extract, width: int, now: datetime | None) -> list[Line]:
    """The comments of an extract in lines of at most `width` cells, and the line below them."""
    lines: list[Line] = []
    for comment in extract.comments:
        lines += [*_comment(comment, extract, width, now), ()]
    return [*lines, ((cut(extract.below, width), "quiet"),)] if extract.below else lines[:-1]


def _comment(comment: Comment, extract: Extract, width: int, now: datetime | None) -> list[Line]:
    name = comment.author.name if comment.author else "Someone"
    when = past_time(local(comment.created_at), now) if (comment.created_at and now) else ""
    verb = " replied" if comment.is_reply else ""
    heading: list[tuple[str, str]] = [
        (f"{glyphs.NEWS} " if comment.id in extract.unread else INDENT, "news"),
        (cut(name, max(1, width - len(when) - len(verb) - 6)), "strong"),
        (f"{verb}  {when}", "quiet"),
        (f"  {glyphs.ON_THE_WAY}" if comment.id in extract.pending else "", "warn"),
    ]
    lines = words(comment.text.strip(), (), width - len(INDENT), extract.logins)
    text: list[Line] = [((INDENT, "text"), *line) for line in lines[:LINES_EACH]]
    if len(lines) > LINES_EACH:
        text[-1] = (*text[-1], (ELLIPSIS, "quiet"))
    if comment.images:
        pictures = f"{INDENT}{counted(len(comment.images), 'picture')}"
        text.append(((cut(pictures, width), "quiet"),))
    return [tuple(heading), *text]


class TaskPanes(Horizontal):
    """The sections of a task."""

    def __init__(self, subtasks: SubtaskList, activity: ActivityList) -> None:
        super().__init__()
        self.section = TaskSection.TEXT
        self.is_wide = True
        self.text = ReadingPane("no description · {task.edit-description:E} to add one")
        self.subtasks = subtasks
        self.comments = CommentExtract()
        self.fields = FieldList()
        self.activity = activity
        self.main = VerticalScroll(id="task-main", can_focus=False)
        self.side = Vertical(id="task-side")
        self.headings = {
            section: SectionHeading(section.title)
            for section in MAIN
            if section is not TaskSection.TEXT
        }
        self.fields_heading = Bar()
        self.fields_heading.ground = "card"
        self._has_activity = False

    def compose(self) -> ComposeResult:
        with self.main:
            for section in MAIN:
                if section is not TaskSection.TEXT:
                    yield self.headings[section]
                yield self.of(section)
        yield self.activity
        with self.side:
            yield self.fields_heading
            yield self.fields

    def begin(self) -> None:
        self.activity.begin()
        self.subtasks.forget()
        self.fields.begin()

    def of(self, section: TaskSection) -> Widget:
        return (self.text, self.subtasks, self.comments, self.fields, self.activity)[section]

    def section_of(self, widget: Widget | None) -> TaskSection | None:
        within = widget.ancestors_with_self if widget is not None else ()
        return next((section for section in TaskSection if self.of(section) in within), None)

    def order(self) -> tuple[TaskSection, ...]:
        """The sections that Tab cycles through: in the wide layout only the visible ones."""
        if not self.is_wide:
            return tuple(TaskSection)
        return (
            (TaskSection.ACTIVITY, TaskSection.FIELDS)
            if self._has_activity
            else (*MAIN, TaskSection.FIELDS)
        )

    def go(self, section: TaskSection) -> None:
        self.section = section
        self.take_room(is_wide=self.is_wide)
        self.of(section).focus(scroll_visible=False)
        # A section has its place only once the new layout is drawn.
        if section in MAIN:
            self.call_after_refresh(self._bring_into_sight, section)

    def go_to_changed(self, operation: Operation, detail: TaskDetail | None) -> str | None:
        """Move the cursor to the subtask or group an operation changed, see `HistoryActions`."""
        kind, own_id = operation.subject
        if detail is None or self.subtasks.lift is not None:
            return None
        if kind == "task" and detail.place_of(own_id) is not None:
            self.go(TaskSection.SUBTASKS)
            self.subtasks.go_to_subtask(own_id)
        elif kind == "subtask_group" and detail.group(own_id) is not None:
            self.go(TaskSection.SUBTASKS)
            self.subtasks.go_to_key(SubtaskKey(own_id))
        else:
            return None
        return ""

    def take_room(self, *, is_wide: bool) -> None:
        # The sections of the left column have other places in the other layout.
        if is_wide != self.is_wide and self.section in MAIN:
            self.main.scroll_home(animate=False)
            self.call_after_refresh(self._bring_into_sight, self.section)
        self.is_wide = is_wide
        # The fields stand beside the activity, too: going to them leaves it open.
        if self.section is not TaskSection.FIELDS or not is_wide:
            self._has_activity = self.section is TaskSection.ACTIVITY
        is_main = self.section in MAIN
        self.set_class(not is_wide, "-narrow")
        self.main.display = not self._has_activity if is_wide else is_main
        self.activity.display = self._has_activity
        self.side.display = is_wide or self.section is TaskSection.FIELDS

    def show_headings(self, detail: TaskDetail, unread: int) -> None:
        notes: dict[TaskSection, Line] = {}
        done, total = detail.progress
        if total:
            notes[TaskSection.SUBTASKS] = ((f"{done} of {total}", "quiet"),)
        comments = comment_count(detail)
        news = f"{glyphs.NEWS} {unread} unread" if unread else ""
        if comments:
            count_of = f"{comments}, newest first{' · ' if news else ''}"
            notes[TaskSection.COMMENTS] = ((count_of, "quiet"), (news, "news"))
        for section, heading in self.headings.items():
            heading.say(notes.get(section, ()), is_current=section is self.section)
        role = "accent" if self.section is TaskSection.FIELDS else "strong"
        self.fields_heading.say(
            ((TaskSection.FIELDS.title, role),), ((keyed("{field.edit:↵} change"), "quiet"),)
        )

    @action("task.scroll-down", "j,down", "Scroll down", arguments=(1,))
    @action("task.scroll-up", "k,up", "Scroll up", arguments=(-1,))
    def scroll_lines(self, lines: int) -> None:
        if self.section is TaskSection.ACTIVITY:
            self.activity.scroll(lines)
        else:
            self.main.scroll_relative(y=lines, animate=False, immediate=True)

    @action("task.page-down", "ctrl+d,pagedown", "Scroll down half a page", arguments=(1,))
    @action("task.page-up", "ctrl+u,pageup", "Scroll up half a page", arguments=(-1,))
    def scroll_pages(self, half_pages: int) -> None:
        self.scroll_lines(half_pages * max(1, self.size.height // 2))

    def _bring_into_sight(self, section: TaskSection) -> None:
        # The heading and as much of the section as possible.
        top = self.headings[section] if section in self.headings else self.of(section)
        if section is TaskSection.TEXT:
            self.main.scroll_home(animate=False)
        else:
            self.of(section).scroll_visible(animate=False)
            # The heading comes last, so that it is visible if both do not fit.
            top.scroll_visible(animate=False)


def tabs(detail: TaskDetail, unread: int) -> tuple[Tab, ...]:
    """The tabs of the sections, with short notes."""
    done, total = detail.progress
    news = f"{glyphs.NEWS}{unread}" if unread else ""
    notes = {
        TaskSection.SUBTASKS: f"{done}/{total}" if total else "",
        TaskSection.COMMENTS: " ".join(filter(None, (comment_count(detail), news))),
    }
    return tuple(Tab(section.title, notes.get(section, "")) for section in TaskSection)


def comment_count(detail: TaskDetail) -> str:
    """The number of comments, with `+` if more may exist; empty for none."""
    loaded = count(detail.comments or ())
    more = "+" if detail.comments is not None and not detail.all_comments else ""
    at_least = max(loaded, detail.task.comments_count)
    return f"{at_least}{more if at_least == loaded else ''}" if at_least else ""


def below_comments(detail: TaskDetail, unread: int, shown: int = 0) -> str:
    """The line below the newest comments: their number, or why there are none.

    It is empty if those that are `shown` are all there are.
    """
    if detail.comments is None:
        return detail.why.get(DetailPart.COMMENTS) or "loading comments …"
    comments = comment_count(detail)
    if not comments:
        return keyed("no comments · {task.comment:c} to add one")
    if detail.all_comments and count(detail.comments) == shown:
        return ""
    plural = "" if comments == "1" else "s"
    new = f" · {unread} unread" if unread else ""
    return keyed("{task.thread:T} to open the comments") + f" · {comments} comment{plural}{new}"
