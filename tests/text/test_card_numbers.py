"""The numbers of cards in texts."""

from hypothesis import given, strategies as st

from tui.text.card_numbers import card_numbers, is_card_number, spans_of_numbers
from tui.text.html.reading import read
from tui.text.spans import Span, SpanKind


def test_numbers_of_cards_are_found_in_texts() -> None:
    text = "see #12, (#7) and #12; Support #801: not a#3, /#4, &#5; #6a, #0 or ##8"
    assert card_numbers(text) == ("#12", "#7", "#801")
    assert is_card_number("#12")
    assert not is_card_number("#12 ")


@given(st.text("#a1 0&/\n", max_size=40))
def test_each_number_is_one_that_can_be_followed(text: str) -> None:
    for begin, end in spans_of_numbers(text):
        assert is_card_number(text[begin:end])
        assert int(text[begin + 1 : end]) > 0


def test_numbers_in_a_description_are_links_but_not_in_code_or_addresses() -> None:
    html = (
        "<p>As <b>Support #801</b>, not <code>#5</code>, <a href='https://a.example/#6'>#7</a>"
        " or https://a.example/#9</p><ul><li>#12 first</li></ul>"
    )
    reading = read(html, 80)
    assert reading.cards == ("#801", "#12")
    assert Span("#801", SpanKind.LINK) in reading.lines[0]
    assert Span("#12", SpanKind.LINK) in reading.lines[2]
    assert read("plain\n#3", 80).cards == ("#3",)
