"""A contact is a number, typed with or without its sign."""

import pytest
from hypothesis import given, strategies as st

from tui.errors import CallboardError
from tui.model.fields.values import LARGEST_CONTACT, contact_words, typed_contact


def test_numbers_and_nothing_are_understood() -> None:
    assert [typed_contact(words) for words in ("55", " #55 ", "", " ")] == [55, 55, None, None]
    assert contact_words(55) == "contact #55"
    assert contact_words(None) == "no contact"


@pytest.mark.parametrize(
    "words", ["0", "-1", "5.5", "Mr Smith", "٣", str(LARGEST_CONTACT + 1), "9" * 5000]
)
def test_anything_else_is_explained(words: str) -> None:
    with pytest.raises(CallboardError, match="A contact is a number from 1"):
        typed_contact(words)


@given(st.integers(1, LARGEST_CONTACT))
def test_every_number_is_read_back(number: int) -> None:
    assert typed_contact(f"#{number}") == number
