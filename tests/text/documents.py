"""Random documents of HTML, as a tree of blocks that a person or a program could have written."""

import html

from hypothesis import strategies as st

SIGNS = "*_`~[]()<>#|!&\\-+=.:1 "
WORDS = st.one_of(
    st.sampled_from(
        [
            *("word", "two words", "snake_case_name", "1. ", "- ", "+ x", "# ", "> ", "---", "=="),
            *("[x](https://a.example)", "[ ] ", "[x] ", "![y](z)", "<b>", "&amp;", "&#42;", "~~~"),
            *("```", "| a | b |", "|---|", "a|b", "\\", "\\*", "<!-- -->", "**", "__init__", "*a*"),
            *("https://a.example/b_c", "<https://a.example>", "a  b", "\xa0", "é", "漢字", "“q”"),
        ]
    ),
    st.text(alphabet=st.sampled_from(SIGNS + "ab"), min_size=1, max_size=6),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=6),
)
TEXT = WORDS.map(lambda text: html.escape(text, quote=False))
URLS = st.sampled_from(
    [
        *("https://a.example/", "https://a.example/b_(c)?d=1&amp;e=2", "mailto:a@b.example"),
        *("javascript:alert(1)", "/place", "https://münchen.example/ü#x", "https://a.example/a b"),
        "https://a.example/\\&amp;copy;|<>",
    ]
)
TAGS = st.sampled_from(
    [
        *("b", "strong", "em", "i", "s", "del", "code", "u", "sub", "mark", "kbd", "font", "x-y"),
        "span",
    ]
)
STYLES = st.sampled_from(
    ["", ' style="color: red"', ' style="font-weight:bold;mso-x:1"', ' style="background:#ff0"']
)


def _within(tag: str, style: str, inner: str) -> str:
    return f"<{tag}{style}>{inner}</{tag}>"


def _link(url: str, inner: str) -> str:
    return f'<a href="{url}">{inner}</a>'


def _joined(parts: list[str]) -> str:
    return "".join(parts)


PICTURES = st.builds(lambda alt, url: f'<img alt="{html.escape(alt)}" src="{url}">', WORDS, URLS)
INLINE: st.SearchStrategy[str] = st.recursive(
    TEXT | TEXT | st.sampled_from(["<br>", " ", "\n"]) | PICTURES,
    lambda inner: st.one_of(
        st.builds(_within, TAGS, STYLES, inner),
        st.builds(_link, URLS, inner),
        st.lists(inner, max_size=4).map(_joined),
    ),
    max_leaves=8,
)
CODE = st.builds(
    lambda named, text: f"<pre><code{named}>{html.escape(text)}</code></pre>",
    st.sampled_from(["", ' class="language-py"']),
    st.text(alphabet="ab `~<\n\t", max_size=12) | WORDS,
)
PARAGRAPHS = INLINE.map(lambda inner: f"<p>{inner}</p>")
LEAVES = st.one_of(
    PARAGRAPHS,
    PARAGRAPHS,
    INLINE,
    CODE,
    st.just("<hr>"),
    st.builds(lambda level, inner: f"<h{level}>{inner}</h{level}>", st.integers(1, 6), INLINE),
)


def _list(kind: str, items: list[tuple[str, str]]) -> str:
    tag = kind.partition(" ")[0]
    return f"<{kind}>" + "".join(f"<li{about}>{inner}</li>" for about, inner in items) + f"</{tag}>"


def _table(cell: str, rows: list[list[str]]) -> str:
    lines = (
        "".join(f"<{cell}>{inner}</{cell.partition(' ')[0]}>" for inner in row) for row in rows
    )
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


LISTS = st.sampled_from(["ul", "ol", 'ol start="7"', "ul class=x"])
ITEMS = st.sampled_from(["", "", ' data-checked="true"', ' data-checked="false"'])
CELLS = st.sampled_from(["td", "th", 'td align="right"', 'td colspan="2"'])
WRAPPERS = st.sampled_from(["div", "blockquote", "section", "details", "b", "dl><dd", "span"])
BLOCKS: st.SearchStrategy[str] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(_list, LISTS, st.lists(st.tuples(ITEMS, inner), max_size=3)),
        st.builds(_table, CELLS, st.lists(st.lists(INLINE | inner, max_size=3), max_size=3)),
        st.builds(lambda tag, text: f"<{tag}>{text}</{tag.partition('>')[0]}>", WRAPPERS, inner),
        st.lists(inner, max_size=3).map(_joined),
    ),
    max_leaves=8,
)
DOCUMENTS = st.lists(BLOCKS, max_size=4).map("\n".join)
"""HTML of every kind of block, and of what people type into it."""
