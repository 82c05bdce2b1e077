"""A screen as a picture: the same program gives the same bytes."""

from tests.scenes import Scene
from tui.cli.pages.picture import svg_of


async def draw(scene: Scene) -> str:
    """A scene as SVG."""
    app = scene.app()
    async with app.run_test(size=scene.size) as pilot:
        await scene.play(pilot)
        return svg_of(app, scene.name)
