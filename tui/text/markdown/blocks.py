"""HTML as blocks of Markdown, each with its position in the source.

No text is lost: what Markdown cannot express, such as nested tables, details or definitions,
becomes a block of HTML that can be kept.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from tui.record import record
from tui.text.html import tree as html_tree, writing as html_writing
from tui.text.html.leaves import Around, leaves, within
from tui.text.html.task_items import MARKS, task_item
from tui.text.html.tree import Element
from tui.text.html.writing import styles_of
from tui.text.markdown import inline as markdown_inline
from tui.text.markdown.signs import escaped_heading, fenced

_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_RAW = frozenset({"dl", "details"})
_LISTS = {"ul": ("-", "*"), "ol": (".", ")")}
_PLAIN_IN_CODE = frozenset({"code", "br", "span"})
_TABLE_PARTS = ("thead", "tbody", "tfoot")
_CELLS = ("td", "th")
_ALIGNMENTS = {"left": ":---", "center": ":---:", "right": "---:"}
_BLOCKS_IN_CELLS = ("p", "div")
# Every row is as wide as the widest: one wide row and many short ones would be too large.
_MOST_MISSING_CELLS = 10_000


@record
class MarkdownBlock:
    """A block of Markdown, and the range of its source in the HTML.

    Blocks made of the same element have the same range. A list has the sign of its items.
    """

    text: str
    begins: int = 0
    ends: int = 0
    sign: str = ""
    is_paragraph: bool = False


def blocks_of(source: str, limit: int = html_tree.LIMIT) -> list[MarkdownBlock]:
    """The blocks of HTML; beyond the limit only those that begin before it."""
    root = html_tree.parse(source, limit)
    if root.is_plain:
        texts = markdown_inline.paragraphs(leaves(root.children, {}, keep_lines=True))
        result = _placed(texts, root.holds_from, root.holds_to)
    else:
        result = blocks(root, {})
    is_cut = len(source) > limit
    return [block for block in result if block.ends < limit] if is_cut else result


def blocks(
    parent: Element, around: Around, preceding: Sequence[MarkdownBlock] = ()
) -> list[MarkdownBlock]:
    """The content of an element, block by block, after the `preceding` blocks."""
    result: list[MarkdownBlock] = []
    run: list[Element | str] = []
    begins = parent.holds_from
    for child in parent.children:
        if isinstance(child, str) or not child.holds_block:
            run.append(child)
            continue
        result += _paragraphs(run, around, begins, child.begins)
        run = []
        result += _block(child, around, result or preceding)
        begins = child.ends
    return result + _paragraphs(run, around, begins, parent.holds_to)


def joined(parts: Iterable[MarkdownBlock]) -> str:
    """The blocks with empty lines between them."""
    return "\n\n".join(block.text for block in parts)


def _placed(texts: Iterable[str], begins: int, ends: int) -> list[MarkdownBlock]:
    return [MarkdownBlock(text, begins, ends, is_paragraph=True) for text in texts]


def _paragraphs(
    run: list[Element | str], around: Around, begins: int, ends: int
) -> list[MarkdownBlock]:
    result: list[MarkdownBlock] = []
    part: list[Element | str] = []
    last: Element | None = None
    for child in run:
        if isinstance(child, Element) and child.tag == "br":
            if last is not None:
                result += _placed(_texts(part, around), begins, last.begins)
                part, begins = [], last.begins
            last = child
        elif isinstance(child, Element) or child.strip():
            last = None
        part.append(child)
    return result + _placed(_texts(part, around), begins, ends)


def _texts(part: Iterable[Element | str], around: Around) -> list[str]:
    return markdown_inline.paragraphs(leaves(part, around))


def _block(
    element: Element, around: Around, preceding: Sequence[MarkdownBlock]
) -> list[MarkdownBlock]:
    inside = within(element, around)
    tag = element.tag
    if tag in _LISTS:
        return _list(element, inside, preceding)
    if tag not in _WRITERS and tag not in _RAW:
        return _through(element, around, inside, preceding)
    text = _WRITERS[tag](element, inside) if tag in _WRITERS else None
    if text is None:
        text = html_writing.tidy(element) if _says_something(element) else ""
    return [MarkdownBlock(text, element.begins, element.ends)] if text else []


def _through(
    element: Element, around: Around, inside: Around, preceding: Sequence[MarkdownBlock]
) -> list[MarkdownBlock]:
    # If it contains blocks and has no meaning for them, each has its own range; else they share
    # one.
    inner = blocks(element, inside, preceding)
    if inside == around and any(
        isinstance(child, Element) and child.holds_block for child in element.children
    ):
        return inner
    return [replace(block, begins=element.begins, ends=element.ends) for block in inner]


def _says_something(element: Element) -> bool:
    return bool(element.text().strip()) or any(child.tag == "img" for child in element.elements())


def _heading(element: Element, around: Around) -> str:
    line = markdown_inline.line(leaves(element.children, around))
    return f"{_HEADINGS[element.tag]} {escaped_heading(line)}" if line else ""


def _code(element: Element, _around: Around) -> str | None:
    # None if it contains markup.
    inner = list(element.elements())
    if any(child.tag not in _PLAIN_IN_CODE and child.text() for child in inner):
        return None
    code = element.text().strip("\n")
    if not code.strip():
        return ""
    fence = fenced(code, 3)
    named = next(filter(None, map(html_writing.language, [element, *inner])), "")
    return f"{fence}{named}\n{code}\n{fence}"


def _table(element: Element, around: Around) -> str | None:
    # None if Markdown cannot express it: spanning cells, blocks in cells, row headers, or mostly
    # missing cells.
    rows = _table_rows(element)
    if rows is None or not all(_is_plain_cell(cell) for row in rows for cell in _elements(row)):
        return None
    if any(cell.tag == "th" for row in rows[1:] for cell in _elements(row)):
        return None
    texts = [[_cell_text(cell, around) for cell in _elements(row)] for row in rows]
    if not any(map(any, texts)):
        return ""
    width = max(map(len, texts))
    if sum(width - len(row) for row in texts) > _MOST_MISSING_CELLS:
        return None
    has_heads = any(cell.tag == "th" for cell in _elements(rows[0]))
    if has_heads and not all(cell.tag == "th" for cell in _elements(rows[0])):
        return None
    if not has_heads:
        # A table in Markdown has a heading; an empty one keeps the first row a row.
        texts.insert(0, [])
    sides = [_alignment(cell) for cell in max(map(_elements, rows), key=len)]
    texts.insert(1, sides)
    full_rows = ([*row, *[""] * (width - len(row))] for row in texts)
    return "\n".join(f"| {' | '.join(row)} |" for row in full_rows)


def _table_rows(parent: Element) -> list[Element] | None:
    rows: list[Element] = []
    for child in parent.children:
        if isinstance(child, str):
            if child.strip():
                return None
        elif child.tag in _TABLE_PARTS and parent.tag == "table":
            inner = _table_rows(child)
            if inner is None:
                return None
            rows += inner
        elif child.tag == "tr":
            rows.append(child)
        elif child.tag not in ("colgroup", "col") or child.children:
            return None
    return rows if all(map(_holds_cells, rows)) else None


def _holds_cells(row: Element) -> bool:
    return all(
        child.tag in _CELLS if isinstance(child, Element) else not child.strip()
        for child in row.children
    )


def _elements(row: Element) -> list[Element]:
    return [child for child in row.children if isinstance(child, Element)]


def _is_plain_cell(cell: Element) -> bool:
    if any(
        cell.attributes.get(span, "1").strip() not in ("", "1") for span in ("colspan", "rowspan")
    ):
        return False
    blocks = [child for child in cell.elements() if child.holds_block]
    return len(blocks) <= 1 and all(
        block.tag in _BLOCKS_IN_CELLS and _is_alone_in(cell, block) for block in blocks
    )


def _is_alone_in(cell: Element, block: Element) -> bool:
    return all(
        child is block if isinstance(child, Element) else not child.strip()
        for child in cell.children
    )


def _cell_text(cell: Element, around: Around) -> str:
    inline = markdown_inline.line(leaves(cell.children, around), line_break="<br>")
    return inline.replace("|", "\\|")


def _alignment(cell: Element) -> str:
    side = styles_of(cell).get("text-align") or cell.attributes.get("align", "").lower()
    return _ALIGNMENTS.get(side, "---")


_WRITERS: dict[str, Callable[[Element, Around], str | None]] = {
    **dict.fromkeys(_HEADINGS, _heading),
    "hr": lambda *_: "---",
    "pre": _code,
    "blockquote": lambda quote, around: _indented("> ", "> ", joined(blocks(quote, around))),
    "table": _table,
}


def _list(
    element: Element, around: Around, preceding: Sequence[MarkdownBlock]
) -> list[MarkdownBlock]:
    # Its sign differs from that of a list before it, so that they stay two lists.
    first, alternative = _LISTS[element.tag]
    sign = alternative if preceding and preceding[-1].sign == first else first
    number = element.first_number
    items: list[tuple[str, list[MarkdownBlock]]] = []
    for item in _items(element):
        is_done, content = task_item(item)
        inner = _with_box(blocks(content, around), is_done)
        if inner:
            mark = f"{number + len(items)}{sign} " if element.tag == "ol" else f"{sign} "
            items.append((mark, inner))
    gap = "\n" if all(_is_tight(inner) for _, inner in items) else "\n\n"
    texts = (
        _indented(mark, " " * len(mark), _item_text(gap.join(block.text for block in inner)))
        for mark, inner in items
    )
    text = gap.join(texts)
    return [MarkdownBlock(text, element.begins, element.ends, sign=sign)] if text else []


def _items(parent: Element) -> list[Element]:
    # A nested list belongs to the item before, text becomes an item.
    items: list[Element] = []
    is_own = False
    for child in parent.children:
        if isinstance(child, Element) and child.tag == "li":
            items.append(child)
            is_own = False
        elif isinstance(child, Element) and child.tag in _LISTS and items:
            items[-1] = replace(items[-1], children=[*items[-1].children, child])
        elif isinstance(child, Element) or child.strip():
            if is_own:
                # This item was created here: elements of the tree itself are never changed.
                items[-1].children.append(child)
            else:
                items.append(Element("li", children=[child]))
            is_own = True
    return items


def _with_box(inner: list[MarkdownBlock], is_done: bool | None) -> list[MarkdownBlock]:
    if is_done is None:
        return inner
    if inner and inner[0].is_paragraph:
        return [replace(inner[0], text=MARKS[is_done] + inner[0].text), *inner[1:]]
    return [MarkdownBlock(MARKS[is_done].strip(), is_paragraph=True), *inner]


def _is_tight(inner: list[MarkdownBlock]) -> bool:
    return all(
        (previous.is_paragraph or previous.sign)
        and block.sign
        # Without an empty line only a list that begins with 1 can interrupt a paragraph.
        and (block.sign in ("-", "*") or block.text.startswith(f"1{block.sign}"))
        for previous, block in pairwise(inner)
    ) and not any("\n\n" in block.text for block in inner if block.is_paragraph)


def _item_text(text: str) -> str:
    # `- ---` would be a rule across the line, not an item with one.
    return "___" + text[3:] if text.startswith("---") else text


def _indented(first: str, rest: str, text: str) -> str:
    if not text:
        return ""
    head, *following = text.split("\n")
    lines = [first + head, *(rest + line if line else rest.rstrip() for line in following)]
    return "\n".join(lines)
