"""Merges an edit of the Markdown into its HTML.

A part of the HTML whose Markdown is unchanged stays byte for byte, with everything between such
parts; the rest is generated.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby

from tui.record import record
from tui.text.html import tree as html_tree
from tui.text.markdown.blocks import MarkdownBlock, blocks_of, joined
from tui.text.markdown.reading import MarkdownSection, rendered, sections

_MOST_COMPARED = 1_000_000


@record
class _Piece:
    """A part of the HTML, and the range of its blocks."""

    begins: int
    ends: int
    first: int
    last: int


def edited(source: str, current: Sequence[MarkdownBlock], markdown: str) -> str:
    """The HTML of an edited text; `current` are the blocks of its source.

    If the merged HTML does not read like the newly generated one, as with unclosed elements, the
    generated one is used. HTML beyond the limit is kept.
    """
    pieces = _pieces(source, current)
    new = [section for section in sections(markdown) if not section.is_note]
    anew = rendered(new, like=source)
    end = len(source)
    if end > html_tree.LIMIT:
        end = max((piece.ends for piece in pieces), default=0)
    unchanged: dict[int, int] = {}
    if all(section.is_whole for section in new) and not html_tree.parse(source).is_plain:
        unchanged = _same([block.text for block in current], [section.text for section in new])
    if unchanged:
        mended = "".join(_put_together(source[:end], pieces, new, unchanged))
        if _reads(mended) == _reads(anew):
            anew = mended
    return anew + source[end:]


def _reads(source: str) -> str:
    return joined(blocks_of(source, len(source)))


def _put_together(
    source: str, pieces: Sequence[_Piece], new: Sequence[MarkdownSection], unchanged: dict[int, int]
) -> Iterator[str]:
    at = section = 0
    waits = False
    for piece in pieces:
        where = [unchanged.get(index) for index in range(piece.first, piece.last)]
        start = where[0]
        if start is None or where != list(range(start, start + len(where))):
            yield source[at : piece.begins]
            at = piece.ends
            waits = True
        else:
            gap = rendered(new[section:start], like=source)
            between = source[at : piece.begins]
            # New blocks go before the white space between two pieces, but behind that at the start.
            yield gap + between if waits or at else between + gap
            yield source[piece.begins : piece.ends]
            at, section, waits = piece.ends, start + len(where), False
    yield rendered(new[section:], like=source)
    yield source[at:]


def _pieces(source: str, current: Sequence[MarkdownBlock]) -> list[_Piece]:
    pieces: list[_Piece] = []
    index = 0
    for (begins, ends), group in groupby(current, lambda block: (block.begins, block.ends)):
        count = len(list(group))
        text = source[begins:ends].lstrip()
        start = ends - len(text)
        pieces.append(_Piece(start, start + len(text.rstrip()), index, index + count))
        index += count
    return pieces


def _same(current: Sequence[str], edited_texts: Sequence[str]) -> dict[int, int]:
    # Blocks are compared from the start, from the end, and in between.
    same: dict[int, int] = {}
    shorter = min(len(current), len(edited_texts))
    start = next((n for n in range(shorter) if current[n] != edited_texts[n]), shorter)
    same.update((n, n) for n in range(start))
    left = shorter - start
    end = next((n for n in range(left) if current[-1 - n] != edited_texts[-1 - n]), left)
    same.update((len(current) - 1 - n, len(edited_texts) - 1 - n) for n in range(end))
    old, new = current[start : len(current) - end], edited_texts[start : len(edited_texts) - end]
    # With many equal blocks the comparison would take quadratic time and more; then `autojunk`
    # ignores the frequent ones.
    is_much = len(old) * len(new) > _MOST_COMPARED
    for match in SequenceMatcher(None, old, new, autojunk=is_much).get_matching_blocks():
        same.update((start + match.a + n, start + match.b + n) for n in range(match.size))
    return same
