"""Draws the screens in the sizes, densities and themes of the design: `python -m tests.surface`.

Each picture has the name of its mock-up, so that both can be looked at side by side: NAME.svg, and
NAME.txt with the text alone.

    python -m tests.surface --into /tmp/look               all of them
    python -m tests.surface --into /tmp/look board task    those whose name has one of these words
"""

import asyncio
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.pictures import svg
from tests.scenes import SCENES, Scene
from tui.context import Density
from tui.theme import ANSI, LIGHT

WIDE, SMALL, HUGE = (120, 36), (80, 24), (200, 50)


@dataclass(frozen=True, slots=True)
class View:
    """A scene as it is drawn for one picture."""

    scene: Scene
    colours: bool = True
    ascii_only: bool = False

    async def draw(self) -> tuple[str, str]:
        """The picture as SVG, and its text."""
        app = self.scene.app(colours=self.colours, ascii_only=self.ascii_only)
        async with app.run_test(size=self.scene.size) as pilot:
            await self.scene.play(pilot)
            strips = app.screen._compositor.render_strips()
            text = "\n".join(strip.text.rstrip() for strip in strips)
            return svg(app, self.scene.name), f"{text}\n"


def _views() -> dict[str, View]:
    views = {}
    board, carried = SCENES["platform"], SCENES["platform-carried"]
    for size in (WIDE, SMALL):
        at = f"{size[0]}x{size[1]}"
        for density in Density:
            views[f"board_d{int(density)}_{at}"] = View(replace(board, size=size, density=density))
        for name, scene in (("board", board), ("board_lift", carried)):
            light = replace(scene, size=size, theme=LIGHT.name)
            views[f"{name}_light_{at}"] = View(light)
        views[f"board_lift_{at}"] = View(replace(carried, size=size))
        for name, scene_name in _BOTH_SIZES.items():
            views[f"{name}_{at}"] = View(replace(SCENES[scene_name], size=size))
    views["board_40x15"] = View(replace(board, size=(40, 15), density=Density.NORMAL))
    views["board_ansi_120x36"] = View(replace(board, theme=ANSI.name))
    for name, scene in (("board", board), ("board_lift", carried)):
        views[f"{name}_nocolor_ascii_120x36"] = View(scene, colours=False, ascii_only=True)
    for name in ("walk", "person", "speaker"):
        scene = replace(SCENES[_BOTH_SIZES[f"standup_{name}"]], size=WIDE)
        views[f"standup_{name}_200x50"] = View(replace(scene, size=HUGE))
        if name != "speaker":
            views[f"standup_{name}_light_120x36"] = View(replace(scene, theme=LIGHT.name))
    views["standup_walk_nocolor_120x36"] = View(SCENES["standup"], colours=False)
    views["task_light_120x36"] = View(replace(SCENES["task"], theme=LIGHT.name))
    return views


_BOTH_SIZES = {
    "boards": "folders",
    "chord_go": "chord-go",
    "empty_filter": "platform-filter",
    "empty_no_boards": "no-boards",
    "empty_no_cards": "empty",
    "filter_error": "filter-error",
    "find": "find",
    "first_start": "first-start",
    "help": "help",
    "help_search": "help-search",
    "insight": "insight",
    "labels": "labels",
    "members": "members",
    "message_and_hints": "platform-moved",
    "mywork": "my-work",
    "palette": "palette",
    "standup_person": "speakers",
    "standup_speaker": "speaker",
    "standup_walk": "standup",
    "state_conflict": "conflict",
    "state_offline": "pending",
    "state_refused": "refused",
    "task": "task",
    "task_comment": "task-comment",
}
"""The scenes of mock-ups that are drawn at 120x36 and at 80x24."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = ArgumentParser(prog="python -m tests.surface", description="Draw the mock-ups.")
    parser.add_argument("words", nargs="*", metavar="WORD", help="part of a name")
    parser.add_argument("--into", type=Path, required=True, metavar="FOLDER", help="where to")
    given = parser.parse_args(arguments)
    given.into.mkdir(parents=True, exist_ok=True)
    for name, view in _views().items():
        if given.words and not any(word in name for word in given.words):
            continue
        picture, text = asyncio.run(view.draw())
        (given.into / f"{name}.svg").write_text(picture, encoding="utf-8")
        (given.into / f"{name}.txt").write_text(text, encoding="utf-8")
        sys.stdout.write(f"{name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
