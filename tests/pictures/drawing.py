"""A screen as a picture: the same program gives the same bytes."""

import re

from textual.app import App

from tests.scenes import Scene

_FONT_FROM_ELSEWHERE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
_DRAWING_ID = re.compile(r"\bterminal-\d+\b")


async def draw(scene: Scene) -> str:
    """A scene as SVG."""
    app = scene.app()
    async with app.run_test(size=scene.size) as pilot:
        await scene.play(pilot)
        return svg(app, scene.name)


def svg(app: App[None], name: str) -> str:
    """The screen as SVG that asks no other host for anything."""
    drawing = app.export_screenshot(simplify=True)
    # Some programs would leave out blanks at the ends of a text.
    drawing = drawing.replace("<svg ", '<svg xml:space="preserve" ', 1)
    return _DRAWING_ID.sub(name, _FONT_FROM_ELSEWHERE.sub("", drawing))
