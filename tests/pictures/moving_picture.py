"""The moving picture of the README: frames of the program as one SVG, animated by CSS.

Where animation is not supported or not wanted, the first frame is shown. A line of the screen that
several frames have in common is drawn once.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from itertools import accumulate
from typing import NamedTuple

from rich.segment import Segment
from textual._compositor import LayoutUpdate
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input

from tests.scenes import SCENES, Scene

SIZE = (100, 30)
_CELL_WIDTH, _CELL_HEIGHT, _FONT = 8, 17, 13.3
_FONTS = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_MARGIN = 12
_CORNER = 8
_BASE = 13
"""Where the base of the letters is in a line."""
_SHORT = 4
"""A text of so many cells is in its place whatever the font is; longer ones have their width."""


class Step(NamedTuple):
    """Keys that lead to a frame, what is said about it, and for how many seconds it is shown."""

    keys: tuple[str, ...]
    says: str
    seconds: float = 1.6


_NEW_CARD = "Thank the testers #api !high ^fri"

STORY: Sequence[tuple[Scene, Sequence[Step]]] = (
    (
        replace(SCENES["task"], keys=(), size=SIZE),
        (
            Step((), "a board", 2.0),
            Step(("j",), "j   the cursor moves", 1.2),
            Step(("space",), "space   lifts a card", 1.2),
            Step(("l",), "l   carries it", 1.0),
            Step(("j",), "j   carries it", 1.0),
            Step(("space",), "space   drops it, and u would undo it", 1.8),
            Step(
                ("n", *({" ": "space"}.get(each, each) for each in _NEW_CARD)),
                "n   a new card",
                2.4,
            ),
        ),
    ),
    (replace(SCENES["task"], size=SIZE), (Step((), "enter   the task", 3.0),)),
    (
        replace(SCENES["standup"], size=SIZE),
        (
            Step((), "g s   the standup, board by board", 3.0),
            Step(("tab",), "tab   the same by person", 3.0),
        ),
    ),
)


class _Run(NamedTuple):
    # Cells of one look in a line, from a column on.
    column: int
    text: str
    color: str
    ground: str
    traits: str


Row = tuple[_Run, ...]


async def draw() -> str:
    """The story as SVG."""
    frames, steps = [], []
    for scene, parts in STORY:
        app = scene.app()
        async with app.run_test(size=scene.size) as pilot:
            await scene.play(pilot)
            for step in parts:
                await _press(pilot, step.keys)
                frames.append(_rows(app))
                steps.append(step)
    return _svg(frames, steps)


async def _press(pilot: Pilot[None], keys: Iterable[str]) -> None:
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
    for typed in pilot.app.screen.query(Input):
        typed.cursor_blink = False
    await pilot.pause()


def _rows(app: App[None]) -> list[Row]:
    screen = app.screen
    update = screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    assert isinstance(update, LayoutUpdate), f"the screen is not drawn whole: {update!r:.200}"
    text, ground = (
        app.current_theme.to_color_system().generate()[name]
        for name in ("foreground", "background")
    )
    return [
        _row([part for strip in line for part in strip], text, ground) for line in update.strips
    ]


def _row(segments: Iterable[Segment], text: str, ground: str) -> Row:
    runs: list[_Run] = []
    column = 0
    for segment in segments:
        style = segment.style
        color = style.color.get_truecolor().hex if style and style.color else text
        behind = style.bgcolor.get_truecolor().hex if style and style.bgcolor else ground
        if style and style.reverse:
            color, behind = behind, color
        names = ("bold", "italic", "underline", "strike")
        traits = "".join(name[0] for name in names if style and getattr(style, name))
        run = _Run(column, segment.text, color[:7].lower(), behind[:7].lower(), traits)
        column += segment.cell_length
        is_blank = not segment.text.strip() and not set(traits) & {"u", "s"}
        if runs and (runs[-1][2:] == run[2:] or (is_blank and runs[-1].ground == run.ground)):
            runs[-1] = runs[-1]._replace(text=runs[-1].text + run.text)
        else:
            runs.append(run)
    return tuple(runs)


def _svg(frames: Sequence[list[Row]], steps: Sequence[Step]) -> str:
    width = SIZE[0] * _CELL_WIDTH + 2 * _MARGIN
    height = (SIZE[1] + 1) * _CELL_HEIGHT + 2 * _MARGIN
    grounds = Counter[str]()
    for run in (run for frame in frames for row in frame for run in row):
        grounds[run.ground] += _cells(run.text)
    ((ground, _),) = grounds.most_common(1)
    looks: dict[tuple[str, str], str] = {}
    layers: dict[tuple[int, ...], list[str]] = {}
    for y in range(SIZE[1]):
        shown: dict[Row, list[int]] = {}
        for number, frame in enumerate(frames):
            shown.setdefault(frame[y], []).append(number)
        for row, frames_of_row in shown.items():
            layers.setdefault(tuple(frames_of_row), []).append(_drawn(row, y, ground, looks))
    for number, step in enumerate(steps):
        y = (SIZE[1] + 1) * _CELL_HEIGHT - 2
        caption = escape(step.says).replace("   ", "\N{NO-BREAK SPACE}" * 3)
        layers.setdefault((number,), []).append(
            f'<text class="says" x="{_CELL_WIDTH}" y="{y}">{caption}</text>'
        )
    css = [f".{name}{{{_look(*look)}}}" for look, name in looks.items()]
    body = []
    for at, (numbers, parts) in enumerate(layers.items()):
        if len(numbers) == len(frames):
            body.append(f"<g>{''.join(parts)}</g>")
            continue
        first = int(0 in numbers)
        css += [
            _keyframes(f"k{at}", numbers, steps),
            f"#l{at}{{opacity:{first};animation-name:k{at}}}",
        ]
        body.append(f'<g id="l{at}" class="l">{"".join(parts)}</g>')
    total = sum(step.seconds for step in steps)
    style = "\n".join(
        [
            f"text{{font:{_FONT}px {_FONTS}}}",
            ".says{fill:#8a93a8}",
            f".l{{animation:{total:g}s step-end infinite}}",
            "@media(prefers-reduced-motion:reduce){.l{animation:none}}",
            *css,
        ]
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">\n'
        f"<style>\n{style}\n</style>\n"
        f'<rect width="{width:g}" height="{height:g}" rx="{_CORNER}" fill="{ground}"/>\n'
        f'<g transform="translate({_MARGIN} {_MARGIN})">\n' + "\n".join(body) + "\n</g>\n</svg>\n"
    )


def _drawn(row: Row, y: int, ground: str, looks: dict[tuple[str, str], str]) -> str:
    parts = []
    for run in row:
        if run.ground != ground:
            name = looks.setdefault((run.ground, ""), f"c{len(looks)}")
            left, right = (
                each * _CELL_WIDTH for each in (run.column, run.column + _cells(run.text))
            )
            parts.append(f'<path class="{name}" d="M{left} 0H{right}V{_CELL_HEIGHT}H{left}"/>')
    for run in row:
        text = run.text.strip()
        if text:
            name = looks.setdefault((run.color, run.traits), f"c{len(looks)}")
            x = (run.column + len(run.text) - len(run.text.lstrip())) * _CELL_WIDTH
            cells = _cells(text)
            length = f' textLength="{cells * _CELL_WIDTH}"' if cells > _SHORT else ""
            parts.append(f'<text class="{name}" x="{x}" y="{_BASE}"{length}>{_spaced(text)}</text>')
    place = f' transform="translate(0 {y * _CELL_HEIGHT})"' if y else ""
    return f"<g{place}>{''.join(parts)}</g>" if parts else ""


def _cells(text: str) -> int:
    return Segment(text).cell_length


def _spaced(text: str) -> str:
    return escape(text, quote=False).replace(" ", "\N{NO-BREAK SPACE}")


def _look(color: str, traits: str) -> str:
    lines = [word for sign, word in (("u", "underline"), ("s", "line-through")) if sign in traits]
    return "".join(
        [
            f"fill:{color}",
            ";font-weight:bold" if "b" in traits else "",
            ";font-style:italic" if "i" in traits else "",
            f";text-decoration:{' '.join(lines)}" if lines else "",
        ]
    )


def _keyframes(name: str, numbers: Sequence[int], steps: Sequence[Step]) -> str:
    ends = list(accumulate((step.seconds for step in steps), initial=0.0))
    points = []
    for number in range(len(steps)):
        is_shown = number in numbers
        if number == 0 or is_shown != (number - 1 in numbers):
            points.append(f"{100 * ends[number] / ends[-1]:.4g}%{{opacity:{int(is_shown)}}}")
    return f"@keyframes {name}{{{''.join(points)}}}"
