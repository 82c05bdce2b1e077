"""Slugs: the short names that the service derives from titles."""

import re

_GAP = re.compile(r"[\W_]+")
_LONGEST = 100


def slug(title: str) -> str:
    """A title in lower case with hyphens between its words; empty if it has none."""
    return _GAP.sub("-", title.casefold()).strip("-")[:_LONGEST].rstrip("-")
