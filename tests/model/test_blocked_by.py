"""The line of a description that names the cards which block a card."""

import re

import pytest
from hypothesis import example, given, strategies as st

from tui.model.blocked_by import Blocker, described, joined, name_of_board, united, without
from tui.text.clean import unescaped

_PIECES = st.sampled_from(
    [
        *("<p>", "</p>", "<br>", "\n", "<pre>", "</pre>", "<blockquote>", "</blockquote>", "<p"),
        *("<ul>", "<li>", "</li>", "<b>", "</b>", '<a href="#12">', "</a>", "<!--", "&", "&lt;"),
        *("Blocked", "blocked by", " ", ":", "#", "#12", ",", "and", "7", "\u202e", "<", ">", "\0"),
    ]
)
_TEXTS = st.lists(_PIECES | st.text(max_size=4), max_size=12).map("".join)
_NAMES = (st.text(max_size=70) | st.lists(_PIECES, max_size=4).map("".join)).map(name_of_board)
_BLOCKERS = st.lists(
    st.builds(Blocker, st.integers(1, 10**18 - 1), _NAMES), max_size=4, unique_by=lambda one: one.id
).map(tuple)


def _ids(description: str) -> list[int]:
    return [blocker.id for blocker in described(description).blockers]


def _words(source: str) -> list[str]:
    return unescaped(re.sub(r"</?[A-Za-z!][^<>]*>", " ", source)).split()


def test_the_line_is_a_paragraph_of_its_own_behind_the_text() -> None:
    blockers = (Blocker(12), Blocker(801, "Support"))
    with_line = joined("<p>Move it.</p>", blockers)
    assert with_line == "<p>Move it.</p><p>Blocked by: #12, Support #801</p>"
    assert described(with_line) == ("<p>Move it.</p>", blockers)
    assert joined("<p>Move it.</p>", ()) == "<p>Move it.</p>"


@given(_TEXTS, _BLOCKERS)
@example("<pre><pre></pre>", (Blocker(1),))
@example("<!--", (Blocker(1),))
@example("text\n", (Blocker(1, "and"), Blocker(2, "and")))
def test_what_is_written_is_read_and_the_text_stays(
    source: str, blockers: tuple[Blocker, ...]
) -> None:
    text = described(source).text
    text, more = described(text)
    assert not more or described(source).blockers
    if not more:
        assert described(joined(text, blockers)) == (text, blockers)


@given(_TEXTS, _TEXTS, _BLOCKERS)
def test_text_typed_behind_it_changes_nothing(
    first: str, second: str, blockers: tuple[Blocker, ...]
) -> None:
    first, second = described(first).text, f"<p>{second.replace('</', '')}"
    if described(first).blockers or described(second).blockers:
        return
    text, read = described(f"{joined(first, blockers)}{second}")
    assert (text, read) == (f"{first}{second}", blockers)


@given(_TEXTS)
def test_no_word_of_another_line_is_lost(source: str) -> None:
    text, blockers = described(source)
    assert (text == source) == (not blockers)
    words = iter(_words(source))
    assert all(word in words for word in _words(text))


@pytest.mark.parametrize(
    ("source", "ids", "text"),
    [
        ("blocked by #3", [3], ""),
        ("<p>Blocked by:&nbsp;#3; #4 and Ops #5.</p>", [3, 4, 5], ""),
        (
            "<P CLASS=x><b>BLOCKED BY:</b> <a href='#9'>#3</a>,#4 #5</P><p>a</p>",
            [3, 4, 5],
            "<p>a</p>",
        ),
        ("<p>one<br>Blocked by: #3</p>", [3], "<p>one</p>"),
        ("<p>Blocked by: #3<br />two</p>", [3], "<p>two</p>"),
        ("one\nBlocked by: #3\ntwo", [3], "one\ntwo"),
        ("<ul><li>Blocked by: #3</li><li>b</li></ul>", [3], "<ul><li>b</li></ul>"),
        ("<p>Blocked by: #3 ask <b>Ann</b> #3</p>", [3], "<p>ask <b>Ann</b> #3</p>"),
        ("<p><b>Blocked by: #3</b> ask</p>", [3], "<p><b></b> ask</p>"),
        ("<p>Blocked by: &#35;3 &lt;see</p>", [3], "<p>&lt;see</p>"),
        ("<p>Blocked by: #3</p>x<p>Blocked by: #4, #3</p>", [3, 4], "x"),
        ("<p>Blocked by: #0, #3</p>", [3], ""),
    ],
)
def test_a_line_edited_by_hand_is_read(source: str, ids: list[int], text: str) -> None:
    assert (_ids(source), described(source).text) == (ids, text)


@pytest.mark.parametrize(
    "source",
    [
        "<p>Blocked by: the weather</p>",
        "<p>Blocked by the bug in #3</p>",
        "<p>It is blocked by #3</p>",
        "<p>Blocked by #3 since Monday</p>",
        "<pre>Blocked by: #3</pre>",
        "<blockquote><p>Blocked by: #3</p></blockquote>",
        "<p><code>Blocked by: #3</code></p>",
        "<p>Blocked by: #12a</p>",
        "<p>Blocked by: #0</p>",
        f"<p>Blocked by: #{'9' * 40}</p>",
        "",
    ],
)
def test_other_text_stays_text(source: str) -> None:
    assert described(source) == (source, ())


def test_a_hostile_description_takes_no_time() -> None:
    for piece in ("<pre>", "<p>Blocked by: ", "Blocked by: #1 ", "<", "blocked by #", "&", "<p"):
        described(piece * 20_000 + "#1")


def test_each_card_is_named_once() -> None:
    ours, theirs = (Blocker(1), Blocker(2, "Ops")), (Blocker(2), Blocker(3))
    assert united(ours, theirs) == (Blocker(1), Blocker(2, "Ops"), Blocker(3))
    assert without(united(ours, theirs), 2) == (Blocker(1), Blocker(3))
