"""Text made alike for comparing: no case, no accents.

The rule it keeps: whoever types `muller` finds Müller. The result is for comparing only, never
for showing, and may be longer or shorter than the text.
"""

import re
import unicodedata

_MARKS = re.compile("[\u0300-\u036f]+")


def fold(text: str) -> str:
    """The text without case and accents, for comparing."""
    if text.isascii():
        return text.lower()
    return _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold())).casefold()
