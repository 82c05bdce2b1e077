"""Several texts in one cell or mark: separated by `; `, where a backslash keeps a sign as it is."""

import re
from collections.abc import Iterable

_ESCAPED = re.compile(r"[\\;]")
_PART = re.compile(r"(?:[^\\;]|\\.|\\$)+", re.DOTALL)


def joined(texts: Iterable[str]) -> str:
    """Texts as one; `parts` reads it."""
    return "; ".join(_ESCAPED.sub(r"\\\g<0>", text) for text in texts)


def parts(text: str) -> list[str]:
    """The texts in one, without those that are empty."""
    found = (re.sub(r"\\(.)", r"\1", part[0], flags=re.DOTALL) for part in _PART.finditer(text))
    return [part for each in found if (part := each.strip())]
