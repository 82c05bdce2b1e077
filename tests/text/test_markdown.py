"""HTML as Markdown and back: nothing acts, nothing is lost, and text stays text."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.harness.cases import mostly_long
from tests.lint import texts
from tests.text.documents import DOCUMENTS
from tests.text.roundtrips import check, readable
from tui.text.html import tree as html_tree
from tui.text.markdown import edited_html, quoted, reading as markdown_reading, to_html, to_markdown

CORPUS = Path(__file__).parent / "corpus"


@settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(DOCUMENTS)
def test_documents_go_there_and_back(source: str) -> None:
    check(source)


@pytest.mark.parametrize("name", ["office", "mail", "lists", "broken"])
def test_what_people_paste_reads_well(name: str, pytestconfig: pytest.Config) -> None:
    source = (CORPUS / f"{name}.html").read_text(encoding="utf-8")
    markdown, file = to_markdown(source) + "\n", CORPUS / f"{name}.md"
    if pytestconfig.getoption("update_snapshots"):
        file.write_text(markdown, encoding="utf-8")
    texts.check(
        markdown,
        file.read_text(encoding="utf-8"),
        "pytest tests/text/test_markdown.py -k paste --snapshot-update",
    )
    check(source)


@pytest.mark.parametrize(
    ("source", "markdown"),
    [
        ("<p>a <b>b </b>c <i>d</i><s>e</s></p>", "a **b** c _d_~~e~~"),
        ("un<em>believ</em>able", "un*believ*able"),
        ('say<b>"so"</b>now', 'say<strong>"so"</strong>now'),
        ("<b>a<i>b</i></b><i>c</i>", "**a<em>b</em>**_c_"),
        ("<code>a`b</code> <u>c</u>", "``a`b`` <u>c</u>"),
        ("one<br>two<br><br>three", "one\ntwo\n\nthree"),
        ("plain\n  lines\n\n- a  b", "plain\n\xa0 lines\n\n\\- a\xa0 b"),
        ("<h2>a <i>b</i> #</h2><hr>", "## a _b_ \\#\n\n---"),
        ('<ol start="4"><li>a<li><hr></ol>', "4. a\n5. ___"),
        ("<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol><ol><li>d</ol>", "- a\n\n* b\n\n1. c\n\n1) d"),
        ("<pre>a\n\n```\n</pre>", "````\na\n\n```\n````"),
        ("<pre>a\n\n<b>b</b></pre>", "<pre>a&#10;&#10;<b>b</b></pre>"),
        ("<table><tr><th>a<th align=right>b<tr><td>|", "| a | b |\n| --- | ---: |\n| \\| |  |"),
        ('<a href="https://a.b/c">https://a.b/c</a>', "<https://a.b/c>"),
        ('<a href="/here">here</a>', '<a href="/here">here</a>'),
        ('<font color="red" face="x">a</font>', '<span style="color: red">a</span>'),
        ('<span style="font-weight:700;font-size:9pt">a</span>', "**a**"),
        ('<img src="https://a.b/c.png" alt="a]b" title="t">', '![a\\]b](https://a.b/c.png "t")'),
        ("", ""),
    ],
)
def test_elements_are_said_in_markdown(source: str, markdown: str) -> None:
    assert to_markdown(source) == markdown
    check(source)


@pytest.mark.parametrize(
    ("markdown", "source"),
    [
        ("Vec<String> <3 R&D", "<p>Vec&lt;String&gt; &lt;3 R&amp;D</p>"),
        ("<script>x\n\ny", "&lt;script&gt;x\n\ny"),
        ("<!-- open\n\nmore", "&lt;!-- open\n\nmore"),
        ("<b onclick=x>b</b><a href='javascript:x'>j</a>", "<p><b>b</b>j</p>"),
        ("[t](javascript:x)", "<p>[t](javascript:x)</p>"),
        ("[t](/x) [u](HTTPS://a.b)", '<p>[t](/x) <a href="HTTPS://a.b">u</a></p>'),
        ("[t]\n\n[t]: https://a.b", '<p><a href="https://a.b">t</a></p>'),
        ("\x1b[31mred\x9b1m\u202e", "<p>red</p>"),
        ("- [x] a", "<ul>\n<li>[x] a</li>\n</ul>"),
        ('<p style="color:red;position:fixed">x</p>', '<p style="color: red">x</p>'),
        ("`a`\r\n~~b~~", "<p><code>a</code><br>\n<s>b</s></p>"),
    ],
)
def test_markdown_becomes_harmless_html(markdown: str, source: str) -> None:
    assert to_html(markdown) == source


def test_what_is_too_deep_or_too_much_for_markdown_stays_text() -> None:
    assert to_html("> " * 300 + "deep").startswith("<pre>&gt; ")
    assert readable(to_html("[" * 20_000)) == "[" * 20_000
    lines = markdown_reading.LIMIT // 1000
    long = to_html("# a\n" + ("*b*" + "c" * 996 + "\n") * (lines + 5))
    assert long.startswith("<h1>a</h1>")
    assert (long.count("<em>b</em>"), long.count("*b*")) == (lines - 1, 6)


def test_what_was_not_touched_stays_byte_for_byte() -> None:
    source = (
        '<div class=x><p style="margin:0">One</p>\n<!-- c --><P>Two <u>x</u></P></div>'
        "<ul><li>a</ul>\n<ul><li>b</ul> <center>Three</center>"
    )
    before = to_markdown(source)
    assert edited_html(source, before, before + "\n") == source
    assert edited_html(source, before, before.replace("Two", "2")) == source.replace(
        "<P>Two <u>x</u></P>", "<p>2 <u>x</u></p>"
    )
    assert edited_html(source, before, before.replace("One\n\n", "")) == source.replace(
        '<p style="margin:0">One</p>', ""
    )
    assert edited_html(source, before, "# New\n\n" + before) == source.replace(
        "<div class=x>", "<div class=x><h1>New</h1>"
    )
    assert edited_html(source, before, before + "\n\n*end*") == source + "<p><em>end</em></p>"
    swapped = before.replace("- a\n\n* b", "- b\n\n* a")
    assert '<p style="margin:0">One</p>' in edited_html(source, before, swapped)
    assert edited_html(source, before, "") == ""


def test_what_never_ends_does_not_swallow_what_is_new() -> None:
    source = "<p>One</p><blockquote>Two <b>bold"
    before = to_markdown(source)
    assert to_markdown(edited_html(source, before, before + "\n\nThree")) == before + "\n\nThree"
    around = "<details><summary>Log</summary>\n\nOne\n\n</details>"
    assert edited_html("<p>One</p>", "One", around).endswith("<p>One</p>\n</details>")


def test_boxes_keep_the_look_they_had() -> None:
    told = '<ul data-type="taskList"><li data-checked="true">a</li></ul>'
    assert edited_html(told, "- [x] a", "- [ ] a\n- b") == (
        '<ul data-type="taskList">\n<li data-checked="false">a</li>\n<li>b</li>\n</ul>'
    )
    drawn = '<ul><li><input type="checkbox"> a</li></ul>'
    assert edited_html(drawn, "- [ ] a", "- [x] a") == (
        '<ul>\n<li><input type="checkbox" checked> a</li>\n</ul>'
    )


def test_boxes_in_a_table_stay_text() -> None:
    source = '<table><td><ul><li>[ ] a</li><li data-checked="true">b</li></ul></table>'
    before = to_markdown(source)
    assert edited_html(source, before, before + "\n\nc") == source + "<p>c</p>"


def test_plain_lines_are_written_anew_as_a_whole() -> None:
    source = "one\ntwo\n\nthree"
    assert edited_html(source, source, source + "\n\nfour") == (
        "<p>one<br>\ntwo</p>\n<p>three</p>\n<p>four</p>"
    )


def test_what_is_beyond_the_limit_is_kept() -> None:
    paragraph = "<p>" + "some words " * 1000 + "</p>\n"
    source = "<div><p>word</p>\n" + paragraph * 450 + "</div>"
    before = to_markdown(source)
    assert len(before) < html_tree.LIMIT
    assert before.endswith("are too long to be edited here and are kept -->")
    after = edited_html(source, before, before.replace("word", "WORD", 1))
    assert after == source.replace("<p>word</p>", "<p>WORD</p>", 1)
    shortest = edited_html(source, before, "")
    assert 0 < len(source) - len(shortest) <= html_tree.LIMIT
    one = "<p>" + "word " * 1_000_000
    assert edited_html(one, to_markdown(one), "first") == "<p>first</p>" + one


@mostly_long(
    "unit, times",
    [("<div>", 5000), ("<b>", 5000), ("<table><td>", 500), ("<ul><li>", 2500)],
    every=4,
)
def test_thousands_of_elements_in_one_another_are_no_harm(unit: str, times: int) -> None:
    source = unit * times + "deep"
    before = to_markdown(source)
    assert "deep" in before
    assert readable(edited_html(source, before, before + "\n\nnew")) == "deepnew"


def test_quoted_lines_have_a_sign_each() -> None:
    assert quoted("a\n\n> b") == "> a\n>\n> > b"
