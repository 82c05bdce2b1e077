"""HTML loses everything that acts and keeps what is read."""

import re
from html.parser import HTMLParser

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from tui.service.values import html
from tui.text.html.tree import VOID
from tui.text.html.writing import WRITTEN


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("plain", "plain"),
        ("a > b & c", "a &gt; b &amp; c"),
        ("<p>x<br/>y</p>", "<p>x<br>y</p>"),
        ("<p onclick=x style='position:fixed; color:red'>y</p>", '<p style="color: red">y</p>'),
        ("<script>bad()</script>ok", "ok"),
        ("<scr<script></script>ipt>x", "&lt;script&gt;x"),
        ("if a < b <3 </ then <b", "if a &lt; b &lt;3 &lt;/ then &lt;b"),
        ("x<!-- never ends", "x"),
        ("<a title=it's href=x>y</a>", '<a title="it" href="x">y</a>'),
        ("<script>never ends", ""),
        ("<SCRIPT >a<b</sCript x>c", "c"),
        ("&#" + "9" * 5000 + ";<b>", "\ufffd<b></b>"),
        ("<svg><g>x</g></svg>y", "y"),
        ("<style>*{}</style><b>y", "<b>y</b>"),
        ("<a href='javascript:x()'>y</a>", "y"),
        ("<a href=' java\tscript:x()'>y</a>", "y"),
        ("<a href='&#106;avascript:x'>y</a>", "y"),
        ("<a href='data:text/html,x'>y</a>", "y"),
        ("<a href='https://x.org/?a=1&b'>y</a>", '<a href="https://x.org/?a=1&amp;b">y</a>'),
        ("<a href='/here#x:y'>y</a>", '<a href="/here#x:y">y</a>'),
        ("<a href='mailto:x@y.z'>y</a>", '<a href="mailto:x@y.z">y</a>'),
        ("<img src='ftp:x' alt='\"'>", '<img alt="&quot;">'),
        ("<ul><li>a</ul>b</li>", "<ul><li>a</li></ul>b"),
        ("<x-y>z</x-y><!-- c --><?php ?>", "z"),
        ("<form action='/x'><input>z</form>", "z"),
    ],
)
def test_what_is_left(source: str, expected: str) -> None:
    assert html("description", source) == expected
    assert html("description", expected) == expected


class _Reader(HTMLParser):
    """Reads what was written and fails on what should not be there."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            assert tag in WRITTEN
            assert not name.startswith("on")
            assert not re.match(r"\s*(javascript|data|vbscript):", value or "", re.IGNORECASE)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


_PIECES = st.sampled_from(
    [
        "<p>",
        "</p>",
        "<a",
        "href=",
        "'javascript:x'",
        '"https://x"',
        ">",
        "onclick=",
        "<script>",
        "</script>",
        "<svg",
        ">",
        "</svg>",
        "<!--",
        "-->",
        "&",
        "&lt;",
        "&#x9b;",
        "<b>",
        "</i>",
        "<li>",
        "<td/>",
        "<",
        "/",
        "=",
        "'",
        '"',
        "x",
        "\x00",
        "<![CDATA[",
        "]]>",
        "<style>",
    ]
)


@settings(deadline=None)
@given(st.lists(_PIECES, max_size=30).map("".join))
def test_whatever_comes_only_what_is_allowed_leaves(source: str) -> None:
    reader = _Reader()
    reader.feed(html("description", source))
    reader.close()
    assert reader.open == []
