"""Parses lines of text as checklist items, with or without list signs and boxes."""

import re
from typing import NamedTuple

from tui.text import clean

_ITEM = re.compile(r"(?:[-*+•◦▪–]\s+|\d{1,6}[.)]\s+)?(?:\[([ xX]?)\](?:\s+|$)|([☐☑☒✓✔])\s*)?")
_DONE = frozenset("xX☑☒✓✔")


class ChecklistLine(NamedTuple):
    """A checklist item."""

    title: str
    is_done: bool


def checklist(text: str) -> list[ChecklistLine]:
    """The lines of a text or Markdown list as checklist items."""
    items: list[ChecklistLine] = []
    for raw in clean.text(text).splitlines():
        line = " ".join(raw.split())
        item = _ITEM.match(line)
        title = line[item.end() :] if item else line
        if title:
            items.append(ChecklistLine(title, bool(item and (item[1] or item[2]) in _DONE)))
    return items
