"""Descriptions of changes, in the past tense."""

import re

_IRREGULAR = {
    "Bring": "brought", "Label": "labelled", "Make": "made", "Reply": "replied",
    "Set": "set", "Stop": "stopped",
}  # fmt: skip


def in_the_past(description: str) -> str:
    """The description of a change in the past tense: “moved …” for “Move …”."""
    verb = "".join(re.findall(r"^\w+", description))
    regular = f"{verb.lower()}{'d' if verb.endswith('e') else 'ed'}"
    return f"{_IRREGULAR.get(verb, regular)}{description.removeprefix(verb)}"
