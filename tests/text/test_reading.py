"""HTML from a service reads well in a terminal, and does nothing else."""

import pytest
from hypothesis import given, strategies as st

from tests.text.test_html_tree import MARKUP
from tui.text.html.reading import TOO_LONG, read
from tui.text.html.tree import LIMIT
from tui.text.spans import Span, SpanKind, width


def lines(source: str, cells: int = 30) -> list[str]:
    return ["".join(span.text for span in line) for line in read(source, cells).lines]


def spans(source: str) -> list[Span]:
    return [span for line in read(source, 80).lines for span in line]


def test_paragraphs_and_headings_have_a_blank_line_between() -> None:
    assert lines("<h2>Login</h2><p>Fails\n  after <b>SSO</b>.</p>Why?<div>No idea</div>") == [
        *("Login", "", "Fails after SSO.", "", "Why?", "", "No idea")
    ]


def test_lists_are_nested_and_numbered() -> None:
    source = "<p>To do</p><ul><li>one<ol start=9><li>a<li>b</ol><li><p>two</p></ul><p>End</p>"
    assert lines(source) == ["To do", "", "• one", "  9. a", "  10. b", "• two", "", "End"]


def test_a_list_right_in_a_list_gets_no_bullet_of_its_own() -> None:
    assert lines("<ul><li>a</li><ul><li>b</li></ul>c</ul>") == ["• a", "  ◦ b", "• c"]


def test_things_to_do_have_a_box() -> None:
    assert lines(
        "<ul><li><input type=checkbox checked> done</li><li>[ ] open<ul><li>[X] inner</ul></li>"
        '<li data-checked="true"><label><input type="checkbox" checked></label><p>told</p></li>'
        '<li data-checked="false">not <b>[x]</b></li><li>[ ]</li></ul><ol><li>[x] first</li></ol>'
    ) == [
        *("[x] done", "[ ] open", "    [x] inner", "[x] told", "[ ] not [x]", "[ ]", ""),
        "1. [x] first",
    ]


def test_long_items_hang() -> None:
    assert lines("<ul><li>Fix the login redirect", 12) == ["• Fix the", "  login", "  redirect"]


def test_quotes_have_a_bar_on_every_line() -> None:
    source = "<blockquote><p>It is not a bug</p><p>at all</p></blockquote>Who?"
    assert lines(source, 12) == ["│ It is not", "│ a bug", "│", "│ at all", "", "Who?"]


def test_code_keeps_its_lines() -> None:
    source = "<pre><code>\ndef f():\n\treturn 1\n\n</code></pre>"
    assert lines(source) == ["def f():", "    return 1"]


def test_a_table_stands_in_columns_if_it_fits() -> None:
    source = "<table><tr><th>Name<th>Age</tr><tbody><tr><td>Ann<td>33</table>"
    assert lines(source) == ["Name │ Age", "Ann  │ 33"]
    assert lines(source, 8) == ["Name │", "Age", "Ann │ 33"]


def test_an_empty_cell_keeps_its_column() -> None:
    assert lines("<table><tr><td>a<td><td>c<tr><td>d<td>e<td>f</table>") == [
        "a │   │ c",
        "d │ e │ f",
    ]


def test_a_table_loses_nothing_that_is_not_in_a_cell() -> None:
    assert lines("<table>stray<tr>cell<td>x</table>") == ["stray", "cell  │ x"]


def test_terms_stand_before_what_they_mean() -> None:
    assert lines("<dl><dt>SSO<dd>one login") == ["SSO", "  one login"]


def test_rules_and_boxes_are_drawn() -> None:
    assert lines("<hr><input type=checkbox checked>done", 5) == ["─" * 5, "", "[x]", "done"]


def test_plain_text_keeps_its_own_lines() -> None:
    assert lines("See:\n  - a &lt; b\n\n  - <b>c</b>\n") == ["See:", "  - a < b", "", "  - c"]


def test_links_are_numbered_and_the_same_one_once() -> None:
    reading = read(
        '<p><a href="https://a.example/x y">one</a> <a href="mailto:a@b.example">two</a>'
        ' <a href="https://a.example/x y">three</a>',
        80,
    )
    assert reading.links == ("https://a.example/x%20y", "mailto:a@b.example")
    assert [text for text, kind in reading.lines[0] if kind is SpanKind.SIGN] == [
        "[1]",
        "[2]",
        "[1]",
    ]
    assert [text for text, kind in reading.lines[0] if kind is SpanKind.LINK] == [
        *("one", "two", "three")
    ]


def test_addresses_in_the_text_are_links_too() -> None:
    reading = read("see (https://a.example/b?c=1).", 80)
    assert reading.links == ("https://a.example/b?c=1",)
    link = (Span("https://a.example/b?c=1", SpanKind.LINK), Span("[1]", SpanKind.SIGN))
    assert reading.lines == ((Span("see ("), *link, Span(").")),)


@pytest.mark.parametrize(
    "address",
    [
        *(
            "javascript:alert(1)",
            "JaVaScRiPt:x",
            "data:text/html,x",
            "file:///etc/passwd",
            "/a",
            "",
        ),
        *("java\nscript:x", "\x1b]8;;http://x\x07", "http://[", "http:", "vbscript:x", "#top"),
        "https://a.example/" + "x" * 3000,
    ],
)
def test_other_addresses_are_no_links(address: str) -> None:
    reading = read(f'<p><a href="{address}">text</a>', 80)
    assert reading.links == ()
    assert reading.lines == ((Span("text"),),)


def test_pictures_are_told_and_can_be_opened() -> None:
    reading = read('<p><img src="https://a.example/b.png" alt="A\nshot"><img src="x">', 80)
    assert lines('<p><img src="https://a.example/b.png" alt="A\nshot"><img src="x">', 80) == [
        "[image: A shot][1][image]"
    ]
    assert reading.links == ("https://a.example/b.png",)


def test_a_picture_without_words_is_told_by_its_file() -> None:
    assert lines('<img src="https://a.example/x/my%20shot.png?size=2">', 80) == [
        "[image: my shot.png][1]"
    ]


def test_a_block_in_a_link_is_a_link() -> None:
    reading = read('<a href="https://a.example"><div>text</div></a>', 80)
    assert reading.lines == ((Span("text", SpanKind.LINK),), (Span("[1]", SpanKind.SIGN),))


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("<b>x</b>", SpanKind.STRONG),
        ("<em>x</em>", SpanKind.EMPHASIS),
        ("<del>x</del>", SpanKind.STRUCK),
        ("<code>x</code>", SpanKind.CODE),
        ("<b><p>x</p></b>", SpanKind.STRONG),
        ("<pre>x</pre>", SpanKind.CODE),
    ],
)
def test_text_has_a_kind(source: str, kind: SpanKind) -> None:
    assert spans(source) == [Span("x", kind)]
    assert spans("<h3><b>x</b></h3>") == [Span("x", SpanKind.HEADING)]


def test_scripts_and_styles_are_not_read() -> None:
    assert lines("a<script>b</script><style>c</style><svg>d</svg>e") == ["ae"]


def test_nothing_makes_no_lines() -> None:
    assert read("", 80).lines == ()
    assert read("<p> </p><ul><li></li></ul>", 80).lines == ()


@given(MARKUP, st.integers(2, 40))
def test_no_line_is_too_wide_or_harmful(source: str, cells: int) -> None:
    reading = read(source, cells)
    for line in reading.lines:
        assert width(line) <= cells
        assert not {char for span in line for char in span.text} & set("\n\t\x1b\x9b\x00\u202e")
    assert all(link.startswith(("http", "mailto:")) for link in reading.links)


@given(st.lists(st.from_regex(r"[a-z]{1,9}", fullmatch=True), min_size=1), st.data())
def test_no_word_is_lost_in_any_block(words: list[str], data: st.DataObject) -> None:
    tags = st.sampled_from(["p", "li", "ul", "td", "table", "div", "b", "blockquote", "dd", "a"])
    source = "".join(f"<{data.draw(tags)}>{word}x{data.draw(st.just(' '))}" for word in words)
    read_back = "".join(span.text for span in spans(source) if span.kind is not SpanKind.SIGN)
    assert "".join(read_back.split()) == "".join(f"{word}x" for word in words)


def test_five_thousand_elements_in_one_another_are_no_harm() -> None:
    assert lines("<div>" * 5000 + "deep" + "</div>" * 5000 + "after") == ["deep", "", "after"]


def test_quotes_in_quotes_leave_room_to_read() -> None:
    assert max(map(len, lines("<blockquote>" * 60 + "so it goes", 20))) == len(
        "│ │ │ │ │ so it goes"
    )


def test_what_is_too_long_says_so() -> None:
    assert lines("<p>" + "word " * LIMIT, 80)[-1] == TOO_LONG
