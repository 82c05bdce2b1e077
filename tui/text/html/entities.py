"""Character references of HTML, read as the characters that they stand for."""

import html
import re

_BEYOND_UNICODE = re.compile(r"&#[xX]?[0-9a-fA-F]{9,};?")


def unescaped(text: str) -> str:
    """Text with its references replaced; those to no character become the replacement character.

    `html.unescape` raises `ValueError` for a number of more than 4,300 digits.
    """
    if "&" not in text:
        return text
    return html.unescape(_BEYOND_UNICODE.sub("\N{REPLACEMENT CHARACTER}", text))
