"""Decides what to request about a board next; pure functions of its freshness.

A service either reports changes since a time stamp of its own (`BoardChanges.synced_at`), or lists
what changed within the last minute, or reports nothing. A full fetch is made only for what these
reports cannot cover, and never takes more than 1 % of the time or 2 MB a minute.
"""

from collections.abc import Sequence

from tui.client.documents import BoardChanges
from tui.store.cache.freshness import BoardFreshness, reload_pause
from tui.store.documents.shapes import Document, is_same

BRIEF_PAUSE = 45.0
"""The longest pause between two polls of a service that lists only the last minute."""
_LONGEST_GAP = 55.0
_LOOKS_BACK = 65.0
"""After so many seconds such a service no longer lists a change."""
_ROUTINE = 300.0
_ROUTINE_PAUSES = 10
"""How much rarer a full fetch is where a change is only possible rather than known."""
_DAY = 86_400.0


def is_to_be_fetched(known: BoardFreshness) -> bool:
    """Whether to fetch the board in full without asking for changes first."""
    is_unknown = not known.is_cached or known.fetched is None
    return is_unknown or (known.is_behind and known.may_reload) or _is_routine_due(known)


def _is_routine_due(known: BoardFreshness) -> bool:
    """Whether a full fetch is due only because reports may have missed something."""
    if known.fetched is None or (known.fetched >= _DAY and not known.is_complete):
        return True
    pause = max(_ROUTINE, _ROUTINE_PAUSES * reload_pause(known.size, known.seconds))
    return min(known.fetched, known.running) >= pause


def is_behind_after(known: BoardFreshness, changes: BoardChanges) -> bool:
    """Whether the board has, or may have, changes that this report does not list."""
    if known.is_behind or changes.must_reload:
        return True
    if changes.has_gone and not _is_deletion_known(known, changes):
        return True
    if changes.is_brief:
        return known.synced is None or known.synced > _LONGEST_GAP
    return not known.since


def is_behind_after_activity(known: BoardFreshness, newest: int, *, is_own: bool) -> bool:
    """The same decided by the id of the newest activity, where the service reports nothing else.

    `is_own` says that the user changed something.
    """
    return known.is_behind or (known.activity_id not in (0, newest) and not is_own)


def _is_deletion_known(known: BoardFreshness, changes: BoardChanges) -> bool:
    """Whether an unlisted deletion is the user's own, or older than the last full fetch.

    A service that reports the last minute reports a deletion for as long.
    """
    moments = (known.deleted, known.fetched if changes.is_brief else None)
    return any(moment is not None and moment < _LOOKS_BACK for moment in moments)


def is_frame_outdated(known: BoardFreshness, changes: BoardChanges, frame: Document) -> bool:
    """Whether to fetch a board without its tasks; `frame` is the cached one."""
    is_other = any(_differ(frame, name, listed) for name, listed in changes.parts.items())
    if is_other or changes.is_unexplained:
        return True
    was_fetched = known.frame_fetched is not None and known.frame_fetched < _LOOKS_BACK
    return changes.is_frame_outdated and not (changes.is_brief and was_fetched)


_TOLD_OF_BOARDS = ("title", "description", "archived_at")


def _differ(frame: Document, name: str, listed: Sequence[Document]) -> bool:
    """Whether stages, labels or the board itself differ from the cached ones."""
    if name == "board":
        told = ((one, field) for one in listed for field in _TOLD_OF_BOARDS if field in one)
        return any(one[field] != frame.get(field) for one, field in told)
    known = {one.get("id"): one for one in frame.get(name) or ()}
    return any(not is_same(known.get(one.get("id")), one) for one in listed)


def restores_stages(before: Document | None, now: Document) -> bool:
    """Whether an archived stage is back, whose tasks are not in the cache."""
    if before is None:
        return False
    old = {one["id"] for one in before.get("stages") or () if not one.get("archived_at")}
    newest = max((one["id"] for one in before.get("stages") or ()), default=0)
    active = (one["id"] for one in now.get("stages") or () if not one.get("archived_at"))
    return any(one not in old and one <= newest for one in active)
