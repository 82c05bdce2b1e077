"""A description as content ready to be shown.

The rule it keeps: pure functions, never markup from outside.
"""

from textual.content import Content

from tui.model.task import Task
from tui.text.reading import read
from tui.text.spans import Kind

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
