"""Looks at every cell that is drawn: painted, readable, whole, in ASCII and without colours.

Looked at are the cells that would be sent to the terminal, after all filters.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile
from typing import Any

from rich.color import Color as RichColor, ColorType
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.geometry import Region
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input, OptionList

from tests.drivers.quiet import drawn_lines
from tests.pictures.contrast import least, worst
from tui.screens.base import CallboardScreen
from tui.screens.keys import MORE
from tui.text.cells import width
from tui.theme import ANSI, CONTRAST_DARK, CONTRAST_LIGHT, DARK, LIGHT, own_themes
from tui.widgets import glyphs
from tui.widgets.line_filters import ColorlessFilter

OWN_THEMES = own_themes(
    {
        "sea": (
            DARK.name,
            {"ground": "#0b1d26", "card": "#12303c", "bar": "#184050", "raised": "#1b485a",
             "accent": "#1f8a80", "quiet": "#4f7f8f", "cursor": "#0f5c6b", "mark": "#6b5a0f"},
        ),
        "paper": ("solarized-light", {"accent": "#b58900", "hand": "#ffd75f", "on-bad": "#ff0000"}),
    }
)  # fmt: skip
"""Those of a user: some of the colours cannot be read where they are drawn."""
THEMES = (DARK, LIGHT, CONTRAST_DARK, CONTRAST_LIGHT, ANSI, *OWN_THEMES)
"""An odd number, so that screens seen in two of them in turn are seen in all."""
SIZES = ((120, 36), (40, 15), (80, 24), (200, 50))
_SIGNS = frozenset(
    f"{glyphs.CHIP}{glyphs.FULL}{glyphs.EMPTY}{glyphs.BLOCKS}─│╭╮╰╯┌┐└┘╌╎┃▁▔▊▎▏▕▐▌▄▀█"
)
"""What is drawn for its shape, such as the square of a label or a rule."""
_BESIDE_TEXT = 2
"""A title is known by this part of it, with its ellipsis."""
_NARROW = 60
"""In fewer columns the state of the connection takes the room of the title."""
_COUNTS = re.compile("  | [⌕◆●⚠↑✓]")
"""What comes behind the title of a screen."""
_BEGINNING = 12
"""By how many letters a title is known to be the one that is drawn."""
_TIDIED = " :,;·"
"""What is left out before an ellipsis."""
_MESSAGE = "A message of a few words"
_BEGUN = re.compile(rf" … one more key| folder{MORE} ")
"""What the hints say behind the first key of a chord."""


class Look:
    """What is drawn of a program now; `wrong` lists what is not right about it."""

    def __init__(self, app: App[Any]) -> None:
        self.app, self.screen = app, app.screen
        self.lines = [list(strip) for strip in drawn_lines(app)]
        self.texts = ["".join(each.text for each in line) for line in self.lines]

    def fills(self, size: tuple[int, int]) -> bool:
        """Whether exactly so many columns and lines are drawn."""
        columns, lines = size
        return [width(text) for text in self.texts] == [columns] * lines

    def wrong(self, titles: Sequence[str] = ()) -> Iterator[str]:
        """Everything that is wrong; `titles` are texts that are cut with an ellipsis only."""
        if not self.fills(self.screen.size):
            yield f"{len(self.texts)} lines of {sorted({*map(width, self.texts)})} cells"
        if self.app.theme != ANSI.name:
            yield from self._unpainted()
            yield from self._uneven_cursors()
        else:
            yield from self._beyond_sixteen()
            yield from self._bleeding()
        yield from self._unreadable()
        yield from self._hidden()
        yield from self._cut(titles)
        if not _ends_with_hints(self.texts[-1]) and has_hints(self.screen):
            yield f"no hints: {self.texts[-1]!r}"
        elif has_hints(self.screen) and "…" in _BEGUN.sub("", self.texts[-1]):
            yield f"a hint is cut: {self.texts[-1]!r}"
        left = _signs_beyond_ascii("".join(self.texts).translate(glyphs.ASCII))
        if left - set("".join(titles)):
            yield f"not in ASCII: {left}"
        yield from self._with_colours_left()

    def _unpainted(self) -> Iterator[str]:
        for y, segment in self._segments():
            if not _has_colour((segment.style or Style()).bgcolor):
                yield f"{y}: no background: {segment.text!r}"

    def _beyond_sixteen(self) -> Iterator[str]:
        for y, segment in self._segments():
            style = segment.style or Style()
            colors = {each.type for each in (style.color, style.bgcolor) if each is not None}
            if colors - {ColorType.DEFAULT, ColorType.STANDARD}:
                yield f"{y}: not one of the sixteen colours: {segment}"

    def _bleeding(self) -> Iterator[str]:
        """What is filled because of its meaning ends where its words do, or a blank later."""
        red = Color.parse(self.app.theme_variables["error-ground"]).rich_color
        for y, line in enumerate(self.lines):
            runs = groupby(line, lambda each: each.style is not None and each.style.bgcolor == red)
            for text in ("".join(each.text for each in run) for is_red, run in runs if is_red):
                if "  " in (text[:2], text[-2:]) or not text.strip():
                    yield f"{y}: the fill goes on behind its words: {text!r}"

    def _uneven_cursors(self) -> Iterator[str]:
        """A row with the cursor has one style from end to end, except for squares of labels."""
        if not isinstance(self.screen, CallboardScreen):
            return
        ground = Color.parse(self.app.theme_variables["cursor-ground"]).rich_color
        for y, line in enumerate(self.lines):
            texts = (each for each in line if each.text.strip(f" {glyphs.CHIP}") and each.style)
            styles = {each.style for each in texts if each.style and each.style.bgcolor == ground}
            if len(styles) > 1:
                yield f"{y}: the cursor has {len(styles)} styles"

    def _unreadable(self) -> Iterator[str]:
        """Words differ enough from their background; what a dialog covers is dimmed."""
        for y, segment in self._in_front():
            style, text = segment.style or Style(), segment.text.strip()
            is_reversed = style.reverse and style.color is None  # in the terminal's own colours
            if not text or _SIGNS.issuperset(text) or is_reversed or style.dim:
                continue
            if style.color is None or style.bgcolor is None:
                yield f"{y}: no colours: {segment}"
            elif (ratio := worst(style.color, style.bgcolor)) < least(self.app.theme):
                yield f"{y}: contrast {ratio:.1f}: {text!r} {style}"

    def _segments(self) -> Iterator[tuple[int, Segment]]:
        for y, line in enumerate(self.lines):
            yield from ((y, segment) for segment in line if segment.text)

    def _in_front(self) -> Iterator[tuple[int, Segment]]:
        """The segments of the dialog in front, else of the screen, with their lines."""
        areas = self._areas_in_front()
        for y, line in enumerate(self.lines):
            x = 0
            for segment in line:
                if any(area.contains(x, y) for area in areas):
                    yield y, segment
                x += segment.cell_length

    def _areas_in_front(self) -> list[Region]:
        frames = self.screen.query(".dialog") if isinstance(self.screen, ModalScreen) else ()
        return [frame.region for frame in frames] or [self.screen.region]

    def _texts_in_front(self) -> list[str]:
        """The lines in front, without fields, whose text is scrolled."""
        fields = [field.region for field in self.screen.query(Input)]
        rows: dict[int, str] = {}
        for y, segment in self._in_front():
            if not any(field.y <= y < field.bottom for field in fields):
                rows[y] = rows.get(y, "") + segment.text
        return list(rows.values())

    def _hidden(self) -> Iterator[str]:
        """The title of a screen; the frame of a dialog, its keys and what is typed into."""
        screen = self.screen
        if isinstance(screen, CallboardScreen):
            title = _COUNTS.split(screen.bar.words.strip())[0]
            has_room = self.screen.size.width >= _NARROW or "offline" not in self.texts[0]
            if has_room and title[: len(title) // _BESIDE_TEXT] not in self.texts[0]:
                yield f"no title {title!r}: {self.texts[0]!r}"
            return
        needed: list[Widget] = [*screen.query(".dialog, .dialog-keys, .dialog-text")]
        needed += [self.app.focused] if self.app.focused is not None else []
        for widget in needed:
            if widget.display:
                place = screen.find_widget(widget)
                if not place.region.area or place.visible_region != place.region:
                    yield f"{widget} is not whole"

    def _cut(self, titles: Sequence[str]) -> Iterator[str]:
        """A title goes on, is wrapped at a blank, or ends with an ellipsis."""
        texts = self._texts_in_front()
        for title in titles:
            for text in texts:
                start = text.find(title[:_BEGINNING])
                if start < 0 or len(title) <= _BEGINNING:
                    continue
                pairs = zip(title, text[start:], strict=False)
                drawn = "".join(
                    letter for letter, _ in takewhile(lambda both: both[0] == both[1], pairs)
                )
                after, rest = text[start + len(drawn) :], title[len(drawn) :]
                is_wrapped = rest.startswith(" ") or drawn[-1] in " -" or width(drawn[-1]) > 1
                is_other = drawn.rstrip() in titles
                is_tidied = after.lstrip().startswith("…") or rest.strip(_TIDIED) == ""
                if rest and not (is_wrapped or is_tidied or is_other):
                    yield f"cut: {title!r} as {text[start : start + len(drawn) + 3]!r}"

    def _with_colours_left(self) -> Iterator[str]:
        """Without colours none is left, and a line or letter is reversed where one was chosen."""
        without = ColorlessFilter(lambda: self.app.theme_variables, everywhere=True)
        styles = [
            segment.style or Style()
            for line in self.lines
            for segment in without.apply(line, Color(0, 0, 0))
        ]
        if any(style.color is not None or style.bgcolor is not None for style in styles):
            yield "without colours some are left"
        is_chosen = any(each.highlighted is not None for each in self.screen.query(OptionList))
        if is_chosen and not any(style.reverse for style in styles):
            yield "without colours nothing is reversed"

    def wrong_without_colours(self) -> Iterator[str]:
        """What is wrong where the program was started with `NO_COLOR`."""
        styles = [segment.style or Style() for _, segment in self._segments()]
        if any(_has_colour(each.color) or _has_colour(each.bgcolor) for each in styles):
            yield "NO_COLOR has colours"
        if not any(each.reverse for each in styles):
            yield "NO_COLOR has nothing reversed, not even the name of the place"

    def wrong_in_ascii(self) -> Iterator[str]:
        """What is wrong where the program was started for ASCII."""
        if left := _signs_beyond_ascii("".join(self.texts)) & set(map(chr, glyphs.ASCII)):
            yield f"not in ASCII: {left}"


def has_hints(screen: Screen[Any]) -> bool:
    """Whether the last line has hints, among them how to see all keys."""
    return isinstance(screen, CallboardScreen) and not isinstance(screen.focused, Input)


def _ends_with_hints(line: str) -> bool:
    # How to see all keys; the bar of marked cards says how to clear the marks there.
    return "? keys" in line or (" marked " in line and line.endswith("│ esc clear "))


async def wrong_with_message(app: App[Any]) -> list[str]:
    """What is wrong once a message is shown: it leaves the hints where they are."""
    screen = app.screen
    if not isinstance(screen, CallboardScreen) or not has_hints(screen):
        return []
    screen.say(_MESSAGE)
    texts = [strip.text for strip in drawn_lines(app)]
    screen.status.clear()
    return [] if _ends_with_hints(texts[-1]) else [f"no hints below a message: {texts[-1]!r}"]


def _signs_beyond_ascii(text: str) -> set[str]:
    """Signs that are not ASCII; letters of other languages stay."""
    return {letter for letter in text if not letter.isascii() and not letter.isalnum()}


def _has_colour(color: RichColor | None) -> bool:
    return color is not None and color.type is not ColorType.DEFAULT
