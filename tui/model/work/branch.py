"""Names of git branches for cards, and the cards that such names mean."""

import re
from collections.abc import Collection, Sequence

from tui.model.task import Task
from tui.text.fuzzy import fold

_LONGEST_SLUG = 40
_SLUG, _ID = "{slug}", "{id}"
# Compiled by `re` when first used.
_PLACES = r"(\{id\}|\{slug\})"
_WORDS = r"[-_.]?\{slug\}[-_.]?"
_SEPARATORS = r"[^a-z0-9]+"
_DIGITS = r"[0-9]{1,18}"


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
    for variant in (pattern, re.sub(_WORDS, "", pattern)):
        parts = [part for part in re.split(_PLACES, variant) if part]
        if number := _number_in(branch, parts):
            return number
    return 0


def _number_in(branch: str, parts: Sequence[str]) -> int:
    # For each part the places where it may begin, so that the others fit behind it. A regular
    # expression would try each length of a {slug} with each length of the others.
    places: list[Collection[int]] = [{len(branch)}]
    for part in reversed(parts):
        ends = places[-1]
        if part == _SLUG:
            places.append(range(max(ends, default=-1) + 1))
        elif part == _ID:
            fitting, starts = {*ends}, range(len(branch))
            places.append({at for at in starts if fitting.intersection(_ends_of_id(branch, at))})
        else:
            places.append({end - len(part) for end in ends if branch.endswith(part, 0, end)})
    places.reverse()
    begins = [at for at in places[0] if at == 0 or branch[at - 1] == "/"]
    if not begins:
        return 0
    at = max(begins)
    for part, ends in zip(parts, places[1:], strict=True):
        if part == _ID:
            return int(branch[at : max({*ends}.intersection(_ends_of_id(branch, at)))])
        at = max(ends) if part == _SLUG else at + len(part)
    return 0


def _ends_of_id(branch: str, at: int) -> Sequence[int]:
    digits = re.compile(_DIGITS).match(branch, at)
    return range(at + 1, digits.end() + 1) if digits else ()
