"""A picture drawn in the terminal: by a graphics protocol, or as half blocks.

The decoder is an optional dependency. Pictures are untrusted: their size is checked before they are
decoded, and every fault is raised as a `CallboardError`.
"""

import io
from collections.abc import Mapping, Sequence
from enum import Enum
from importlib.util import find_spec

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from tui.errors import CallboardError
from tui.runtime.textual_patches import no_terminal_to_ask

_MOST_PIXELS = 50_000_000
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
_HALF = "▀"
_GROUND = (255, 255, 255)

_KITTY = ("xterm-kitty", "xterm-ghostty")
_SIXEL = ("foot", "mlterm", "contour", "yaft")
_SIXEL_PROGRAMS = ("WezTerm", "iTerm.app", "rio")

Pixel = tuple[int, int, int]
Pixels = Sequence[Sequence[Pixel]]
"""A picture scaled down to be shown: an even number of rows of pixels."""


class Graphics(Enum):
    """Ways of drawing a picture."""

    KITTY = "the graphics protocol of kitty"
    SIXEL = "Sixel"
    BLOCKS = "half blocks in colour"
    NONE = "words"


def graphics_of(environment: Mapping[str, str]) -> Graphics:
    """The best way of drawing that a terminal with this environment is known to support.

    The terminal is not queried: its response would be read as keys, and waiting for one that
    never comes takes a quarter of a second. In a multiplexer only half blocks are assumed.
    """
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR") or term in ("", "dumb", "linux"):
        return Graphics.NONE
    if environment.get("TMUX") or term.startswith(("screen", "tmux")):
        return Graphics.BLOCKS
    if term in _KITTY or environment.get("KITTY_WINDOW_ID"):
        return Graphics.KITTY
    program = environment.get("TERM_PROGRAM", "")
    if term.startswith(_SIXEL) or program in _SIXEL_PROGRAMS or environment.get("KONSOLE_VERSION"):
        return Graphics.SIXEL
    return Graphics.BLOCKS


def can_decode() -> bool:
    """Whether the optional decoder is installed."""
    return find_spec("PIL") is not None


def can_use(graphics: Graphics) -> bool:
    """Whether a graphics protocol is supported and the libraries for it are installed."""
    has_own = graphics in (Graphics.KITTY, Graphics.SIXEL)
    return has_own and can_decode() and find_spec("textual_image") is not None


def check(content: bytes) -> tuple[int, int]:
    """The width and height of a picture, read without decoding it.

    Raises `CallboardError`, with a message for the user, if it cannot be shown.
    """
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # it would only warn; the limit below refuses
    try:
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            width, height = image.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise CallboardError("This kind of picture cannot be shown.") from error
    if width * height > _MOST_PIXELS:
        raise CallboardError(f"This picture is too large to show: {width} × {height}.")
    return width, height


def half_blocks(content: bytes, width: int, height: int) -> Pixels:
    """The picture scaled to `width` by `height` cells, with two pixels a cell, one above the other.

    Raises `CallboardError`, with a message for the user, if it cannot be shown. It is slow: call it
    in a thread.
    """
    from PIL import Image

    check(content)
    try:
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            # Lets the JPEG decoder scale down while it reads, to twice the final size.
            image.draft("RGB", (width * 2, height * 4))
            small = image.convert("RGBA")
            small.thumbnail((max(1, width), max(2, height * 2)))
            ground = Image.new("RGBA", (small.width, small.height + small.height % 2), _GROUND)
            # Transparent pixels are shown on white.
            ground.alpha_composite(small)
            data = ground.convert("RGB").tobytes()
    except (OSError, ValueError, SyntaxError, MemoryError, Image.DecompressionBombError) as error:
        raise CallboardError("This picture is damaged and cannot be shown.") from error
    row = ground.width * 3
    return [
        tuple((data[i], data[i + 1], data[i + 2]) for i in range(start, start + row, 3))
        for start in range(0, len(data), row)
    ]


class HalfBlocks(Widget):
    """Draws a picture with coloured half blocks."""

    def __init__(self, pixels: Pixels) -> None:
        super().__init__()
        self._rows = pixels
        self.styles.width = len(self._rows[0]) if self._rows else 0
        self.styles.height = len(self._rows) // 2

    def render_line(self, y: int) -> Strip:
        if 2 * y + 1 >= len(self._rows):
            return Strip.blank(self.size.width)
        pairs = zip(self._rows[2 * y], self._rows[2 * y + 1], strict=True)
        return Strip(
            [
                Segment(_HALF, Style(color=Color.from_rgb(*up), bgcolor=Color.from_rgb(*down)))
                for up, down in pairs
            ]
        )


def drawn_by_terminal(graphics: Graphics, content: bytes) -> Widget:
    """A widget that draws a picture by a graphics protocol; call `check` first."""
    with no_terminal_to_ask():
        from textual_image import widget

    picture_class: type[widget.TGPImage | widget.SixelImage] = (
        widget.TGPImage if graphics is Graphics.KITTY else widget.SixelImage
    )
    return picture_class(io.BytesIO(content))
