"""What is drawn has no names of programs, as far as pictures show it."""

import html
import re
from pathlib import Path

from tests.texts.listing import ROOT
from tests.texts.plain import raw_names

_PICTURES = ROOT / "tests" / "pictures" / "__snapshots__"
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_TEXT = re.compile(r">([^<]+)</text>")


def drawn(picture: Path) -> list[str]:
    """The pieces of text in a picture."""
    pieces = _TEXT.findall(_STYLE.sub("", picture.read_text("utf-8")))
    return [html.unescape(piece).replace("\u00a0", " ") for piece in pieces]


def test_no_picture_has_a_name_of_programs() -> None:
    pictures = list(_PICTURES.rglob("*.svg"))
    assert pictures
    assert all(map(drawn, pictures))
    found = {picture.stem: raw_names(" ".join(drawn(picture))) for picture in pictures}
    assert {name: names for name, names in found.items() if names} == {}


def test_raw_names_are_those_of_programs_alone() -> None:
    assert raw_names('due_at 2026-11-27 None ["a"] Status.OPEN') == [
        *("due_at", "2026-11-27", "None", '["', "Status.OPEN"),
    ]
    assert raw_names("Default Subtask Group") == ["Default Subtask Group"]
    assert raw_names("Undone: due date of “Fix login”, Fri 27 Nov 17:00 [x] #4 (on you)") == []
