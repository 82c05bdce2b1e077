"""Spans are wrapped by cells and lose nothing but blanks."""

from hypothesis import given, strategies as st

from tui.text.spans import Span, SpanKind, width, wrap

SPANS = st.lists(
    st.builds(
        Span,
        st.text(
            alphabet=st.one_of(st.characters(), st.sampled_from("ab  \n漢\u200d\u0301\ufe0f❤"))
        ),
        st.sampled_from(SpanKind),
    ),
    max_size=6,
)


def texts(spans: list[Span], limit: int, *, keep_blanks: bool = False) -> list[str]:
    lines = wrap(spans, limit, keep_blanks=keep_blanks)
    return ["".join(span.text for span in line) for line in lines]


@given(SPANS, st.integers(2, 30), st.booleans())
def test_no_line_is_too_wide(spans: list[Span], limit: int, keep_blanks: bool) -> None:
    assert all(width(line) <= limit for line in wrap(spans, limit, keep_blanks=keep_blanks))


@given(SPANS, st.integers(2, 30), st.booleans())
def test_nothing_but_blanks_is_lost(spans: list[Span], limit: int, keep_blanks: bool) -> None:
    wrapped = "".join(texts(spans, limit, keep_blanks=keep_blanks))
    lost = str.maketrans("", "", "\n\u200d" if keep_blanks else " \n\u200d")
    assert wrapped.translate(lost) == "".join(span.text for span in spans).translate(lost)


def test_a_word_of_two_kinds_stays_together() -> None:
    assert texts([Span("see the re"), Span("view", SpanKind.STRONG)], 10) == ["see the", "review"]


def test_neighbours_of_a_kind_become_one_span() -> None:
    assert wrap([Span("a "), Span("b"), Span(" c", SpanKind.CODE)], 9) == [
        (Span("a b"), Span(" c", SpanKind.CODE))
    ]


def test_a_long_word_is_broken_where_the_line_is_full() -> None:
    assert texts([Span("an https://example.com")], 8) == ["an", "https://", "example.", "com"]


def test_code_keeps_its_blanks() -> None:
    assert texts([Span("a  b\n  c d")], 4, keep_blanks=True) == ["a  b", "  c ", "d"]


def test_plain_lines_keep_their_indentation() -> None:
    assert texts([Span("- a\n  - b\n\nc")], 20) == ["- a", "  - b", "", "c"]


def test_a_word_of_many_lines_is_broken_as_if_it_were_short() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    for sign in ("a", "漢", "e\u0301", family):
        lines = texts([Span(sign * 9_000)], 10)
        fits = 10 // width((Span(sign),))
        assert lines == [sign * fits] * (9_000 // fits)
