"""What a terminal without UTF-8 is told by, and what it shows in place of other letters."""

import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len

from tui.text import clean
from tui.widgets import glyphs
from tui.widgets.glyphs import ASCII
from tui.widgets.plain_ascii import in_ascii, shows_utf8


@pytest.mark.parametrize(
    ("environment", "is_shown"),
    [
        ({"LANG": "en_US.UTF-8"}, True),
        ({"LANG": "de_DE.utf8"}, True),
        ({"LC_CTYPE": "UTF-8"}, True),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, True),
        ({"LC_ALL": "", "LANG": "C.UTF-8"}, True),
        ({}, True),
        ({"LC_ALL": "C"}, False),
        ({"LC_ALL": "POSIX", "LANG": "en_US.UTF-8"}, False),
        ({"LC_ALL": "en_US.ISO-8859-1"}, False),
        ({"LC_CTYPE": "de_DE@euro", "LANG": "de_DE.UTF-8"}, False),
        ({"LANG": "C"}, False),
        ({"LANG": "C", "TEXTUAL_DRIVER": "a browser"}, True),
    ],
)
def test_the_first_locale_that_is_named_counts(environment: dict[str, str], is_shown: bool) -> None:
    assert shows_utf8(environment, is_coerced=False) is is_shown
    assert shows_utf8(environment, "utf-8", is_coerced=False) is is_shown


def test_every_glyph_has_a_stand_in() -> None:
    missing = {
        name
        for name, glyph in vars(glyphs).items()
        if name.isupper() and glyph is not ASCII and not "".join(glyph).translate(ASCII).isascii()
    }
    assert not missing, "give it one in ASCII in tui/widgets/glyphs.py"


def test_what_python_puts_in_place_of_c_does_not_count() -> None:
    changed = {"LANG": "C", "LC_CTYPE": "C.UTF-8"}
    assert not shows_utf8(changed, is_coerced=True)
    assert shows_utf8(changed, is_coerced=False)


def test_an_output_may_have_another_encoding() -> None:
    assert not shows_utf8({"LANG": "C.UTF-8"}, "iso-8859-1")
    assert shows_utf8({"LANG": "C.UTF-8"}, "UTF-8")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Größe, naïve, Łódź", "Grose, naive, Lodz"),
        ("e\u0301", "e"),
        ("漢字 🚀", "???? ??"),
        ("5 € “now” → ▌", '5 ? "now" > >'),
        ("½ ﬁ ２", "? ? ??"),
    ],
)
def test_letters_lose_their_accents_and_others_become_question_marks(text: str, shown: str) -> None:
    assert in_ascii(text) == shown


@given(st.text())
def test_any_text_becomes_ascii_of_the_same_width(text: str) -> None:
    text = clean.line(text)
    assert in_ascii(text).isascii()
    assert cell_len(in_ascii(text)) == cell_len(text)


def test_every_sign_has_one_cell() -> None:
    assert {len(sign) for sign in ASCII.values()} == {1}
