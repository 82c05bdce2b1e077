"""A task in words: its fields and its description, as content ready to be shown.

The rule it keeps: pure functions, never markup from outside.
"""

from datetime import datetime

from textual.content import Content

from tui.model.board import Stage
from tui.model.task import Task
from tui.model.urgency import is_overdue
from tui.text.dates import spoken
from tui.text.reading import read
from tui.text.spans import Kind
from tui.widgets import glyphs

LABEL_WIDTH = 11

STYLES = {
    Kind.PLAIN: "",
    Kind.STRONG: "bold",
    Kind.EMPHASIS: "italic",
    Kind.STRUCK: "strike",
    Kind.CODE: "$accent",
    Kind.HEADING: "bold $primary",
    Kind.LINK: "underline $primary",
    Kind.QUOTE: "$foreground-muted italic",
    Kind.SIGN: "$foreground-muted",
}


def fields(task: Task, stage: Stage | None, now: datetime) -> Content:
    """The fields of a task that say something, a line each."""
    status = f"{task.status.value}{f' {glyphs.DONE}' if task.is_closed else ''}"
    lines = [
        _line("stage", Content(stage.title if stage else "—")),
        _line("status", Content(status)),
        _line("priority", Content(task.priority.value)),
    ]
    if task.due_at is not None:
        late = "bold $error" if is_overdue(task, now) else ""
        lines.append(_line("due", Content.styled(spoken(task.due_at, now), late)))
    if task.started_at is not None:
        lines.append(_line("started", Content(spoken(task.started_at, now, past="ago"))))
    if task.labels:
        chips = [
            Content.styled(glyphs.CHIP, each.color) + Content(each.title) for each in task.labels
        ]
        lines.append(_line("labels", Content(" ").join(chips)))
    if task.assignees:
        lines.append(_line("people", Content(", ".join(each.name for each in task.assignees))))
    if task.subtasks_total:
        done = f"{task.subtasks_done} of {task.subtasks_total} done"
        lines.append(_line("subtasks", Content(done)))
    if task.comments_count:
        lines.append(_line("comments", Content(str(task.comments_count))))
    if task.created_at is not None:
        made = spoken(task.created_at.astimezone().replace(tzinfo=None), now, past="ago")
        lines.append(_line("made", Content(made)))
    if task.source:
        lines.append(_line("source", Content(task.source)))
    return Content("\n").join(lines)


def description(task: Task, width: int) -> Content:
    """The description to read, with its links numbered and listed below."""
    if not task.description.strip():
        return Content.styled("no description", "$foreground-muted")
    reading = read(task.description, width)
    lines = [
        Content("").join(Content.styled(span.text, STYLES.get(span.kind, "")) for span in line)
        for line in reading.lines
    ]
    if reading.links:
        lines.append(Content(""))
    lines.extend(
        Content.styled(f"[{number}] {link}", "$foreground-muted")
        for number, link in enumerate(reading.links, 1)
    )
    return Content("\n").join(lines)


def _line(name: str, value: Content) -> Content:
    """A field's name and value."""
    return Content.styled(f"{name:<{LABEL_WIDTH}}", "$foreground-muted") + value
