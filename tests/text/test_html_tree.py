"""Any HTML becomes a small tree, quickly."""

import html
from time import process_time

import pytest
from hypothesis import given, strategies as st

from tests.harness.cases import mostly_long
from tui.text import clean
from tui.text.html.tree import LIMIT, Element, parse

MARKUP = st.lists(
    st.sampled_from(
        [
            *(
                "<p>",
                "</p>",
                "<ul>",
                "<li>",
                "</ul>",
                "<b>",
                "</b>",
                "<a href='x'>",
                "</a>",
                "<br>",
            ),
            *(
                "<table>",
                "<tr>",
                "<td>",
                "</table>",
                "<!--",
                "-->",
                "<script>",
                "</script>",
                "<",
                ">",
            ),
            *(
                "&amp;",
                "&#x1b;",
                "&#99999999999;",
                "text",
                '"',
                "'",
                "<svg>",
                "<![CDATA[",
                "<?x",
                " ",
            ),
        ]
    )
    | st.text(max_size=5),
    max_size=40,
).map("".join)


def outline(element: Element) -> str:
    """The tree in one line: `p(text b(more))`."""
    inside = " ".join(
        child.strip() if isinstance(child, str) else outline(child) for child in element.children
    )
    return f"{element.tag}({inside})"


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        ("<p>a<p>b", "(p(a) p(b))"),
        ("<p>a <b>b</p>c", "(p(a b(b)) c)"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "(ul(li(a ul(li(b))) li(c)))"),
        ("<tr><td>a<td>b<tr><td>c", "(tr(td(a) td(b)) tr(td(c)))"),
        ("<dl><dt>a<dd>b<dt>c</dl>", "(dl(dt(a) dd(b) dt(c)))"),
        ("a<br>b<hr/>c", "(a br() b hr() c)"),
        ("a<script>if (a < b) '</p>'</script>b", "(a b)"),
        ("a<style>never closed <p>b", "(a)"),
        ("a<svg><text>b</text></svg>c", "(a c)"),
        ("a<svg/onload=x><g>b<p>c</p>d", "(a p(c) d)"),
        ("a<!-- <p> -->b<!-->c<!doctype html>d", "(a b c d)"),
        ("a<!-- never closed", "(a)"),
        ("a < b <3 <", "(a < b < 3 <)"),
        ("</p></b>a", "(a)"),
        ("&lt;b&gt; &amp;amp; &#99999999999;", "(<b> &amp; \ufffd)"),
        ("\x1b[31mred\x00 &#27;[0m", "(red [0m)"),
    ],
)
def test_elements_are_where_browsers_would_put_them(source: str, tree: str) -> None:
    assert outline(parse(source)) == tree


def test_attributes_are_read_however_they_are_written() -> None:
    (link,) = parse("""<A HREF="/a?b=1&amp;c" title='>x<' data-n=5 open>""").children
    assert isinstance(link, Element)
    assert link.attributes == {"href": "/a?b=1&c", "title": ">x<", "data-n": "5", "open": ""}


def test_an_address_keeps_its_parameters() -> None:
    (link,) = parse("<a href='/?q=1&copy=2&amp;lt=3&lt;'>").children
    assert isinstance(link, Element)
    assert link.attributes == {"href": "/?q=1&copy=2&lt=3<"}


def test_elements_know_where_they_stand() -> None:
    source = "<ul><li>one<li><b>two</ul>after<p>never ended"
    found = {element.text(): element for element in parse(source).elements()}
    assert {text: source[each.begins : each.ends] for text, each in found.items()} == {
        "onetwo": "<ul><li>one<li><b>two</ul>",
        "one": "<li>one",
        "two": "<b>two",
        "never ended": "<p>never ended",
    }
    assert source[found["onetwo"].holds_from : found["onetwo"].holds_to] == "<li>one<li><b>two"


def test_elements_know_that_they_hold_a_block() -> None:
    link, bold = parse("<a><i><p>x</p></i></a><b>y</b>").children
    assert isinstance(link, Element)
    assert isinstance(bold, Element)
    assert link.holds_block
    assert not bold.holds_block


def depth(element: Element) -> int:
    inner = [child for child in element.children if isinstance(child, Element)]
    return 1 + max(map(depth, inner), default=0)


@given(MARKUP | st.text())
def test_escaped_text_is_read_as_it_was(text: str) -> None:
    assert parse(html.escape(text)).text() == clean.text(text)


@given(MARKUP)
def test_no_tree_is_deep_or_harmful(source: str) -> None:
    tree = parse(source * 50)
    assert depth(tree) <= 65
    assert tree.text() == clean.text(tree.text())


@mostly_long(
    "unit",
    [
        *("<div>", "<a ", "<!--", "<", "<a '\"", "&", "<![CDATA[", "<script>", "</", "<a b='c' "),
        *('<a "', "&#9", "<ul><li>", "<td>", "<a x='", "<p"),
    ],
    every=5,
)
def test_time_grows_with_the_length_alone(unit: str) -> None:
    source = unit * (LIMIT // len(unit))
    started = process_time()
    parse(source)
    assert process_time() - started < 5


def test_only_so_much_is_read() -> None:
    assert parse("x" * 5_000_000).text() == "x" * LIMIT
    assert parse("<b>word</b>", limit=5).text() == "wo"
