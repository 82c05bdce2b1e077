"""The marks of agents: what is written is read again, and other texts are none."""

import pytest
from hypothesis import given, strategies as st

from tui.text.agent_marks import (
    CLAIMING,
    LONGEST_NAME,
    agent_of,
    is_claiming,
    label_title,
    progress_comment,
    progress_in,
)

NAMES = st.text(st.characters(codec="utf-8", exclude_characters=":◇\n"), max_size=LONGEST_NAME).map(
    lambda name: " ".join(name.split())
)
TEXTS = st.text(max_size=60).map(str.strip).filter(lambda text: ":" not in text)


@given(NAMES, TEXTS)
def test_what_an_agent_says_is_read_again(name: str, text: str) -> None:
    comment = progress_comment(name, text)
    assert progress_in(comment) == (name, text)
    assert is_claiming(comment) == (text == CLAIMING)


@given(NAMES.filter(bool))
def test_a_label_names_its_agent(name: str) -> None:
    assert agent_of(label_title(name)) == name


@pytest.mark.parametrize("text", ["", "claiming", "codex: claiming", "a ◇ codex: claiming", "bug"])
def test_other_texts_are_no_marks(text: str) -> None:
    assert progress_in(text) is None
    assert not is_claiming(text)
    assert agent_of(text) == ""


def test_a_text_may_have_a_colon_after_the_name() -> None:
    assert progress_in("◇ codex: see: this") == ("codex", "see: this")
