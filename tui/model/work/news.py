"""What is new: the differences between two views of a board, and what of them the user is told of.

News are of cards assigned to the user by others, comments that mention the user or answer theirs,
and cards of theirs that are due soon. Every text is terminal-safe.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from tui.model.board import BoardView
from tui.model.comment import Thread, newest
from tui.model.events.remote_changes import ChangeKind
from tui.model.people import Account
from tui.model.task import Label, Person, Status, Task
from tui.model.work.my_work import is_mentioned, unanswered
from tui.text.cells import cut
from tui.text.clean import line, quoted
from tui.text.dates import in_words

SOON = timedelta(hours=1)
_LONGEST = 200
_SEPARATOR = " · "


class Reason(StrEnum):
    """Why the user is told of a card."""

    ASSIGNED = "assigned"
    MENTIONED = "mentioned"
    REPLIED = "replied"
    DUE = "due"


_SENTENCES = {
    Reason.ASSIGNED: "{card}: {who} assigned you",
    Reason.MENTIONED: "{card}: {who} mentioned you: {text}",
    Reason.REPLIED: "{card}: {who} replied to you: {text}",
    Reason.DUE: "{card} is due at {text}",
}
"""They begin with the card, so that no name or text of others is taken for an option."""


@dataclass(frozen=True, slots=True)
class News:
    """A card that the user is told of; `text` is that of a comment, or the time of a due date.

    Two with the same `key` are about the same event, also in several programs.
    """

    reason: Reason
    task: Task
    board: str
    key: str
    who: str = ""
    text: str = ""

    @property
    def words(self) -> str:
        """The sentence: “#12 “Fix login”: Ann mentioned you: Can you look?”."""
        card = f"#{self.task.id} {quoted(self.task.title)}"
        who = self.who or "Someone"
        return _SENTENCES[self.reason].format(who=who, card=card, text=self.text)


def summary(news: Sequence[News]) -> str:
    """Some news in one line of limited length: “3 news: …”; of a single one its sentence."""
    text = _SEPARATOR.join(entry.words for entry in news)
    return cut(line(text if len(news) == 1 else f"{len(news)} updates: {text}"), _LONGEST)


@dataclass(frozen=True, slots=True)
class CardDifference:
    """A card that differs from before, with what differs, the most important first."""

    task: Task
    previous: Task | None
    kinds: tuple[ChangeKind, ...]

    @property
    def new_comments(self) -> int:
        """How many more comments it has."""
        return self.task.comments_count - (self.previous.comments_count if self.previous else 0)

    def is_assigned_now(self, me: Account) -> bool:
        """Whether it was not the account's card before, and is now."""
        return is_of(self.task, me) and not (self.previous and is_of(self.previous, me))


def is_of(task: Task, me: Account) -> bool:
    """Whether a card is assigned to an account."""
    return any(map(me.is_of, task.assignees))


def differences(previous: BoardView, current: BoardView) -> Iterator[CardDifference]:
    """The cards that differ between two views, without those that are not sent yet.

    Positions do not count.
    """
    old, new = _unshared(previous, current), _unshared(current, previous)
    for task_id, task in new.items():
        if kinds := _kinds(old.get(task_id), task):
            yield CardDifference(task, old.get(task_id), kinds)
    for task_id, task in old.items():
        if task_id not in new:
            yield CardDifference(task, task, (ChangeKind.GONE,))


def _unshared(view: BoardView, other: BoardView) -> dict[int, Task]:
    # A changed lane shares its unchanged chunks with the previous one: those need no comparison.
    shared = {id(chunk) for stage in other.stages for chunk in other.in_stage(stage.id).chunks}
    return {
        task.id: task
        for stage in view.stages
        for chunk in view.in_stage(stage.id).chunks
        if id(chunk) not in shared
        for task in chunk.tasks
        if not task.is_local
    }


def _kinds(previous: Task | None, current: Task) -> tuple[ChangeKind, ...]:
    if previous is None:
        return (ChangeKind.NEW,)
    if previous == current:
        return ()
    is_moved, is_closed = previous.stage_id != current.stage_id, current.status is Status.CLOSED
    has_status = previous.status is not current.status and not is_moved  # a stage may set it
    differ = {
        ChangeKind.MOVED: is_moved,
        ChangeKind.CLOSED if is_closed else ChangeKind.REOPENED: has_status,
        ChangeKind.RENAMED: previous.title != current.title,
        ChangeKind.PEOPLE: _ids(previous.assignees) != _ids(current.assignees),
        ChangeKind.DUE: previous.due_at != current.due_at,
        ChangeKind.PRIORITY: previous.priority is not current.priority,
        ChangeKind.DESCRIBED: previous.description != current.description,
        ChangeKind.LABELS: _ids(previous.labels) != _ids(current.labels),
        ChangeKind.COMMENTED: previous.comments_count < current.comments_count,
        ChangeKind.SUBTASKS: (previous.subtasks_done, previous.subtasks_total)
        != (current.subtasks_done, current.subtasks_total),
        ChangeKind.FILES: previous.attachments_count != current.attachments_count,
    }
    return tuple(kind for kind, is_different in differ.items() if is_different)


def _ids(things: Iterable[Person] | Iterable[Label]) -> frozenset[int]:
    return frozenset(thing.id for thing in things)


def addressed(
    difference: CardDifference, thread: Thread, since: datetime, view: BoardView, me: Account
) -> Iterator[News]:
    """The news of a card with new comments, given its latest ones.

    Comments older than `since` are none: a page of comments may lack new replies to old ones.
    """
    new = {
        comment.id: comment
        for comment in newest(thread, difference.new_comments)
        if comment.created_at is None or comment.created_at >= since
    }
    for waiting in unanswered(thread, (), me, view.people):
        comment = new.get(waiting.comment_id or 0)
        if comment is not None:
            is_mention = is_mentioned(comment, me, view.people)
            reason = Reason.MENTIONED if is_mention else Reason.REPLIED
            key = f"{reason}-{comment.id}"
            text = line(waiting.text)
            yield News(reason, difference.task, view.board.title, key, line(waiting.by), text)


def assigned(task: Task, view: BoardView, who: str) -> News:
    """The news that somebody assigned the user to a card."""
    minute = f"{task.updated_at:%Y-%m-%dT%H:%M}" if task.updated_at else ""
    key = f"{Reason.ASSIGNED}-{task.id}-{minute}"
    return News(Reason.ASSIGNED, task, view.board.title, key, who)


def due_soon(view: BoardView, me: Account, now: datetime) -> Iterator[News]:
    """The news of the user's cards that are due within an hour of the wall-clock time `now`."""
    for stage in view.stages:
        for chunk in view.in_stage(stage.id).chunks:
            # Nothing in the chunk becomes due in that time, so its tasks can stay packed.
            if chunk.tally.late(now) == chunk.tally.late(now + SOON):
                continue
            for task in chunk.tasks:
                is_soon = task.due_at is not None and now <= task.due_at < now + SOON
                if task.due_at and is_soon and task.is_open and is_of(task, me):
                    key = f"{Reason.DUE}-{task.id}-{task.due_at:%Y-%m-%dT%H:%M}"
                    time = f"{task.due_at:%H:%M}"
                    yield News(Reason.DUE, task, view.board.title, key, text=time)


def detail_of(difference: CardDifference, kind: ChangeKind, view: BoardView) -> str:
    """What the sentence about a change names: the title, the stage, the date or the priority."""
    task = difference.task
    if kind in (ChangeKind.NEW, ChangeKind.GONE, ChangeKind.RENAMED):
        return quoted(task.title)
    if kind is ChangeKind.MOVED:
        stage = view.stage(task.stage_id)
        return "another stage" if stage is None else quoted(stage.title)
    if kind is ChangeKind.DUE:
        return "" if task.due_at is None else in_words(task.due_at, has_clock=False)
    return task.priority.value if kind is ChangeKind.PRIORITY else ""
