"""Measuring, cutting and padding of text in terminal cells.

Widths are those of Rich, and so of Textual, not numbers of characters. Wide characters and
graphemes are never cut, and of a long text only the visible part is examined.
"""

from rich.cells import cell_len, split_graphemes

ELLIPSIS = "…"
"""Added to text that was cut, one cell wide."""

JOINER = "\u200d"
"""Joins the characters around it into one."""
# The longest emoji have ten characters in two cells, so normal text stays below this.
_CHARACTERS_PER_CELL = 6


def width(text: str) -> int:
    """The width of a text in cells."""
    if text.isascii() and text.isprintable():
        return len(text)
    return cell_len(text)


def split(text: str, cells: int) -> tuple[str, str]:
    """The text in two parts: what fits into so many cells, and the rest.

    A joiner at an end of a part is dropped.
    """
    cells = max(0, cells)
    seen = text[: (cells + 2) * _CHARACTERS_PER_CELL]
    if seen.isascii() and seen.isprintable():
        return text[:cells], text[cells:]
    text = text.strip(JOINER)
    seen = text[: len(seen)]
    graphemes, _ = split_graphemes(seen)
    if len(seen) < len(text):
        # The last one may go on beyond what was looked at.
        graphemes = graphemes[:-1] or graphemes
    end = used = 0
    for _, grapheme_end, grapheme_cells in graphemes:
        if used + grapheme_cells > cells:
            break
        end, used = grapheme_end, used + grapheme_cells
    return text[:end].rstrip(JOINER), text[end:].lstrip(JOINER)


def cut(text: str, cells: int, *, ellipsis: str = ELLIPSIS) -> str:
    """The text in at most so many cells, with an ellipsis if it was cut."""
    if len(text) <= cells and width(text) <= cells and JOINER not in text:
        return text
    head, remaining = split(text, cells)
    if not remaining:
        return head
    room = cells - width(ellipsis)
    if room < 0:
        return ""
    return split(head, room)[0] + ellipsis


def pad(text: str, cells: int) -> str:
    """The text padded with blanks to so many cells; wider text is unchanged."""
    if text.endswith(JOINER):
        text = text.rstrip(JOINER)
    return text + " " * (cells - width(text))


def fit(text: str, cells: int, *, ellipsis: str = ELLIPSIS) -> str:
    """The text in exactly so many cells, cut or padded."""
    return pad(cut(text, cells, ellipsis=ellipsis), cells)
