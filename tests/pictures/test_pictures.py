"""The command that writes the README's pictures, and the scenes they are made from."""

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.drivers import loops
from tests.pictures import moving_picture
from tests.pictures.__main__ import MOVING, SHOWN, main
from tests.pictures.drawing import draw
from tests.scenes import SCENES


@pytest.mark.long
def test_the_command_writes_every_picture(tmp_path: Path) -> None:
    assert main(["--into", str(tmp_path / "new")]) == 0
    written = {file.stem: file.read_text("utf-8") for file in (tmp_path / "new").iterdir()}
    assert set(written) == {*SHOWN, MOVING}
    for drawing in written.values():
        assert drawing.startswith("<svg")
        assert drawing.endswith("</svg>\n")
        assert "@font-face" not in drawing
    assert "Moving" in written["moving"]


@pytest.mark.long
def test_the_moving_picture_is_small_and_shows_its_first_frame_without_animation() -> None:
    drawing = loops.run(moving_picture.draw())
    assert drawing == loops.run(moving_picture.draw())
    assert len(drawing.encode()) <= 200_000
    root = ET.fromstring(drawing)  # noqa: S314 (our own drawing)
    steps = [step for _, steps in moving_picture.STORY for step in steps]
    captions = [each.text for each in root.iter() if each.get("class") == "says"]
    written = [step.says.replace("   ", "\N{NO-BREAK SPACE}" * 3) for step in steps]
    assert sorted(map(str, captions)) == sorted(written)
    hidden = set(re.findall(r"#(l\d+)\{opacity:0;", drawing))
    shown = [
        each
        for group in root.iter("{http://www.w3.org/2000/svg}g")
        if group.get("id") not in hidden
        for each in group
        if each.get("class") == "says"
    ]
    assert [each.text for each in shown] == ["a board"]
    assert not re.search(r"href|url\(|@import|@font-face", drawing)


def test_other_scenes_can_be_named(tmp_path: Path) -> None:
    assert main(["--into", str(tmp_path), "help"]) == 0
    assert [file.name for file in tmp_path.iterdir()] == ["help.svg"]


def test_an_unknown_scene_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--into", str(tmp_path), "board", "bored"])
    assert "no scene bored" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_a_picture_is_the_same_in_another_terminal_and_time_zone(tmp_path: Path) -> None:
    elsewhere = {
        **os.environ,
        "TZ": "Pacific/Kiritimati",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "COLUMNS": "33",
        "PYTHONHASHSEED": "7",
    }
    command = [sys.executable, "-m", "tests.pictures", "--into", str(tmp_path), "task", "waiting"]
    root = Path(__file__).parents[2]
    subprocess.run(command, check=True, env=elsewhere, cwd=root, timeout=60)  # noqa: S603 (our own command)
    for name in ("task", "waiting"):
        assert (tmp_path / f"{name}.svg").read_text("utf-8") == loops.run(draw(SCENES[name]))
