"""Writes the pictures of the README: `python -m tests.pictures`.

The same program gives the same bytes, and a picture asks no other host for
anything. One of them moves: `callboard.svg`. Other scenes than the README's can
be named, to be looked at:

    python -m tests.pictures --into /tmp/look help due     these two
    python -m tests.pictures --into /tmp/look --all        every scene there is
"""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from tests.drivers import loops
from tests.pictures import moving_picture
from tests.pictures.drawing import draw
from tests.scenes import SCENES

FOLDER = Path(__file__).parents[2] / "screenshots"
SHOWN = ("board", "moving", "boards", "task", "standup", "board-80x24")
"""The scenes that are written unless others are named."""
MOVING = "callboard"


def write(names: Sequence[str], folder: Path) -> list[Path]:
    """Write pictures of the named scenes into a folder; the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name in names:
        file = folder / f"{name}.svg"
        file.write_text(loops.run(draw(SCENES[name])), encoding="utf-8")
        files.append(file)
    return files


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = ArgumentParser(prog="python -m tests.pictures", description="Write pictures.")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help="what to draw")
    parser.add_argument("--all", action="store_true", help="draw every scene")
    parser.add_argument("--into", type=Path, default=FOLDER, metavar="FOLDER", help="where to")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.scenes if name not in SCENES]
    if unknown:
        parser.error(f"no scene {', '.join(unknown)}; there are {', '.join(SCENES)}")
    names = tuple(SCENES) if given.all else given.scenes or SHOWN
    files = write(names, given.into)
    if not given.scenes:
        files.append(given.into / f"{MOVING}.svg")
        files[-1].write_text(loops.run(moving_picture.draw()), encoding="utf-8")
    for file in files:
        sys.stdout.write(f"{file}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
