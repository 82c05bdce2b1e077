"""Folded text is alike where people think it is."""

import pytest
from hypothesis import given, strategies as st

from tui.text.fuzzy import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [("Müller", "muller"), ("GROẞ", "gross"), ("ÉCOLE", "ecole"), ("漢字", "漢字"), ("API", "api")],
)
def test_case_and_accents_go(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)
