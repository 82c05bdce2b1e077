"""HTML edited as Markdown.

What a person did not touch is not rewritten. Text stays text in both directions, whatever it looks
like; what Markdown cannot express is shown as HTML among it and can be kept; what could act, such
as scripts, never passes. Of text beyond `LIMIT` a note tells that it is not shown; it is kept as it
is behind whatever is made of the rest.
"""

from tui.text.html import tree as html_tree
from tui.text.markdown.blocks import blocks_of, joined

__all__ = ["LIMIT", "edited_html", "quoted", "to_html", "to_markdown"]

LIMIT = html_tree.LIMIT
"""How many characters of HTML are shown to be edited."""


def to_markdown(source: str) -> str:
    """Some HTML as Markdown."""
    found = blocks_of(source)
    kept = len(source) - LIMIT
    if kept <= 0:
        return joined(found)
    ends = max((block.ends for block in found), default=0)
    left = f"{len(source) - ends:,}"
    note = f"<!-- {left} more characters are too long to be edited here and are kept -->"
    return "\n\n".join([*(block.text for block in found), note])


def to_html(markdown: str) -> str:
    """Some Markdown as HTML."""
    from tui.text.markdown.reading import rendered, sections

    return rendered(sections(markdown))


def edited_html(source: str, before: str, after: str) -> str:
    """HTML after an edit of its Markdown, which was `to_markdown(source)` and is `after` now.

    Blocks whose Markdown is the same keep their HTML, and so does all that stands between them.
    """
    if before.split() == after.split() and before.strip() == after.strip():
        return source
    from tui.text.markdown.editing import edited

    return edited(source, blocks_of(source), after)


def quoted(text: str) -> str:
    """Text with the sign of a quote before each line."""
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))
