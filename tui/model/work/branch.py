"""Names of git branches for cards, and the cards that such names mean."""

import re

from tui.model.task import Task
from tui.text.fuzzy import fold

_LONGEST_SLUG = 40
_SLUG, _ID = "{slug}", "{id}"
# Compiled by `re` when first used.
_PLACES = r"(\{id\}|\{slug\})"
_WORDS = r"[-_.]?\{slug\}[-_.]?"
_SEPARATORS = r"[^a-z0-9]+"


def branch_of(task: Task, pattern: str) -> str:
    """The name of a branch for a card: `12-fix-login-redirect` of the pattern `{id}-{slug}`."""
    slug = re.sub(_SEPARATORS, "-", fold(task.title)).strip("-")
    if len(slug) > _LONGEST_SLUG:
        slug = slug[: _LONGEST_SLUG + 1].rpartition("-")[0] or slug[:_LONGEST_SLUG]
    return pattern.replace(_ID, str(task.id)).replace(_SLUG, slug).strip("-/._")


def card_of(branch: str, pattern: str) -> int:
    """The number of the card that a branch is named after; 0 if it is not named so.

    The words may be others, or be missing, and there may be folders before the name.
    """
    for each in (pattern, re.sub(_WORDS, "", pattern)):
        parts = {_ID: r"([0-9]{1,18})", _SLUG: r".*"}
        form = "".join(parts.get(part, re.escape(part)) for part in re.split(_PLACES, each))
        if match := re.fullmatch(f"(?:.*/)?{form}", branch):
            return int(match[1])
    return 0
