"""Makes text terminal-safe.

Escape sequences with their parameters, control characters and direction overrides are removed; what
ends a line in other programs ends one here, so that no words are joined. Every pattern here takes
linear time.
"""

import re
from collections.abc import Sequence
from functools import cache

_CSI = r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]"
# Any C1 control ends a control string, as in terminals. If the string could contain the
# introducer of the next one, each of a row of unterminated strings would be read to the very end.
_OSC = r"(?:\x1b\]|\x9d)[^\x07\x1b\x80-\x9f\n]*+(?:\x07|\x1b\\|\x9c)"
_STRINGS = r"(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x80-\x9f\n]*+(?:\x1b\\|\x9c)"
_OTHER = r"\x1b[ -/]{0,8}[0-~]"

# What `str.splitlines` takes for the end of a line, and the separator of units.
_SEPARATORS = {**dict.fromkeys("\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", "\n"), "\x1f": " "}
# C0 but tab and line feed, DEL, C1, soft hyphen, zero-width and direction marks, line and
# paragraph separators, interlinear marks, tags, and halves of surrogate pairs.
_HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
# A black flag with the code of a region in tags, and the one that ends them, is one emoji.
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,7}\U000e007f"
_FOLD = str.maketrans({"\n": " ", "\t": " "})


def text(raw: str) -> str:
    """Terminal-safe text of several lines; tabs and line feeds stay."""
    # No control, format or separating character is printable, so that nothing has to be removed.
    if raw.isprintable():
        return raw
    raw = raw.replace("\r\n", "\n")
    if not _HARMFUL.search(raw):
        return raw
    # Before single characters: without its escape, the parameters of a sequence would stay as text.
    raw = _sequence().sub("", raw)
    return _harmful().sub(lambda match: match[1] or _SEPARATORS.get(match[0], ""), raw)


@cache
def _harmful() -> re.Pattern[str]:
    return re.compile(f"({_FLAG})|{_HARMFUL.pattern}")


@cache
def _sequence() -> re.Pattern[str]:
    # Compiled when first needed.
    return re.compile(f"{_OSC}|{_STRINGS}|{_CSI}|{_OTHER}")


def line(raw: str) -> str:
    """Terminal-safe text of one line."""
    if raw.isprintable():
        return raw
    return text(raw).translate(_FOLD)


_BEYOND_UNICODE = re.compile(r"&#[xX]?[0-9a-fA-F]{9,};?")


def unescaped(text: str) -> str:
    """Text with HTML references replaced; invalid ones become U+FFFD.

    `html.unescape` raises `ValueError` for a number of more than 4,300 digits.
    """
    if "&" not in text:
        return text
    import html  # its table of names is large, and rarely needed

    return html.unescape(_BEYOND_UNICODE.sub("\N{REPLACEMENT CHARACTER}", text))


_KILO = 1024
_LONGEST_TITLE = 40


def counted(count: int, thing: str) -> str:
    """A number of things as text: “1 day”, “3 days”."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def listed(names: Sequence[str]) -> str:
    """Names as text: “Ann, Bob and Cy”; empty for none."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def size_in_words(size: int) -> str:
    """A number of bytes as text: “12 B”, “3 KB”, “1.5 MB”."""
    if size < _KILO:
        return f"{size} B"
    if size < _KILO * _KILO:
        return f"{size / _KILO:.0f} KB"
    return f"{size / _KILO / _KILO:.1f} MB"


def quoted(title: str) -> str:
    """A title in quotes, truncated; “(no title)” if it is empty."""
    title = title.strip()
    if not title:
        return "“(no title)”"
    if len(title) > _LONGEST_TITLE:
        title = title[: _LONGEST_TITLE - 1].rstrip() + "…"
    return f"“{title}”"
