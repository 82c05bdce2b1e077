"""Blocked cards: a label marks them, and a comment gives the reason."""

from collections.abc import Iterable

from tui.model.task import Label

BLOCKED = "Blocked"
_BEFORE_REASON = f"{BLOCKED}: "


def blocked_labels(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Those that say that a card is blocked: titled so, in any case; a board may have several."""
    return tuple(one for one in labels if one.title.strip().casefold() == BLOCKED.casefold())


def as_comment(reason: str) -> str:
    """The comment that gives a reason."""
    return f"{_BEFORE_REASON}{reason}"


def reason_in(comment: str) -> str:
    """The reason that a comment gives, its first line; empty if it gives none."""
    before, mark, reason = comment.partition(_BEFORE_REASON)
    return reason.partition("\n")[0].strip() if mark and not before else ""
