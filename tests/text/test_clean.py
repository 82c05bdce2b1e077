"""What is removed from texts, and what only separates words in them."""

import pytest
from hypothesis import given, strategies as st

from tui.text import clean
from tui.text.cells import width

SEPARATORS = "\u2028\u2029\x85\v\f\r\x1c\x1d\x1e\x1f"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
TEXAS = "\U0001f3f4\U000e0075\U000e0073\U000e0074\U000e0078\U000e007f"


@pytest.mark.parametrize("separator", SEPARATORS)
def test_what_separates_lines_elsewhere_never_glues_words(separator: str) -> None:
    assert clean.line(f"one{separator}two") == "one two"
    assert clean.text(f"one{separator}two").split() == ["one", "two"]


@pytest.mark.parametrize("separator", SEPARATORS.replace("\x1f", ""))
def test_what_ends_a_line_elsewhere_ends_one_here(separator: str) -> None:
    assert clean.text(f"one{separator}two") == "one\ntwo"


def test_the_end_of_a_line_of_two_characters_is_one() -> None:
    assert clean.text("one\r\ntwo\r\r\n\nthree") == "one\ntwo\n\n\nthree"
    assert clean.line("one\r\ntwo") == "one two"


@pytest.mark.parametrize("flag", [ENGLAND, TEXAS])
def test_flags_that_are_sequences_of_tags_stay(flag: str) -> None:
    assert clean.line(f"a {flag} b") == f"a {flag} b"
    assert clean.text(f"{flag}{flag}\n") == f"{flag}{flag}\n"
    assert width(flag) == 2


@pytest.mark.parametrize(
    "text",
    [
        "a\U000e0067\U000e0062\U000e007f",
        "a\U0001f3f4\U000e0067\U000e0062\U000e0065",
        "a\U0001f3f4" + "\U000e0068" * 40 + "\U000e007f",
        "a\U0001f3f4\U000e0048\U000e0049\U000e004a\U000e007f",
        "a\U0001f3f4\U000e007f",
    ],
)
def test_other_tags_hide_no_words(text: str) -> None:
    assert clean.line(text) in ("a", "a\U0001f3f4")


def test_escape_sequences_are_removed_as_a_whole() -> None:
    assert clean.line("a\x1b]0;one\rtwo\u2028three\x07b") == "ab"
    assert clean.line("a\x1b[31mb\x9b1mc") == "abc"
    assert clean.text("a\x1b]0;one\ntwo") == "a0;one\ntwo"


_SIGNS = f"ab \n\t{SEPARATORS}{ENGLAND}\x1b\x9b[]0;m\x07\u200b"


@given(st.text(st.sampled_from(_SIGNS) | st.characters()))
def test_a_clean_text_stays_as_it_is(raw: str) -> None:
    text, line = clean.text(raw), clean.line(raw)
    assert clean.text(text) == text
    assert clean.line(line) == line
    assert all(sign in "\n\t" or ord(sign) >= ord(" ") for sign in text)
    assert len(line.splitlines()) <= 1
    assert text.splitlines() == text.removesuffix("\n").split("\n") or not text
