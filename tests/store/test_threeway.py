"""Two changes of one text, put together line by line."""

import pytest
from hypothesis import given, settings, strategies as st

from tui.store.documents.html_lines import lines_of, words_of
from tui.store.documents.threeway import merge, merge_html

BASE = "one\ntwo\nthree\nfour\n"
_LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n"]), max_size=8).map("".join)


@pytest.mark.parametrize(
    ("mine", "theirs", "both"),
    [
        (BASE, BASE, BASE),
        ("1\ntwo\nthree\nfour\n", BASE, "1\ntwo\nthree\nfour\n"),
        ("1\ntwo\nthree\nfour\n", "one\ntwo\nthree\n4\n", "1\ntwo\nthree\n4\n"),
        ("one\nthree\nfour\n", "one\ntwo\nthree\nfour\nfive\n", "one\nthree\nfour\nfive\n"),
        ("zero\n" + BASE, BASE + "five\n", "zero\n" + BASE + "five\n"),
        ("same\ntwo\nthree\nfour\n", "same\ntwo\nthree\n4\n", "same\ntwo\nthree\n4\n"),
        ("", BASE, ""),
    ],
)
def test_changes_of_different_lines_go_together(mine: str, theirs: str, both: str) -> None:
    assert merge(base=BASE, ours=mine, current=theirs) == both


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("1\ntwo\nthree\nfour\n", "eins\ntwo\nthree\nfour\n"),
        ("one\n2\nthree\nfour\n", "one\ntwo\n3\nfour\n"),
        ("", "one\ntwo\nthree\nfour\nfive\n"),
        (BASE + "mine\n", BASE + "theirs\n"),
    ],
)
def test_changes_that_meet_are_not_guessed_at(mine: str, theirs: str) -> None:
    assert merge(base=BASE, ours=mine, current=theirs) is None


def test_a_last_line_without_an_end_stays_without() -> None:
    assert merge(base="a\nb\nc", ours="A\nb\nc", current="a\nb\nC") == "A\nb\nC"


def test_blocks_of_html_are_its_lines() -> None:
    assert lines_of("<p>a</p><ul><li>b</li>\n<li>c</li></ul>d<br>e") == [
        "<p>a</p>",
        "<ul>",
        "<li>b</li>",
        "\n",
        "<li>c</li>",
        "</ul>",
        "d<br>",
        "e",
    ]
    base = "<p>One</p><ul><li>a</li><li>b</li><li>c</li></ul>"
    mine = "<p>1</p><ul><li>a</li><li>b</li><li>c</li></ul>"
    theirs = "<p>One</p><ul><li>a</li><li>b</li><li>c</li><li>d</li></ul>"
    both = "<p>1</p><ul><li>a</li><li>b</li><li>c</li><li>d</li></ul>"
    assert merge_html(base=base, ours=mine, current=theirs) == both


def test_words_are_clean_and_without_tags() -> None:
    source = "<p>A &amp; <b>B</b></p><p>\x1b[31mred</p><script></script>"
    assert words_of(source) == "A & B\nred"


@settings(deadline=None)
@given(_LINES, _LINES)
def test_one_side_alone_wins(base: str, changed: str) -> None:
    assert merge(base=base, ours=changed, current=base) == changed
    assert merge(base=base, ours=base, current=changed) == changed
    assert merge(base=base, ours=changed, current=changed) == changed


@settings(deadline=None)
@given(_LINES, _LINES, _LINES)
def test_it_does_not_matter_who_is_asked(base: str, mine: str, theirs: str) -> None:
    assert merge(base=base, ours=mine, current=theirs) == merge(
        base=base, ours=theirs, current=mine
    )


@settings(deadline=None)
@given(st.text(st.sampled_from("<p></p>brulid \n&"), max_size=40))
def test_pieces_are_the_text(source: str) -> None:
    assert "".join(lines_of(source)) == source
