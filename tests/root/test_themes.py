"""Every text of every theme can be read, with the contrast that WCAG 2 asks for."""

from itertools import product

import pytest
from rich.color import Color as RichColor, ColorType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import Monochrome
from textual.theme import BUILTIN_THEMES, Theme

from tests.fakes.store import FakeStore
from tests.pictures.contrast import least, worst
from tests.screens.driving import application
from tui import theme
from tui.theme import ANSI, PAINTS, THEMES
from tui.widgets.line_filters import ColorlessFilter

GROUNDS = ("background", "surface", "panel", "raised")
TEXTS = ("foreground", "quiet", "strong", "primary", "warning")
"""The colours that stylesheets and dialogs give to texts, on any ground."""
CHOSEN = ("cursor-text",)
"""The colours of texts in the chosen row of a dialog."""


def variables_of(one: Theme) -> dict[str, str]:
    """What the program makes of a theme."""
    own = one.to_color_system().generate()
    return {**theme.variable_defaults(own), **own, **one.variables}


@pytest.mark.parametrize("one", THEMES, ids=lambda one: one.name)
def test_every_text_of_our_themes_can_be_read(one: Theme) -> None:
    variables = variables_of(one)

    def ratio(color: str, ground: str) -> float:
        return worst(*(Color.parse(variables[name]).rich_color for name in (color, ground)))

    for role, paint in PAINTS.items():
        own_ground = f"{paint.color}-ground"
        for ground in (paint.ground,) if paint.ground else theme.GROUNDS.values():
            drawn_on = own_ground if own_ground in variables else ground
            if paint.color != "line":
                assert ratio(paint.color, drawn_on) >= least(one.name), (role, drawn_on)
            elif one.name.startswith("high-contrast"):
                assert ratio(paint.color, drawn_on) >= 4.5, (role, drawn_on)
    for ground in GROUNDS:
        for color in TEXTS:
            assert ratio(color, ground) >= least(one.name), (color, ground)
    if one is not ANSI:  # which is drawn reversed
        for color in CHOSEN:
            assert ratio(color, "cursor-ground") >= least(one.name), color


@pytest.mark.parametrize("name", BUILTIN_THEMES)
def test_other_themes_are_made_readable(name: str) -> None:
    variables = variables_of(BUILTIN_THEMES[name])
    for role, ground in product(PAINTS, theme.GROUNDS):
        style = theme.style_of(role, variables, ground)
        assert style.color is not None
        assert style.bgcolor is not None
        if PAINTS[role].color != "line" and style.color.type is ColorType.TRUECOLOR:
            assert worst(style.color, style.bgcolor) >= 4.5, (role, ground)


def test_the_colours_of_a_label_are_left_as_they_are() -> None:
    style = theme.style_of("#101010", variables_of(theme.DARK))
    assert style.color == RichColor.from_rgb(16, 16, 16)


def test_the_ansi_theme_asks_for_colours_of_the_terminal_only() -> None:
    variables = variables_of(ANSI)
    for role in PAINTS:
        style = theme.style_of(role, variables)
        for color in (style.color, style.bgcolor):
            assert color is not None
            assert color.type in (ColorType.DEFAULT, ColorType.STANDARD), role


def test_without_colours_the_cursor_is_reversed_and_nothing_else_is_left() -> None:
    variables = variables_of(theme.DARK)
    segments = [
        Segment("here", theme.style_of("cursor", variables)),
        Segment("late", theme.style_of("bad", variables)),
        Segment("plain"),
    ]
    here, late, plain = ColorlessFilter(lambda: variables, everywhere=True).apply(
        segments, Color(0, 0, 0)
    )
    assert here.style == Style(bold=True, reverse=True, italic=False, underline=False, strike=False)
    assert late.style == Style(bold=True, italic=False, underline=False, strike=False)
    assert plain == segments[2]


def test_the_ansi_theme_reverses_what_is_chosen_and_keeps_other_colours() -> None:
    variables = variables_of(ANSI)
    segments = [
        Segment("here", theme.style_of("cursor", variables)),
        Segment("late", theme.style_of("bad", variables)),
        Segment("  ", theme.style_of("bad", variables)),
    ]
    filtered = ColorlessFilter(lambda: variables, everywhere=False)
    here, late, blank = filtered.apply(segments, Color(0, 0, 0))
    assert here.style is not None
    assert (here.style.reverse, here.style.color, here.style.bgcolor) == (True, None, None)
    assert late == segments[1]
    assert blank.style is not None
    assert blank.style.bgcolor is None


@pytest.mark.parametrize(("value", "is_colorless"), [("1", True), ("", False), (None, False)])
def test_no_color_is_heeded_unless_it_is_empty(
    value: str | None, is_colorless: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    if value is not None:
        monkeypatch.setenv("NO_COLOR", value)
    filters = application(FakeStore()).get_line_filters()
    assert any(isinstance(one, ColorlessFilter) for one in filters) == is_colorless
    assert not any(isinstance(one, Monochrome) for one in filters)
