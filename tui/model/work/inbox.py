"""The inbox: updates of the user's cards by others, and comments to the user; pure functions.

Each look at a board compares what is known of it with the last look, so that nothing is found
twice. Entries that were read are kept for a while, so that they are not found as new ones either.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from itertools import chain, groupby
from types import MappingProxyType
from typing import NamedTuple

from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.people import Account
from tui.model.relations import NO_RELATIONS, Relations
from tui.model.task import Task
from tui.model.work.my_work import WrittenComment
from tui.model.work.news import News, Reason
from tui.record import record
from tui.text.clean import line, listed
from tui.text.dates import in_words

KEPT = timedelta(days=30)
"""How long entries are kept after they were read."""
_OLD = timedelta(days=7)
"""Comments that were written earlier are read ones when a board is looked at for the first time."""
_SAME = timedelta(minutes=2)
"""The log of a board and a comment itself may tell times of its writing that differ by this."""
_LONGEST = 300
_MOST = 1_000
"""The most entries that are kept."""


class InboxKind(StrEnum):
    """The kinds of entries, as the list has them."""

    MENTION = "mention"
    REPLY = "reply"
    ASSIGNED = "assigned"
    BLOCKED = "blocked"
    UNBLOCKED = "unblocked"
    DUE = "due"
    OVERDUE = "overdue"
    CONFLICT = "conflict"


COMMENTS = (InboxKind.MENTION, InboxKind.REPLY)
_BLOCKING = (InboxKind.BLOCKED, InboxKind.UNBLOCKED)
_OF_REASON = {Reason.MENTIONED: InboxKind.MENTION, Reason.REPLIED: InboxKind.REPLY}
_ASSIGNING = (ChangeKind.NEW, ChangeKind.PEOPLE, ChangeKind.LABELS)
"""The changes of which one may have made a card the user's; a card's mark has only one kind."""
_PASSING = (InboxKind.DUE, InboxKind.OVERDUE)
"""What no longer holds once the date is another one, or the card is closed."""


@record
class InboxEntry:
    """Something that concerns the user; two with the same `key` are about the same event.

    `at` is aware and in UTC, as `read_at`, which is None for an unread one. The `text` is that of a
    comment or a conflict; of a date the date itself in ISO 8601.
    """

    key: str
    kind: InboxKind
    board_id: int
    task_id: int
    at: datetime
    title: str = ""
    who: str = ""
    text: str = ""
    comment_id: int | None = None
    read_at: datetime | None = None

    @property
    def is_unread(self) -> bool:
        """Whether the user has not read it."""
        return self.read_at is None

    def words(self, now: datetime) -> str:
        """What it says, at the wall-clock time `now`."""
        who = self.who or "someone"
        if self.kind in COMMENTS:
            return f"{who}: “{self.text}”"
        if self.kind in _PASSING:
            due = datetime.fromisoformat(self.text)
            if self.kind is InboxKind.OVERDUE:
                return f"since {in_words(due, has_clock=due.date() == now.date())}"
            return f"today at {due:%H:%M}" if due.date() == now.date() else in_words(due)
        if self.kind is InboxKind.ASSIGNED:
            return f"{who} assigned {self.text or 'you'}"
        return f"by {who}" if self.kind is not InboxKind.CONFLICT else self.text


@record
class Inbox:
    """The entries by key, and what the last look at each board found.

    `known` has the user's open cards by board, each with whether it was blocked.
    """

    entries: Mapping[str, InboxEntry] = field(default_factory=dict)
    known: Mapping[int, Mapping[int, bool]] = field(default_factory=dict)

    @property
    def unread(self) -> list[InboxEntry]:
        """The entries that are not read."""
        return [entry for entry in self.entries.values() if entry.is_unread]


class BoardFacts(NamedTuple):
    """What is known of a board, without asking for anything.

    `cards` are the user's open ones, `changes` those by others that the user has not seen.
    `comments` are by task, oldest first, of the tasks on which some are to the user: `others` are
    those of these that are no cards of the user. `seen` are the ids of comments that were read.
    """

    board_id: int
    board: str
    cards: Sequence[Task]
    changes: Mapping[int, RemoteChange]
    comments: Mapping[int, Sequence[WrittenComment]] = MappingProxyType({})
    others: Sequence[Task] = ()
    stages: Mapping[int, str] = MappingProxyType({})
    seen: Collection[int] = ()
    relations: Relations = NO_RELATIONS


class OpenConflict(NamedTuple):
    """A change of the user that conflicts with one of somebody else, by its id, in words."""

    id: int
    board_id: int
    task_id: int
    since: datetime
    title: str
    words: str


def looked(inbox: Inbox, facts: BoardFacts, me: Account, now: datetime) -> Inbox:
    """The inbox after a look at a board at the wall-clock time `now`."""
    entries, known = dict(inbox.entries), inbox.known.get(facts.board_id)
    for entry in (*_changes(facts, known, me, now), *_dates(facts, now)):
        if entry.kind in _BLOCKING:
            _take_as_read(entries, entry)
        entries.setdefault(entry.key, entry)
    valid = {entry.key for entry in _dates(facts, now)}
    for key, entry in inbox.entries.items():
        is_passed = entry.kind in _PASSING and entry.board_id == facts.board_id
        if is_passed and entry.is_unread and key not in valid:
            del entries[key]
    titles = {task.id: task.title for task in chain(facts.cards, facts.others)}
    for task_id, comments in facts.comments.items():
        for entry in _said(facts, task_id, comments, me, now, is_first=known is None):
            _add_comment(entries, replace(entry, title=titles.get(task_id, "")))
    for comment_id in facts.seen:
        known_one = entries.get(f"comment-{comment_id}")
        if known_one is not None and known_one.is_unread:
            entries[known_one.key] = replace(known_one, read_at=now.astimezone(UTC))
    found = {task.id: facts.relations.is_blocked(task) for task in facts.cards}
    changed = Inbox(entries, {**inbox.known, facts.board_id: found})
    return inbox if _is_same(changed, inbox) else changed


def _take_as_read(entries: dict[str, InboxEntry], latest: InboxEntry) -> None:
    # Of a card that was blocked and unblocked since, only the latest is news.
    for key, entry in entries.items():
        if entry.kind in _BLOCKING and entry.task_id == latest.task_id and entry.is_unread:
            entries[key] = replace(entry, read_at=latest.at)


def _is_same(inbox: Inbox, other: Inbox) -> bool:
    return inbox.entries == other.entries and inbox.known == other.known


def _changes(
    facts: BoardFacts, known: Mapping[int, bool] | None, me: Account, now: datetime
) -> Iterator[InboxEntry]:
    # Updates by others; before the first look nothing is known to compare with.
    at = now.astimezone(UTC)
    for task in facts.cards if known is not None else ():
        # A card is unblocked by a change of what blocked it, too.
        ids = (task.id, *(blocker.id for blocker in task.blockers))
        change = next((facts.changes[task_id] for task_id in ids if task_id in facts.changes), None)
        if known is None or change is None or task.is_local:
            continue
        kind, text = None, ""
        is_blocked = facts.relations.is_blocked(task)
        if task.id not in known and change.kind in _ASSIGNING:
            kind = InboxKind.ASSIGNED
            others = [person.in_words for person in task.assignees if not me.is_of(person)]
            text = listed(["you", *others])
        elif known.get(task.id, is_blocked) is not is_blocked:
            kind = InboxKind.BLOCKED if is_blocked else InboxKind.UNBLOCKED
        if kind is not None:
            key = f"{kind}-{task.id}-{at:%Y-%m-%dT%H:%M:%S}"
            who = line(change.who)
            yield InboxEntry(key, kind, facts.board_id, task.id, at, task.title, who, text)


def _dates(facts: BoardFacts, now: datetime) -> Iterator[InboxEntry]:
    for task in facts.cards:
        due = task.due_at
        if due is None or task.is_local or due.date() > now.date():
            continue
        kind = InboxKind.OVERDUE if due < now else InboxKind.DUE
        begins = due if due < now else datetime.combine(due.date(), time())
        stamp = due.isoformat()
        key, at = f"{kind}-{task.id}-{stamp}", begins.astimezone(UTC)
        yield InboxEntry(key, kind, facts.board_id, task.id, at, task.title, text=stamp)


def _said(
    facts: BoardFacts,
    task_id: int,
    comments: Sequence[WrittenComment],
    me: Account,
    now: datetime,
    *,
    is_first: bool,
) -> Iterator[InboxEntry]:
    # The comments on a card that are to the user; who has answered has read what was before.
    at = now.astimezone(UTC)
    own = [place for place, comment in enumerate(comments) if me.is_of(comment.by)]
    for place, comment in enumerate(comments):
        written_at = comment.at or at
        if not comment.is_to_me or me.is_of(comment.by) or written_at < at - KEPT:
            continue
        is_read = bool(own) and place < own[-1]
        is_read |= is_first and written_at < at - _OLD
        yield InboxEntry(
            f"comment-{comment.comment_id}"
            if comment.comment_id is not None
            else f"said-{task_id}-{written_at:%Y-%m-%dT%H:%M:%S}",
            InboxKind.MENTION if comment.is_mention else InboxKind.REPLY,
            facts.board_id,
            task_id,
            written_at,
            who=line(comment.by.in_words) if comment.by is not None else "",
            text=line(" ".join(comment.text.split()))[:_LONGEST],
            comment_id=comment.comment_id,
            read_at=at if is_read else None,
        )


def _add_comment(entries: dict[str, InboxEntry], entry: InboxEntry) -> None:
    known = entries.get(entry.key) or _as_logged(entries, entry)
    if known is None:
        entries[entry.key] = entry
    elif known.key == entry.key or entry.comment_id is not None:
        # The comment itself takes the place of what the log told of it.
        del entries[known.key]
        title, read_at = entry.title or known.title, known.read_at or entry.read_at
        at = known.at if known.key == entry.key else entry.at
        entries[entry.key] = replace(entry, title=title, read_at=read_at, at=at)


def _as_logged(entries: Mapping[str, InboxEntry], entry: InboxEntry) -> InboxEntry | None:
    # The same comment as the log of the board tells it, or the other way round.
    return next(
        (
            known
            for known in entries.values()
            if known.task_id == entry.task_id
            and known.kind in COMMENTS
            and known.text == entry.text
            and (known.comment_id is None or entry.comment_id is None)
            and abs(known.at - entry.at) <= _SAME
        ),
        None,
    )


def with_news(inbox: Inbox, news: Iterable[News], now: datetime) -> Inbox:
    """The inbox with the comments that the user is notified of, which no cache may have."""
    entries, at = dict(inbox.entries), now.astimezone(UTC)
    for item in news:
        kind = _OF_REASON.get(item.reason)
        number = item.key.rpartition("-")[2]
        key = f"comment-{number}"
        if kind is not None and number.isdecimal() and key not in entries:
            task, text = item.task, item.text[:_LONGEST]
            entries[key] = InboxEntry(
                key, kind, task.board_id, task.id, at, task.title, item.who, text, int(number)
            )
    return inbox if len(entries) == len(inbox.entries) else replace(inbox, entries=entries)


def is_read(inbox: Inbox, news: News) -> bool:
    """Whether the user has read in the inbox what some news is about."""
    if news.reason is Reason.DUE and news.task.due_at is not None:
        keys = [f"{InboxKind.DUE}-{news.task.id}-{news.task.due_at.isoformat()}"]
    else:
        keys = [f"comment-{news.key.rpartition('-')[2]}"] if news.reason in _OF_REASON else []
    return any(key in inbox.entries and not inbox.entries[key].is_unread for key in keys)


def with_conflicts(inbox: Inbox, conflicts: Iterable[OpenConflict]) -> Inbox:
    """The inbox with these conflicts and no others: one that is resolved needs nobody."""
    entries = {
        key: entry for key, entry in inbox.entries.items() if entry.kind is not InboxKind.CONFLICT
    }
    for conflict in conflicts:
        key = f"{InboxKind.CONFLICT}-{conflict.id}"
        entries[key] = inbox.entries.get(key) or InboxEntry(
            key,
            InboxKind.CONFLICT,
            conflict.board_id,
            conflict.task_id,
            conflict.since.astimezone(UTC),
            conflict.title,
            text=line(conflict.words)[:_LONGEST],
        )
    return inbox if entries == inbox.entries else replace(inbox, entries=entries)


def with_read(inbox: Inbox, times: Mapping[str, datetime | None]) -> Inbox:
    """The inbox with entries read at aware times, by their keys; unread without a time."""
    changed = {
        key: replace(inbox.entries[key], read_at=read_at)
        for key, read_at in times.items()
        if key in inbox.entries
    }
    return replace(inbox, entries={**inbox.entries, **changed})


def without_old(inbox: Inbox, board_ids: Collection[int], now: datetime) -> Inbox:
    """The inbox without what was read long ago, and without boards that are not there any more."""
    at = now.astimezone(UTC)

    def is_kept(entry: InboxEntry) -> bool:
        if entry.board_id not in board_ids:
            return False
        if entry.read_at is None:
            return True
        # A date that still holds would be found again.
        holds = entry.kind in _PASSING and entry.task_id in inbox.known.get(entry.board_id, {})
        return holds or max(entry.at, entry.read_at) >= at - KEPT

    kept = [entry for entry in inbox.entries.values() if is_kept(entry)]
    kept.sort(key=lambda entry: (entry.is_unread, entry.at), reverse=True)
    entries = {entry.key: entry for entry in kept[:_MOST]}
    known = {board: cards for board, cards in inbox.known.items() if board in board_ids}
    changed = Inbox(entries, known)
    return inbox if _is_same(changed, inbox) else changed


class CardEntries(NamedTuple):
    """The entries of a card that are all unread, or all read, newest first."""

    is_unread: bool
    board_id: int
    task_id: int
    entries: Sequence[InboxEntry]

    @property
    def title(self) -> str:
        """The title of the card when the newest entry was found."""
        return next((entry.title for entry in self.entries if entry.title), "")


def by_card(entries: Iterable[InboxEntry]) -> list[CardEntries]:
    """The entries grouped by card: the unread ones first, and the newest card first."""

    def place(entry: InboxEntry) -> tuple[bool, int, int]:
        return entry.is_unread, entry.board_id, entry.task_id

    ordered = sorted(entries, key=lambda entry: (place(entry), entry.at, entry.key), reverse=True)
    groups = [CardEntries(*own, list(within)) for own, within in groupby(ordered, place)]
    groups.sort(key=lambda group: (group.is_unread, group.entries[0].at), reverse=True)
    return groups
