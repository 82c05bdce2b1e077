"""What to ask a service about a board next, decided from what is known of the board.

A service tells what changed since a time of its own (`BoardNews.synced_at`), or it lists what was
touched in the last minute, or it tells nothing. Only what cannot be made up for by such news is
fetched whole, and never more often than costs 1 % of the time or 2 MB a minute.
"""

from collections.abc import Sequence

from tui.client.documents import BoardNews
from tui.store.cache.freshness import Known, reload_pause
from tui.store.documents.shapes import Document, is_same

BRIEF_PAUSE = 45.0
"""The longest pause between two questions to a service that lists the last minute."""
_LONGEST_GAP = 55.0
_LOOKS_BACK = 65.0
"""After so many seconds such a service tells of something no more."""
_ROUTINE = 300.0
_ROUTINE_PAUSES = 10
"""How much rarer a board is fetched that may have changed than one that is known to have."""
_DAY = 86_400.0


def is_to_be_fetched(known: Known) -> bool:
    """Whether to fetch the board with all its tasks without asking first what changed."""
    is_unknown = not known.is_cached or known.whole is None
    return is_unknown or (known.is_behind and known.may_reload) or _is_routine_due(known)


def _is_routine_due(known: Known) -> bool:
    """Whether to fetch the board only because something may have been left out or missed."""
    if known.whole is None or (known.whole >= _DAY and not known.is_complete):
        return True
    pause = max(_ROUTINE, _ROUTINE_PAUSES * reload_pause(known.size, known.seconds))
    return min(known.whole, known.running) >= pause


def is_behind_after(known: Known, news: BoardNews) -> bool:
    """Whether something changed, or may have, that these news do not list."""
    if known.is_behind or news.must_reload:
        return True
    if news.has_gone and not _is_deletion_known(known, news):
        return True
    if news.is_brief:
        return known.heard is None or known.heard > _LONGEST_GAP
    return not known.since


def is_behind_after_activity(known: Known, newest: int, *, is_own: bool) -> bool:
    """The same after the id of the newest activity, where the service tells nothing else.

    `is_own` says that the person changed something.
    """
    return known.is_behind or (known.activity_id not in (0, newest) and not is_own)


def _is_deletion_known(known: Known, news: BoardNews) -> bool:
    """Whether an untold deletion is the person's own, or older than what was fetched.

    A service that looks back a minute tells of a deletion for as long.
    """
    moments = (known.deleted, known.whole if news.is_brief else None)
    return any(moment is not None and moment < _LOOKS_BACK for moment in moments)


def is_frame_outdated(known: Known, news: BoardNews, frame: Document) -> bool:
    """Whether to fetch a board without its tasks; `frame` is the board as it is kept."""
    is_other = any(_differ(frame, name, listed) for name, listed in news.parts.items())
    if is_other or news.is_unexplained:
        return True
    was_fetched = known.framed is not None and known.framed < _LOOKS_BACK
    return news.is_frame_outdated and not (news.is_brief and was_fetched)


_TOLD_OF_BOARDS = ("title", "description", "archived_at")


def _differ(frame: Document, name: str, listed: Sequence[Document]) -> bool:
    """Whether stages, labels or the board itself are told otherwise than they are kept."""
    if name == "board":
        told = ((one, field) for one in listed for field in _TOLD_OF_BOARDS if field in one)
        return any(one[field] != frame.get(field) for one, field in told)
    known = {one.get("id"): one for one in frame.get(name) or ()}
    return any(not is_same(known.get(one.get("id")), one) for one in listed)


def restores_stages(before: Document | None, now: Document) -> bool:
    """Whether a board has a stage again that was archived, with tasks that are not known here."""
    if before is None:
        return False
    old = {one["id"] for one in before.get("stages") or () if not one.get("archived_at")}
    newest = max((one["id"] for one in before.get("stages") or ()), default=0)
    active = (one["id"] for one in now.get("stages") or () if not one.get("archived_at"))
    return any(one not in old and one <= newest for one in active)
