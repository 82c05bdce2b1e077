"""Text measured, cut and padded in terminal cells.

The width of text is what Rich and so Textual count, never the number of characters. Nothing is cut
through a wide character or a grapheme, and of a long text only as much is looked at as can be seen.
"""

from rich.cells import cell_len, split_graphemes

ELLIPSIS = "…"
"""Stands at the end of what has been cut, one cell wide."""

JOINER = "\u200d"
"""Makes one sign of the two that it stands between."""
# The longest emoji of ours are ten characters in two cells, so honest text stays below this.
_CHARACTERS_PER_CELL = 6


def width(text: str) -> int:
    """How many cells the text takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    return cell_len(text)


def split(text: str, cells: int) -> tuple[str, str]:
    """The text in two: as much as goes into so many cells, and all the rest.

    A joiner at an end of the text joins nothing and is dropped; between the parts of a split
    it is dropped too.
    """
    cells = max(0, cells)
    seen = text[: (cells + 2) * _CHARACTERS_PER_CELL]
    if seen.isascii() and seen.isprintable():
        return text[:cells], text[cells:]
    text = text.strip(JOINER)
    seen = text[: len(seen)]
    graphemes, _ = split_graphemes(seen)
    if len(seen) < len(text):
        graphemes = graphemes[:-1] or graphemes
    end = used = 0
    for _, grapheme_end, grapheme_cells in graphemes:
        if used + grapheme_cells > cells:
            break
        end, used = grapheme_end, used + grapheme_cells
    return text[:end].rstrip(JOINER), text[end:].lstrip(JOINER)


def cut(text: str, cells: int, *, ellipsis: str = ELLIPSIS) -> str:
    """The text in at most so many cells, with an ellipsis where something had to go."""
    if len(text) <= cells and width(text) <= cells and JOINER not in text:
        return text
    head, rest = split(text, cells)
    if not rest:
        return head
    room = cells - width(ellipsis)
    if room < 0:
        return ""
    return split(head, room)[0] + ellipsis


def pad(text: str, cells: int) -> str:
    """The text with blanks after it up to so many cells; wider text stays as it is."""
    if text.endswith(JOINER):
        text = text.rstrip(JOINER)
    return text + " " * (cells - width(text))


def fit(text: str, cells: int, *, ellipsis: str = ELLIPSIS) -> str:
    """The text in exactly so many cells: cut where it is too wide, padded where it is not."""
    return pad(cut(text, cells, ellipsis=ellipsis), cells)
