"""What is drawn, cell by cell: every screen and dialog, at every size, in every theme of our own.

Looked at are the cells that would be sent to the terminal, after all filters.
"""

from collections.abc import AsyncIterator, Iterator
from itertools import cycle
from typing import Any

import pytest
from rich.color import Color as RichColor, ColorType
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.screen import Screen
from textual.widgets import Input

from tests.scenes import SCENES, Scene
from tests.test_themes import least, worst
from tui.screens.base import CallboardScreen
from tui.theme import ANSI, THEMES
from tui.widgets import glyphs

pytestmark = pytest.mark.long

SIZES = ((120, 36), (80, 24), (40, 15), (200, 50))
_SIGNS = frozenset(
    f"{glyphs.CHIP}{glyphs.FULL}{glyphs.EMPTY}{glyphs.BLOCKS}─│╭╮╰╯┌┐└┘╌╎┃▁▔▊▎▏▕▐▌▄▀█"
)
"""What is drawn for its shape, such as the square of a label or a rule."""


def drawn(app: App[None]) -> Iterator[tuple[int, list[Segment]]]:
    """The lines of the screen with their numbers."""
    for y, strip in enumerate(app.screen._compositor.render_strips()):
        yield y, [segment for segment in strip if segment.text]


def has_colour(color: RichColor | None) -> bool:
    return color is not None and color.type is not ColorType.DEFAULT


def looks_wrong(app: App[None], theme: str) -> list[str]:
    """What is wrong with the cells of the screen in a theme with colours of its own."""
    wrong = []
    frames = app.screen.query(".dialog")
    dialog = frames.first().region if frames else None
    chosen = Color.parse(app.theme_variables["cursor-ground"]).rich_color
    for y, line in drawn(app):
        cursors, start = set(), 0
        for segment in line:
            style = segment.style or Style()
            if not has_colour(style.bgcolor):
                wrong.append(f"{y}: no background: {segment.text!r}")
                continue
            at, start = start, start + segment.cell_length
            text = segment.text.strip()
            if dialog is not None and not dialog.contains(at, y):
                continue  # it is dimmed
            if style.bgcolor == chosen and text:
                cursors.add(style)
            if text and not _SIGNS.issuperset(text) and style.color and style.bgcolor:
                ratio = worst(style.color, style.bgcolor)
                if ratio < least(theme) and not style.dim:
                    wrong.append(f"{y}: contrast {ratio:.1f}: {text!r}")
        if len(cursors) > 1 and isinstance(app.screen, CallboardScreen):
            wrong.append(f"{y}: the cursor has {len(cursors)} styles")
    return wrong


def hints_are_missing(screen: Screen[Any]) -> bool:
    """Whether the last line of a screen does not say how to see all keys."""
    if not isinstance(screen, CallboardScreen) or isinstance(screen.focused, Input):
        return False
    last = "".join(segment.text for segment in screen._compositor.render_strips()[-1])
    return "? keys" not in last


@pytest.mark.parametrize("each", ["in turn", pytest.param("all", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", SCENES)
async def test_every_cell_is_painted_and_can_be_read(name: str, each: str) -> None:
    """In all themes at each size, or in one after the other."""
    scene, wrong = SCENES[name], list[str]()
    turns = cycle(THEMES)
    for _ in range(list(SCENES).index(name) % len(THEMES)):
        next(turns)
    app = scene.app()
    async with app.run_test(size=scene.size) as pilot:
        await scene.play(pilot)
        for size in SIZES:
            await pilot.resize_terminal(*size)
            for theme in THEMES if each == "all" else (next(turns),):
                app.theme = theme.name
                await pilot.pause()
                if theme is not ANSI:
                    wrong += [
                        f"{theme.name} {size}: {line}" for line in looks_wrong(app, theme.name)
                    ]
                if hints_are_missing(app.screen):
                    wrong.append(f"{theme.name} {size}: no hints")
    assert not wrong, "\n".join(wrong[:20])


async def segments_at_every_size(scene: Scene, app: App[None]) -> AsyncIterator[list[Segment]]:
    """What is drawn of a scene, at one size after the other."""
    async with app.run_test(size=scene.size) as pilot:
        await scene.play(pilot)
        for size in SIZES:
            await pilot.resize_terminal(*size)
            yield [segment for _, line in drawn(app) for segment in line]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", SCENES)
async def test_without_colours_what_is_chosen_is_reversed(name: str) -> None:
    scene = SCENES[name]
    async for segments in segments_at_every_size(scene, scene.app(colours=False)):
        styles = [segment.style or Style() for segment in segments]
        assert not any(has_colour(each.color) or has_colour(each.bgcolor) for each in styles)
        assert any(each.reverse for each in styles), "the name of the place"


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", SCENES)
async def test_ascii_is_enough(name: str) -> None:
    scene = SCENES[name]
    async for segments in segments_at_every_size(scene, scene.app(ascii_only=True)):
        text = "".join(segment.text for segment in segments)
        ours = {each for each in text if not each.isascii() and not each.isalnum()}
        assert not ours & set(map(chr, glyphs.ASCII)), ours
