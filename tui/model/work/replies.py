"""Comments that wait for the user's answer: mentions of the user, and replies below their own.

Any later comment of the user on the same card answers them. Comments that are not cached are known
from the history of the board, if its log tells their text; then replies are not told from others.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tui.model.comment import Comment, Thread, age, every
from tui.model.comment_text import named_in
from tui.model.history import Event
from tui.model.people import Account
from tui.model.task import Person


class Unanswered(NamedTuple):
    """A comment that waits for an answer; the id is None if it is known from the history alone."""

    by: str
    text: str
    comment_id: int | None = None


class _Written(NamedTuple):
    by: Person | None
    text: str
    is_to_me: bool
    comment_id: int | None = None


def unanswered(
    thread: Thread, events: Iterable[Event], me: Account, people: Iterable[Person]
) -> tuple[Unanswered, ...]:
    """The comments on a card that wait for the user, oldest first.

    `events` are the logged ones of comments on that card, `people` the members of the board.
    """
    waiting: list[Unanswered] = []
    people = tuple(people)
    for one in (*_cached(thread, me, people), *_logged(thread, events, me, people)):
        if me.is_of(one.by):
            waiting.clear()
        elif one.is_to_me:
            name = one.by.in_words if one.by else "Somebody"
            waiting.append(Unanswered(name, " ".join(one.text.split()), one.comment_id))
    return tuple(waiting)


def _cached(thread: Thread, me: Account, people: tuple[Person, ...]) -> Iterator[_Written]:
    begun = {comment.id: comment for comment in thread}
    for one in sorted(every(thread), key=lambda comment: age(comment.id)):
        above = begun.get(one.parent_id or 0)
        is_reply = above is not None and _is_below_mine(one, above, me)
        is_to_me = is_reply or is_mentioned(one, me, people)
        yield _Written(one.author, one.text, is_to_me, one.id)


def is_mentioned(comment: Comment, me: Account, people: Iterable[Person]) -> bool:
    """Whether a comment mentions the user; `people` are the members of the board."""
    return _mentions(comment.text, me, people) or me.user_id in comment.mentions


def _is_below_mine(reply: Comment, above: Comment, me: Account) -> bool:
    """Whether the user wrote the comment above a reply, or an earlier reply to it."""
    earlier = (one for one in above.replies if age(one.id) < age(reply.id))
    return any(me.is_of(one.author) for one in (above, *earlier))


def _logged(
    thread: Thread, events: Iterable[Event], me: Account, people: tuple[Person, ...]
) -> Iterator[_Written]:
    """The comments that were written after those of the thread."""
    times = (one.created_at for one in every(thread))
    newest = max(filter(None, times), default=None)
    for event in events:
        is_new = newest is None or event.at > newest
        if is_new:
            yield _Written(event.by, event.new, _mentions(event.new, me, people))


def _mentions(text: str, me: Account, people: Iterable[Person]) -> bool:
    return "@" in text and any(map(me.is_of, named_in(text, people)))
