"""Character references, also those that stand for nothing."""

import pytest

from tui.client.http.error_bodies import plain_line
from tui.store.documents.assemble_detail import comment_text
from tui.store.documents.html_lines import words_of
from tui.text.clean import unescaped

_TOO_LONG = f"&#{'9' * 5_000};"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a & b", "a & b"),
        ("&lt;b&gt; &#65;&#x42;", "<b> AB"),
        ("&#1114112; &#x110000;", "\ufffd \ufffd"),
        (f"a{_TOO_LONG}b", "a\ufffdb"),
        (f"a&#x{'f' * 5_000}b", "a\ufffd"),
    ],
)
def test_a_reference_is_the_character_it_stands_for(text: str, read: str) -> None:
    assert unescaped(text) == read


def test_a_reference_of_thousands_of_digits_is_read_wherever_a_service_writes_html() -> None:
    comment = {"description": "&amp;", "settings": {"raw_description": f"x &amp; {_TOO_LONG}"}}
    assert comment_text(comment).startswith("x & ")
    assert words_of(f"<p>x {_TOO_LONG}</p>") == "x \ufffd"
    assert plain_line(f"No {_TOO_LONG} here").startswith("No \ufffd")
