"""HTML tables as Markdown tables: rows of cells of one line each, the first row being the heads.

None for a table that is more than that: one with cells that span, hold blocks or are heads of rows,
or one of which most cells are missing.
"""

from tui.text.html.leaves import Around, leaves
from tui.text.html.tree import Element
from tui.text.html.writing import styles_of
from tui.text.markdown import inline as markdown_inline

_PARTS = ("thead", "tbody", "tfoot")
_CELLS = ("td", "th")
_LINES = {"left": ":---", "center": ":---:", "right": "---:"}
_BLOCKS_IN_CELLS = ("p", "div")
# Every row is written as wide as the widest: one wide row and many short ones would be too much.
_MOST_MISSING_CELLS = 10_000


def table(element: Element, around: Around) -> str | None:
    """A table in Markdown; nothing if it is empty, None if it is more than Markdown can say."""
    rows = _rows(element)
    if rows is None or not all(map(_is_plain, _cells(rows))):
        return None
    if any(cell.tag == "th" for row in rows[1:] for cell in _elements(row)):
        return None
    texts = [[_text(cell, around) for cell in _elements(row)] for row in rows]
    if not any(map(any, texts)):
        return ""
    width = max(map(len, texts))
    if sum(width - len(row) for row in texts) > _MOST_MISSING_CELLS:
        return None
    has_heads = any(cell.tag == "th" for cell in _elements(rows[0]))
    if has_heads and not all(cell.tag == "th" for cell in _elements(rows[0])):
        return None
    if not has_heads:
        texts.insert(0, [])
    sides = [_side(cell) for cell in max(map(_elements, rows), key=len)]
    texts.insert(1, sides)
    return "\n".join(_line(texts_of_row, width) for texts_of_row in texts)


def _line(texts: list[str], width: int) -> str:
    return "| " + " | ".join([*texts, *[""] * (width - len(texts))]) + " |"


def _rows(parent: Element) -> list[Element] | None:
    """The rows of a table; None if there is anything else in it."""
    rows: list[Element] = []
    for child in parent.children:
        if isinstance(child, str):
            if child.strip():
                return None
        elif child.tag in _PARTS and parent.tag == "table":
            inner = _rows(child)
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


def _cells(rows: list[Element]) -> list[Element]:
    return [cell for row in rows for cell in _elements(row)]


def _is_plain(cell: Element) -> bool:
    if any(
        cell.attributes.get(span, "1").strip() not in ("", "1") for span in ("colspan", "rowspan")
    ):
        return False
    blocks = [child for child in cell.elements() if child.holds_block]
    return len(blocks) <= 1 and all(
        block.tag in _BLOCKS_IN_CELLS and _is_alone(cell, block) for block in blocks
    )


def _is_alone(cell: Element, block: Element) -> bool:
    return all(
        child is block if isinstance(child, Element) else not child.strip()
        for child in cell.children
    )


def _text(cell: Element, around: Around) -> str:
    inline = markdown_inline.line(leaves(cell.children, around), line_break="<br>")
    return inline.replace("|", "\\|")


def _side(cell: Element) -> str:
    side = styles_of(cell).get("text-align") or cell.attributes.get("align", "").lower()
    return _LINES.get(side, "---")
