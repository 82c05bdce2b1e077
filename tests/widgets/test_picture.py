"""Pictures as half blocks, and what cannot be drawn told in words."""

import io
import struct
import zlib

import pytest
from PIL import Image

from tui.errors import CallboardError
from tui.widgets.picture import (
    Graphics,
    HalfBlocks,
    can_use,
    check,
    drawn_by_terminal,
    graphics_of,
    half_blocks,
)


def picture(width: int, height: int, kind: str = "PNG") -> bytes:
    """A picture: red above, blue below."""
    image = Image.new("RGB", (width, height), (255, 0, 0))
    image.paste((0, 0, 255), (0, height // 2, width, height))
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


def bomb(width: int, height: int) -> bytes:
    """A PNG that says it is huge."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0"))


def chunk(kind: bytes, content: bytes) -> bytes:
    """A part of a PNG."""
    crc = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", crc)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_a_picture_becomes_pixels_that_fit(kind: str) -> None:
    rows = half_blocks(picture(64, 64, kind), 20, 8)
    assert len(rows) == 16
    assert {len(row) for row in rows} == {16}
    red, blue = rows[1][8], rows[-2][8]
    assert red[0] > 200
    assert red[2] < 60
    assert blue[2] > 200
    assert blue[0] < 60


def test_an_odd_row_is_filled_and_small_pictures_stay_small() -> None:
    rows = half_blocks(picture(3, 3), 40, 20)
    assert (len(rows), len(rows[0])) == (4, 3)
    assert rows[3] == ((255, 255, 255),) * 3
    line = HalfBlocks(half_blocks(picture(3, 3), 40, 20)).render_line(0)
    assert line.text == "▀▀▀"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "This kind of picture"),
        (b"<svg></svg>", "This kind of picture"),
        (bomb(100_000, 100_000), "too large"),
        (bomb(20_000, 5_000), "too large"),
        (picture(64, 64)[:60], "damaged"),
    ],
)
def test_what_cannot_be_shown_is_told(content: bytes, words: str) -> None:
    with pytest.raises(CallboardError, match=words):
        half_blocks(content, 20, 10)


def test_the_terminal_is_known_by_its_name() -> None:
    assert graphics_of({"TERM": "xterm-kitty"}) is Graphics.KITTY
    assert graphics_of({"TERM": "foot"}) is Graphics.SIXEL
    assert graphics_of({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}) is Graphics.SIXEL
    assert graphics_of({"TERM": "xterm-kitty", "TMUX": "1"}) is Graphics.BLOCKS
    assert graphics_of({"TERM": "xterm-256color"}) is Graphics.BLOCKS
    assert graphics_of({"TERM": "xterm-256color", "NO_COLOR": "1"}) is Graphics.NONE
    assert graphics_of({}) is Graphics.NONE


@pytest.mark.parametrize("graphics", [Graphics.KITTY, Graphics.SIXEL])
def test_the_terminals_own_graphics_are_used_without_asking_it(graphics: Graphics) -> None:
    assert can_use(graphics)
    content = picture(8, 8)
    assert check(content) == (8, 8)
    assert "Image" in type(drawn_by_terminal(graphics, content)).__name__
