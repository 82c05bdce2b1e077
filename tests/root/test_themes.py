"""Every text of every theme can be read, with the contrast that WCAG 2 asks for."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, strategies as st
from rich.color import Color as RichColor, ColorType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import Monochrome
from textual.theme import BUILTIN_THEMES, Theme

from tests.fakes.store import FakeStore
from tests.pictures.contrast import least, worst
from tests.pictures.look import Look
from tests.scenes import SCENES
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


@pytest.mark.parametrize("base", THEMES[:4], ids=lambda base: base.name)
def test_a_theme_of_ones_own_has_the_colours_that_are_not_chosen_from_its_base(base: Theme) -> None:
    first, second = theme.own_themes(
        {"one": ("two", {"accent": "#808080"}), "two": (base.name, {"news": "#909090"})}
    )
    of_base, of_first, of_second = map(variables_of, (base, first, second))
    assert (first.name, second.name) == ("one", "two")
    assert {first.dark, second.dark} == {base.dark}
    for role, ground in product(PAINTS, theme.GROUNDS):
        style = theme.style_of(role, of_base, ground)
        if PAINTS[role].color != "news":
            assert theme.style_of(role, of_second, ground) == style, role
            if not {"primary", "place-text"} & {*PAINTS[role]}:
                assert theme.style_of(role, of_first, ground) == style, role
    assert theme.style_of("news", of_first) == theme.style_of("news", of_second)
    assert theme.style_of("news", of_second) != theme.style_of("news", of_base)


@pytest.mark.parametrize("role", theme.ROLES)
def test_a_chosen_colour_is_drawn(role: str) -> None:
    (own,) = theme.own_themes({"own": ("callboard-dark", {role: "#7f8190"})})
    of_own, of_base = variables_of(own), variables_of(theme.DARK)
    assert any(
        theme.style_of(paint, of_own, ground) != theme.style_of(paint, of_base, ground)
        for paint, ground in product(PAINTS, theme.GROUNDS)
    )


BASES = [name for name in ("callboard-light", *BUILTIN_THEMES) if "ansi" not in name]
COLORS = st.tuples(*[st.integers(0, 255)] * 3).map(lambda rgb: Color(*rgb).hex6)


@given(st.sampled_from(BASES), st.dictionaries(st.sampled_from([*theme.ROLES]), COLORS))
def test_whatever_colours_are_chosen_every_text_can_be_read(
    base: str, colors: dict[str, str]
) -> None:
    (own,) = theme.own_themes({"own": (base, colors)})
    variables = variables_of(own)
    for role, ground in product(PAINTS, theme.GROUNDS):
        style = theme.style_of(role, variables, ground)
        assert style.color is not None
        assert style.bgcolor is not None
        if PAINTS[role].color != "line":
            assert worst(style.color, style.bgcolor) >= 4.5, (role, ground)
    for color, ground in (
        *((name, "raised") for name in ("foreground", "strong", "quiet", "primary", "refused")),
        ("success", "raised"),
        ("cursor-text", "cursor-ground"),
    ):
        colors_of = (Color.parse(variables[name]).rich_color for name in (color, ground))
        assert worst(*colors_of) >= 4.5, (color, ground)


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


@pytest.mark.parametrize(
    ("color", "number"),
    [("#f87168", 1), ("#4bce97", 2), ("#fea362", 3), ("#9f8fef", 5), ("#6cc3e0", 6),
     ("#579dff", 12), ("#8590a2", 8), ("#ffffff", 15), ("#000", 0)],
)  # fmt: skip
def test_the_ansi_theme_draws_labels_in_the_terminals_colour_of_that_name(
    color: str, number: int
) -> None:
    variables = variables_of(ANSI)
    chip = Segment("■", theme.style_of(color, variables))
    (drawn,) = ColorlessFilter(lambda: variables, everywhere=False).apply([chip], Color(0, 0, 0))
    assert drawn.style is not None
    assert drawn.style.color == RichColor.from_ansi(number)
    assert drawn.style.bgcolor == RichColor.default()


@pytest.mark.parametrize("name", ["board", "boards", "waiting"])
async def test_in_the_ansi_theme_a_fill_ends_with_its_words(name: str) -> None:
    scene = replace(SCENES[name], theme=ANSI.name)
    app = scene.app()
    async with app.run_test(size=scene.size) as pilot:
        await scene.play(pilot)
        assert not list(Look(app).wrong())


def test_what_is_due_is_bold_where_its_colour_cannot_be_seen() -> None:
    dark = variables_of(theme.DARK)
    assert not theme.style_of("warn", dark).bold
    assert theme.style_of("warn", {**dark, "colors": "none"}).bold
    assert theme.style_of("warn", variables_of(ANSI)).bold
    assert not theme.style_of("quiet", variables_of(ANSI)).bold


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
    app = application(FakeStore())
    filters = app.get_line_filters()
    assert any(isinstance(one, ColorlessFilter) for one in filters) == is_colorless
    assert bool(theme.style_of("warn", app.theme_variables).bold) == is_colorless
    assert not any(isinstance(one, Monochrome) for one in filters)
