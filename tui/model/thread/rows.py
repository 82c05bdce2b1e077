"""A thread as rows: which comments, in which order, and what is folded.

A folded reply that is unread is counted in the row above it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from heapq import nlargest

from tui.model.comment import Comment, Thread, age


class Order(StrEnum):
    """Which comments stand first."""

    LATEST = "latest first"
    OLDEST = "oldest first"

    @property
    def other(self) -> "Order":
        """The order one changes to."""
        return Order.OLDEST if self is Order.LATEST else Order.LATEST


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A comment or reply; `hidden` of its replies are folded, of these `hidden_unread` unread.

    `is_followed` tells a reply with another one below it.
    """

    comment: Comment
    is_unread: bool = False
    hidden: int = 0
    hidden_unread: int = 0
    is_followed: bool = False


Rows = tuple[ThreadRow, ...]
"""What is drawn, from the top."""


def thread_rows(
    thread: Thread, order: Order, unfolded: Collection[int], unread: Collection[int]
) -> Rows:
    """The rows of a thread; the replies only of those comments whose ids are `unfolded`."""
    rows: list[ThreadRow] = []
    for comment in _ordered(thread, order):
        replies = comment.replies
        is_open = comment.id in unfolded
        hidden = 0 if is_open else len(replies)
        hidden_unread = sum(one.id in unread for one in replies) if hidden and unread else 0
        rows.append(ThreadRow(comment, comment.id in unread, hidden, hidden_unread))
        if is_open:
            rows += [
                ThreadRow(reply, reply.id in unread, is_followed=reply is not replies[-1])
                for reply in replies
            ]
    return tuple(rows)


def with_unread_replies(thread: Thread, unread: Collection[int]) -> frozenset[int]:
    """The ids of the comments that have replies among the `unread` ones."""
    if not unread:
        return frozenset()
    return frozenset(
        comment.id for comment in thread if any(reply.id in unread for reply in comment.replies)
    )


def next_unread(
    thread: Thread, order: Order, unread: Collection[int], after: int | None, by: int
) -> Comment | None:
    """The next (`by` 1) or previous (-1) unread comment or reply seen from one; None if none is."""
    every = [row.comment for row in thread_rows(thread, order, _every_id(thread), ())]
    here = next((index for index, one in enumerate(every) if one.id == after), None)
    if here is None:
        here = -1 if by > 0 else len(every)
    onward = every[here + 1 :] if by > 0 else every[:here][::-1]
    return next((comment for comment in onward if comment.id in unread), None)


def row_of(rows: Sequence[ThreadRow], comment: Comment | None) -> int | None:
    """The row of a comment, or of the one it is folded into; None if neither is there."""
    if comment is None:
        return None
    places = {row.comment.id: index for index, row in enumerate(rows)}
    found = places.get(comment.id)
    return found if found is not None else places.get(comment.parent_id or 0)


def newest(thread: Thread, count: int) -> tuple[Comment, ...]:
    """The last `count` comments and replies, latest first."""
    every = (one for comment in thread for one in (comment, *comment.replies))
    return tuple(nlargest(count, every, key=lambda comment: age(comment.id)))


def _ordered(thread: Thread, order: Order) -> Sequence[Comment]:
    return thread if order is Order.LATEST else thread[::-1]


def _every_id(thread: Thread) -> frozenset[int]:
    return frozenset(comment.id for comment in thread)
