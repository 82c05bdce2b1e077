"""Comments and replies, and the rows in which they are drawn.

A thread has one level: replies are below the comment it began with, oldest first. Comments are
ordered by id, because time stamps are too coarse. A folded reply that is unread is counted in the
row above it.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from heapq import nlargest

from tui.model.ids import CommentId, ImageId, TaskId
from tui.model.task import Person
from tui.record import record


@record
class CommentImage:
    """A picture in a comment; `size` is text from the service."""

    id: ImageId
    title: str
    content_type: str = ""
    size: str = ""
    url: str = ""


@record
class Comment:
    """A comment or, with a `parent_id`, a reply; local ids are negative.

    `text` is the raw text, with mentions as `@login`; `mentions` are ids. `author` is None if the
    service does not name one.
    """

    id: CommentId
    task_id: TaskId
    text: str
    parent_id: CommentId | None = None
    author: Person | None = None
    created_at: datetime | None = None
    edited: bool = False
    is_private: bool = True
    images: tuple[CommentImage, ...] = ()
    mentions: tuple[int, ...] = ()
    replies: tuple["Comment", ...] = ()

    @property
    def is_reply(self) -> bool:
        """Whether it is a reply."""
        return self.parent_id is not None


Thread = tuple[Comment, ...]
"""Comments, latest first, each with its replies, oldest first."""


def age(comment_id: int) -> tuple[bool, int]:
    """The sort key of comments: local ones are the newest."""
    return comment_id < 0, abs(comment_id)


def every(thread: Thread) -> Iterator[Comment]:
    """The comments, each followed by its replies."""
    for comment in thread:
        yield comment
        yield from comment.replies


def find(thread: Thread, comment_id: int) -> Comment | None:
    """The comment or reply with this id."""
    return next((comment for comment in every(thread) if comment.id == comment_id), None)


def threaded(comments: Iterable[Comment]) -> Thread:
    """Comments and replies in any order, combined as by `with_comment`.

    In one pass, for threads of thousands.
    """
    roots: dict[int, Comment] = {}
    replies: dict[int, dict[int, Comment]] = {}
    root_of: dict[int, int] = {}
    # Comments before replies, and replies by age, so that each finds what it replies to.
    for comment in sorted(comments, key=lambda comment: (comment.is_reply, age(comment.id))):
        if comment.parent_id is None:
            roots[comment.id] = comment
            root_of[comment.id] = comment.id
        elif (root := root_of.get(comment.parent_id)) is not None:
            root_of[comment.id] = root
            below = replies.setdefault(root, {})
            below[comment.id] = replace(comment, parent_id=root, replies=())
    return tuple(
        replace(comment, replies=tuple(replies[comment.id].values()))
        if comment.id in replies
        else comment
        for comment in sorted(roots.values(), key=lambda comment: age(comment.id), reverse=True)
    )


def with_comment(thread: Thread, comment: Comment) -> Thread:
    """The thread with a comment or reply added or replaced; it keeps its replies.

    A reply to a reply joins the thread of that reply; one to an unknown comment is left out.
    """
    if comment.parent_id is None:
        present = find(thread, comment.id)
        if present is not None and not comment.replies:
            comment = replace(comment, replies=present.replies)
        if present is not None:
            return tuple(comment if old.id == comment.id else old for old in thread)
        return tuple(sorted((*thread, comment), key=lambda comment: age(comment.id), reverse=True))
    return tuple(
        _with_reply(old, comment) if find((old,), comment.parent_id) else old for old in thread
    )


def without_comment(thread: Thread, comment_id: int) -> Thread:
    """The thread without a comment and its replies, or without a reply."""
    return tuple(
        replace(
            comment, replies=tuple(reply for reply in comment.replies if reply.id != comment_id)
        )
        for comment in thread
        if comment.id != comment_id
    )


def has_public(thread: Thread) -> bool:
    """Whether some of the comments are public."""
    return any(not comment.is_private for comment in every(thread))


def count(thread: Thread) -> int:
    """The number of comments and replies."""
    return sum(1 + len(comment.replies) for comment in thread)


def _with_reply(comment: Comment, reply: Comment) -> Comment:
    reply = replace(reply, parent_id=comment.id, replies=())
    siblings = [sibling for sibling in comment.replies if sibling.id != reply.id]
    replies = sorted((*siblings, reply), key=lambda sibling: age(sibling.id))
    return replace(comment, replies=tuple(replies))


class Order(StrEnum):
    """The order of comments."""

    LATEST = "latest first"
    OLDEST = "oldest first"

    @property
    def other(self) -> "Order":
        """The opposite order."""
        return Order.OLDEST if self is Order.LATEST else Order.LATEST


@record
class ThreadRow:
    """A comment or reply; `hidden` replies of it are folded, `hidden_unread` of them unread.

    `is_followed` marks a reply with another one below it.
    """

    comment: Comment
    is_unread: bool = False
    hidden: int = 0
    hidden_unread: int = 0
    is_followed: bool = False


Rows = tuple[ThreadRow, ...]
"""The rows from the top."""


def thread_rows(
    thread: Thread, order: Order, unfolded: Collection[int], unread: Collection[int]
) -> Rows:
    """The rows of a thread, with the replies of comments in `unfolded`."""
    rows: list[ThreadRow] = []
    for comment in thread if order is Order.LATEST else thread[::-1]:
        replies = comment.replies
        is_open = comment.id in unfolded
        hidden = 0 if is_open else len(replies)
        hidden_unread = sum(reply.id in unread for reply in replies) if hidden and unread else 0
        rows.append(ThreadRow(comment, comment.id in unread, hidden, hidden_unread))
        if is_open:
            rows += [
                ThreadRow(reply, reply.id in unread, is_followed=reply is not replies[-1])
                for reply in replies
            ]
    return tuple(rows)


def with_unread_replies(thread: Thread, unread: Collection[int]) -> frozenset[int]:
    """The ids of comments with unread replies."""
    if not unread:
        return frozenset()
    return frozenset(
        comment.id for comment in thread if any(reply.id in unread for reply in comment.replies)
    )


def next_unread(
    thread: Thread, order: Order, unread: Collection[int], after: int | None, by: int
) -> Comment | None:
    """The next (`by` 1) or previous (-1) unread comment or reply; None if there is none."""
    unfolded = {comment.id for comment in thread}
    every = [row.comment for row in thread_rows(thread, order, unfolded, ())]
    position = next((index for index, comment in enumerate(every) if comment.id == after), None)
    if position is None:
        position = -1 if by > 0 else len(every)
    onward = every[position + 1 :] if by > 0 else every[:position][::-1]
    return next((comment for comment in onward if comment.id in unread), None)


def row_of(rows: Sequence[ThreadRow], comment: Comment | None) -> int | None:
    """The row of a comment, or of the one it is folded into; None if neither is there."""
    if comment is None:
        return None
    places = {row.comment.id: index for index, row in enumerate(rows)}
    row = places.get(comment.id)
    return row if row is not None else places.get(comment.parent_id or 0)


def newest(thread: Thread, count: int) -> tuple[Comment, ...]:
    """The last `count` comments and replies, latest first."""
    return tuple(nlargest(count, every(thread), key=lambda comment: age(comment.id)))
