"""`callboard export --svg`: what is in the picture, and what it leaves as it was."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.cli.conftest import Said, cached_for_work, home, made, said

__all__ = ["home", "made", "said"]


def _elements(svg: str) -> list[ET.Element]:
    return [*ET.fromstring(svg).iter()]  # noqa: S314  what is drawn by ourselves


def _words(svg: str) -> str:
    texts = ["".join(each.itertext()) for each in _elements(svg) if "text" in each.tag]
    return " ".join(texts).replace("\xa0", " ")


def test_a_picture_shows_the_board_and_asks_no_other_host(
    said: Said, home: Path, tmp_path: Path
) -> None:
    assert said("add", "--board", "Platform", "<script>alert(1)</script>")[0] == 0
    file = tmp_path / "board.svg"
    kept = [home / "data" / "preferences.json", home / "cache" / "last-frame"]
    contents = [path.read_bytes() if path.exists() else None for path in kept]
    shown = said("export", "--svg", "--board", "Platform", "--size", "100x30", str(file))
    assert shown == (0, f"{file} shows “Platform”\n", "")
    drawing = file.read_text(encoding="utf-8")
    assert {each.tag.rpartition("}")[2] for each in _elements(drawing)} == {
        *("svg", "style", "defs", "clipPath", "rect", "text", "g", "circle"),
    }
    words = _words(drawing)
    assert "<script>alert(1)</script>" in words
    assert "Mine" in words
    assert "read-only" not in words
    assert not re.search(r"@font-face|href|url\((?!#)|src", drawing)
    assert [path.read_bytes() if path.exists() else None for path in kept] == contents
    assert said("export", "--svg", "--board", "Platform", str(file))[0] == 2


def test_a_board_that_is_cached_is_drawn_without_its_service(said: Said, home: Path) -> None:
    assert said("tasks", "--board", "platform")[0] == 0
    cached_for_work(home, said)
    code, drawing, beside = said("-p", "work", "export", "--svg", "--board", "Platform")
    assert (code, "As of" in beside) == (0, True)
    assert "Card of Platform" in _words(drawing)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("--svg", "--size", "0x0"), "must be columns and rows, such as 120x36"),
        (("--svg", "--size", "80"), "must be columns and rows"),
        (("--md", "--size", "80x24"), "--size is that of a picture: add --svg"),
        (("--svg", "--standup"), "--standup is written as a page: add --html"),
        (("--svg", "--board", "nothing"), "no board is called “nothing”"),
    ],
)
def test_wrong_arguments_of_a_picture(said: Said, arguments: tuple[str, ...], what: str) -> None:
    code, text, beside = said("export", *arguments)
    assert (code in (1, 2), text, what in beside) == (True, "", True)
