"""What no text for people has: names of programs for things, and times as programs write them."""

import re

_RAW = re.compile(
    r"""
    \b[A-Za-z0-9]+_\w+              # due_at, on_due_date
    | \b\d{4}-\d\d-\d\d             # a day of ISO 8601
    | \bDefault[ ]Subtask[ ]Group\b
    | \bhas-data-changed\b
    | [{\[]["']                     # JSON
    | \b(?:None|True|False)\b
    | \b[A-Z]\w+\.[A-Z_]+\b         # Status.OPEN
    """,
    re.VERBOSE,
)


def raw_names(text: str) -> list[str]:
    """What of a text is not said in words; empty if all of it is."""
    return [match[0] for match in _RAW.finditer(text)]
