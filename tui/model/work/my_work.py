"""The user's open cards of all boards, in sections by urgency, and the comments that wait for them.

A card is in the first section that fits. One on which a comment waits for the user's answer is
there whether or not it is assigned to the user: a mention of the user, or a reply below a comment
of theirs. Any later comment of the user on the same card answers them. Comments that are not cached
are known from the history of the board, if its log tells their text; then replies are not told from
others.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from tui.model.board import BoardView, StageKind
from tui.model.comment import Comment, Thread, age, every
from tui.model.comment_text import named_in
from tui.model.events.history import Event
from tui.model.people import Account
from tui.model.stage_kinds import kinds_of
from tui.model.task import Person, Task
from tui.model.urgency import is_overdue, urgency
from tui.record import record

_NEXT_DAYS = timedelta(days=3)


class Unanswered(NamedTuple):
    """A comment that waits for an answer; the id is None if it is known from the history alone."""

    by: str
    text: str
    comment_id: int | None = None


class WorkSection(StrEnum):
    """The sections, in order; the values are their headings."""

    OVERDUE = "Overdue"
    TODAY = "Today"
    NEXT_DAYS = "Next three days"
    WAITING = "Waiting for your answer"
    ACTIVE = "In active stages"
    REST = "Other cards"


_DUE = (WorkSection.OVERDUE, WorkSection.TODAY, WorkSection.NEXT_DAYS)
_ORDER = {section: place for place, section in enumerate(WorkSection)}


@record
class Work:
    """A card in its section; `waiting` are the comments that wait for an answer, oldest first."""

    section: WorkSection
    task: Task
    board: str
    stage: str
    waiting: tuple[Unanswered, ...] = ()


def my_work(
    views: Iterable[BoardView],
    me: Account,
    now: datetime,
    waiting: Mapping[int, tuple[Unanswered, ...]],
) -> list[Work]:
    """The cards of complete boards at the wall-clock time `now`; `waiting` is by task."""
    is_me = cache(me.is_of)
    cards = [work for view in views for work in _on_board(view, is_me, now, waiting)]
    return sorted(cards, key=lambda work: (_ORDER[work.section], urgency(work.task, now)))


def _on_board(
    view: BoardView,
    is_me: Callable[[Person], bool],
    now: datetime,
    waiting: Mapping[int, tuple[Unanswered, ...]],
) -> Iterable[Work]:
    kinds = kinds_of(view.stages)
    for stage in view.stages:
        for task in view.in_stage(stage.id):
            if not task.is_open:
                continue
            comments = waiting.get(task.id, ())
            is_mine = any(map(is_me, task.assignees))
            if is_mine or comments:
                section = _section(task, now, is_active=kinds[stage.id] is StageKind.ACTIVE)
                if comments and not (is_mine and section in _DUE):
                    section = WorkSection.WAITING
                yield Work(section, task, view.board.title, stage.title, comments)


def _section(task: Task, now: datetime, *, is_active: bool) -> WorkSection:
    """The section of a card on which no comment waits."""
    if is_overdue(task, now):
        return WorkSection.OVERDUE
    if task.due_at is not None and task.due_at.date() == now.date():
        return WorkSection.TODAY
    if task.due_at is not None and task.due_at.date() <= now.date() + _NEXT_DAYS:
        return WorkSection.NEXT_DAYS
    return WorkSection.ACTIVE if is_active else WorkSection.REST


class WrittenComment(NamedTuple):
    """A comment on a card; the id is None if it is known from the history alone."""

    by: Person | None
    text: str
    is_to_me: bool
    is_mention: bool
    at: datetime | None
    comment_id: int | None = None


def unanswered(
    thread: Thread, events: Iterable[Event], me: Account, people: Iterable[Person]
) -> tuple[Unanswered, ...]:
    """The comments on a card that wait for the user, oldest first.

    `events` are the logged ones of comments on that card, `people` the members of the board.
    """
    waiting: list[Unanswered] = []
    for comment in written(thread, events, me, people):
        if me.is_of(comment.by):
            waiting.clear()
        elif comment.is_to_me:
            name = comment.by.in_words if comment.by else "Someone"
            waiting.append(Unanswered(name, " ".join(comment.text.split()), comment.comment_id))
    return tuple(waiting)


def written(
    thread: Thread, events: Iterable[Event], me: Account, people: Iterable[Person]
) -> tuple[WrittenComment, ...]:
    """The comments on a card, oldest first; the arguments are those of `unanswered`."""
    people = tuple(people)
    return (*_cached(thread, me, people), *_logged(thread, events, me, people))


def _cached(thread: Thread, me: Account, people: tuple[Person, ...]) -> Iterator[WrittenComment]:
    roots = {comment.id: comment for comment in thread}
    for comment in sorted(every(thread), key=lambda comment: age(comment.id)):
        above = roots.get(comment.parent_id or 0)
        is_reply = above is not None and _is_below_mine(comment, above, me)
        is_mention, at = is_mentioned(comment, me, people), comment.created_at
        is_to_me = is_reply or is_mention
        yield WrittenComment(comment.author, comment.text, is_to_me, is_mention, at, comment.id)


def is_mentioned(comment: Comment, me: Account, people: Iterable[Person]) -> bool:
    """Whether a comment mentions the user; `people` are the members of the board."""
    return _mentions(comment.text, me, people) or me.user_id in comment.mentions


def _is_below_mine(reply: Comment, above: Comment, me: Account) -> bool:
    """Whether the user wrote the comment above a reply, or an earlier reply to it."""
    earlier = (comment for comment in above.replies if age(comment.id) < age(reply.id))
    return any(me.is_of(comment.author) for comment in (above, *earlier))


def _logged(
    thread: Thread, events: Iterable[Event], me: Account, people: tuple[Person, ...]
) -> Iterator[WrittenComment]:
    """The comments that were written after those of the thread."""
    times = (comment.created_at for comment in every(thread))
    newest = max(filter(None, times), default=None)
    for event in events:
        is_new = newest is None or event.at > newest
        if is_new:
            is_mention = _mentions(event.new, me, people)
            yield WrittenComment(event.by, event.new, is_mention, is_mention, event.at)


def _mentions(text: str, me: Account, people: Iterable[Person]) -> bool:
    return "@" in text and any(map(me.is_of, named_in(text, people)))
