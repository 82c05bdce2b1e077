"""Editing of HTML as Markdown.

Parts that the user did not change keep their HTML. Text stays text in both directions, whatever it
looks like; what Markdown cannot express is shown as HTML and kept; unsafe content, such as scripts,
is removed. A note says that text beyond `LIMIT` is not shown; it is kept unchanged after the edited
text.
"""

from tui.text.html import tree as html_tree
from tui.text.markdown.blocks import blocks_of, joined

__all__ = ["LIMIT", "edited_html", "quoted", "to_html", "to_markdown"]

LIMIT = html_tree.LIMIT
"""How many characters of HTML are shown for editing."""


def to_markdown(source: str) -> str:
    """HTML as Markdown."""
    blocks = blocks_of(source)
    excess = len(source) - LIMIT
    if excess <= 0:
        return joined(blocks)
    ends = max((block.ends for block in blocks), default=0)
    left = f"{len(source) - ends:,}"
    note = f"<!-- {left} more characters are too long to be edited here and are kept -->"
    return "\n\n".join([*(block.text for block in blocks), note])


def to_html(markdown: str) -> str:
    """Markdown as HTML."""
    from tui.text.markdown.reading import rendered, sections

    return rendered(sections(markdown))


def edited_html(source: str, previous: str, markdown: str) -> str:
    """The HTML after an edit of its Markdown from `to_markdown(source)` to `markdown`.

    Blocks with unchanged Markdown keep their HTML, and so does everything between them.
    """
    if previous.split() == markdown.split() and previous.strip() == markdown.strip():
        return source
    from tui.text.markdown.editing import edited

    return edited(source, blocks_of(source), markdown)


def quoted(text: str) -> str:
    """Text with `>` before each line."""
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))
