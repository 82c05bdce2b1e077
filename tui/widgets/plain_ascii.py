"""Texts for terminals that show nothing but ASCII, and how such a terminal is detected."""

import sys
from collections.abc import Mapping

from tui.widgets.glyphs import ASCII

_NAMES = ("LC_ALL", "LC_CTYPE", "LANG")
"""The variables that name the locale of letters; the first one that is set counts."""
_IN_PLACE_OF_C = ("C.UTF-8", "C.utf8", "UTF-8")
"""What Python itself puts into `LC_CTYPE` as it starts in the locale C."""
_LETTERS = str.maketrans("ßøØłŁđĐıþÞ", "soOlLdDipP")
"""Letters that have no accent to be taken off."""


def shows_utf8(
    environment: Mapping[str, str], encoding: str | None = None, *, is_coerced: bool | None = None
) -> bool:
    """Whether letters on the terminal are UTF-8, by the locale that the environment names.

    They are without a name, as in Python, and in a browser. They are not if the output has another
    `encoding`. `is_coerced` is whether Python may have changed `LC_CTYPE`.
    """
    if "TEXTUAL_DRIVER" in environment:
        return True
    if is_coerced is None:
        is_coerced = bool(sys.flags.utf8_mode) and "PYTHONUTF8" not in environment
    named = {name: environment.get(name, "") for name in _NAMES}
    # In the locale C Python itself sets UTF-8 (PEP 538 and 540): that tells nothing of the
    # terminal.
    if is_coerced and named["LC_CTYPE"] in _IN_PLACE_OF_C:
        named["LC_CTYPE"] = ""
    locale = next(filter(None, named.values()), "")
    return all("utf8" in name.lower().replace("-", "") for name in filter(None, (locale, encoding)))


def in_ascii(text: str) -> str:
    """The text in ASCII, in as many cells: signs have stand-ins, letters lose their accents.

    Where there is no such letter, a question mark stands for each cell.
    """
    text = text.translate(ASCII)
    if text.isascii():
        return text
    from rich.cells import split_graphemes  # not for every command

    graphemes, _ = split_graphemes(text)
    return "".join(_stand_in(text[start:end], width) for start, end, width in graphemes)


def _stand_in(grapheme: str, width: int) -> str:
    if grapheme.isascii():
        return grapheme
    from unicodedata import combining, normalize

    # NFKD parts a letter from its accents, and writes ligatures as letters.
    parts = normalize("NFKD", grapheme.translate(_LETTERS))
    letters = "".join(part for part in parts if not combining(part))
    return letters if letters.isascii() and len(letters) == width else "?" * width
