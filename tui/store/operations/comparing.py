"""Telling what became of a change by what the service has now.

The rule it keeps: ours is done, the one it was made on is not, and a third value was set by
somebody else. What was made is known by being newer than everything known before; only exactly
one that looks like ours can be it.
"""

from collections.abc import Callable, Iterable

from tui.model.ids import Kind
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    AlreadySo,
    Clear,
    Difference,
    Differs,
    Finding,
    News,
    Reply,
    Verdict,
)
from tui.text.clean import line


def same_words(one: object, other: object) -> bool:
    """Whether two texts read alike: services fold white space and drop what is invisible."""
    return _words(one) == _words(other)


def _words(value: object) -> list[str]:
    return line("" if value is None else str(value)).split()


def verdict(
    field: str, *, mine: str, theirs: str, base: str | None, reply: Reply | None = None
) -> Verdict:
    """Compare a text three ways; without a known base nobody was faster."""
    if same_words(theirs, mine):
        return AlreadySo(reply or Reply())
    if base is None or same_words(theirs, base):
        return Clear()
    return Differs((Difference(field, line(mine), line(theirs), line(base)),))


def settled(now: Document | None, news: News, *, is_ours: bool, was_known: bool) -> Finding:
    """What a value read back means; `was_known` says that it is still the one known before."""
    if now is None:
        return Finding(done=False)
    return Finding(True if is_ours else False if was_known else None, Reply(news=(news,)))


def found_new(
    kind: Kind,
    present: Iterable[Document],
    looks_like_ours: Callable[[Document], bool],
    newest_id: int,
    *,
    task_id: int | None = None,
) -> Finding:
    """Whether something that was made is among what is there now.

    None that is newer and looks like ours is not done; two or more cannot be told apart.
    """
    twins = [one for one in present if int(one["id"]) > newest_id and looks_like_ours(one)]
    if len(twins) != 1:
        return Finding(done=None if twins else False)
    made = int(twins[0]["id"])
    return Finding(True, Reply(made, (News(kind, made, twins[0], task_id),)))


def first_new(present: Iterable[tuple[int, str]], title: str, newest_id: int) -> int | None:
    """The first thing of this title, by ids and titles, that is newer than what was known."""
    return min(
        (one for one, other in present if one > newest_id and same_words(other, title)),
        default=None,
    )


def gone(kind: Kind, thing_id: int, task_id: int | None = None) -> Reply:
    """The reply that says that something is there no more."""
    return Reply(news=(News(kind, thing_id, None, task_id),))


def made(kind: Kind, document: Document, task_id: int | None = None, *more: News) -> Reply:
    """The reply that says what was made."""
    new = int(document["id"])
    return Reply(new, (News(kind, new, document, task_id), *more))


def said(kind: Kind, document: Document, task_id: int | None = None) -> Reply:
    """The reply that says what something is like now."""
    return Reply(news=(News(kind, int(document["id"]), document, task_id),))
