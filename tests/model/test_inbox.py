"""The inbox: nothing is found twice, what was read stays read, and its order."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.fakes.boards import ANN, JON, MIRA, task
from tui.model.blocked_by import Blocker
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.people import Account
from tui.model.relations import related
from tui.model.task import BLOCKED, Label, Status, Task
from tui.model.work.inbox import (
    KEPT,
    BoardFacts,
    Inbox,
    InboxEntry,
    InboxKind,
    OpenConflict,
    by_card,
    looked,
    with_conflicts,
    with_read,
    without_old,
)
from tui.model.work.inbox_tables import inbox_of, values_of
from tui.model.work.my_work import WrittenComment

ME = Account(ANN.login, ANN.id)
NOW = datetime(2026, 11, 26, 12)  # noqa: DTZ001 (wall-clock time)
AT = NOW.astimezone(UTC)
STOPPED = Label(9, BLOCKED)


def facts(*cards: Task, by: str = "", **named: Any) -> BoardFacts:
    """A board on which somebody changed every card, if that is told."""
    changes = {one.id: RemoteChange(one.id, ChangeKind.PEOPLE, "", by) for one in cards if by}
    return BoardFacts(1, "Website", cards, changes)._replace(**named)


def said(
    number: int | None, text: str, at: datetime = AT, *, is_mention: bool = True, mine: bool = False
) -> WrittenComment:
    return WrittenComment(ANN if mine else MIRA, text, not mine, is_mention, at, number)


def kinds(inbox: Inbox) -> list[str]:
    return sorted(entry.kind.value for entry in inbox.entries.values())


def look(inbox: Inbox, *boards: BoardFacts, now: datetime = NOW) -> Inbox:
    for board in boards:
        inbox = looked(inbox, board, ME, now)
    return inbox


def test_what_others_did_to_my_cards_is_found_from_the_second_look_on() -> None:
    first, second = task(1, "a"), task(2, "b", assignees=(ANN, JON))
    inbox = look(Inbox(), facts(first, by="Mira"))
    assert kinds(inbox) == [], "it is not known when that was"
    inbox = look(inbox, facts(first, second, by="Mira"))
    (entry,) = inbox.entries.values()
    assert (entry.kind, entry.words(NOW)) == (
        InboxKind.ASSIGNED,
        "Mira assigned you and Jon Reyes",
    )
    blocked = replace(first, labels=(STOPPED,))
    inbox = look(inbox, facts(blocked, second, by="Jon"))
    assert kinds(inbox) == ["assigned", "blocked"]
    inbox = look(inbox, facts(first, second, by="Jon"), now=NOW + timedelta(hours=1))
    assert kinds(inbox) == ["assigned", "blocked", "unblocked"]
    assert sorted(entry.kind.value for entry in inbox.unread) == ["assigned", "unblocked"]
    assert look(inbox, facts(first, second, by="Jon")) is inbox, "nothing is new"


def test_what_others_close_unblocks_the_cards_that_it_blocked() -> None:
    waiting, blocker = task(11, "a", assignees=(ANN,), blockers=(Blocker(12),)), task(12, "b")
    inbox = look(Inbox(), facts(waiting, relations=related([waiting, blocker])))
    done = related([waiting, replace(blocker, status=Status.CLOSED)])
    assert kinds(look(inbox, facts(waiting, relations=done))) == [], "the user closed it"
    changes = {12: RemoteChange(12, ChangeKind.CLOSED, "", "Mira")}
    inbox = look(inbox, facts(waiting, relations=done)._replace(changes=changes))
    (entry,) = inbox.entries.values()
    assert (entry.kind, entry.task_id, entry.words(NOW)) == (InboxKind.UNBLOCKED, 11, "by Mira")


def test_my_own_changes_are_none() -> None:
    inbox = look(Inbox(), facts(), facts(task(1, "a")), facts(task(1, "a", labels=(STOPPED,))))
    assert kinds(inbox) == []
    assert inbox.known == {1: {1: True}}


def test_dates_come_and_pass() -> None:
    card = task(1, "a", due_at=NOW.replace(hour=17))
    inbox = look(Inbox(), facts(card))
    (entry,) = inbox.entries.values()
    assert (entry.kind, entry.words(NOW)) == (InboxKind.DUE, "today at 17:00")
    inbox = look(inbox, facts(card), now=NOW + timedelta(days=2))
    (entry,) = inbox.entries.values()
    assert entry.kind is InboxKind.OVERDUE
    assert entry.words(NOW + timedelta(days=2)).startswith("since Thu 26 Nov")
    assert kinds(look(inbox, facts())) == [], "closed"
    later = replace(card, due_at=NOW + timedelta(days=9))
    assert kinds(look(inbox, facts(later))) == []


def test_comments_to_me_are_found_once_also_from_the_log() -> None:
    logged = facts(comments={5: [said(None, "@ann look")]})
    inbox = look(Inbox(), logged, logged)
    assert kinds(inbox) == ["mention"]
    inbox = with_read(inbox, dict.fromkeys(inbox.entries, AT))
    both = facts(comments={5: [said(7, "@ann look", AT + timedelta(seconds=20))]})
    inbox = look(inbox, both, logged, both)
    (entry,) = inbox.entries.values()
    assert (entry.comment_id, entry.is_unread) == (7, False)
    reply = said(8, "so", is_mention=False)
    inbox = look(inbox, facts(comments={5: [said(7, "@ann look"), reply]}))
    assert [entry.kind for entry in inbox.unread] == [InboxKind.REPLY]
    answered = facts(comments={5: [said(7, "@ann look"), reply, said(9, "yes", mine=True)]})
    assert look(inbox, answered).unread == []


def test_old_comments_are_read_ones_at_the_first_look_and_seen_ones_always() -> None:
    old = [said(1, "a", AT - timedelta(days=8)), said(2, "b"), said(3, "c", AT - 2 * KEPT)]
    inbox = look(Inbox(), facts(comments={5: old}))
    assert {entry.comment_id: entry.is_unread for entry in inbox.entries.values()} == {
        1: False,
        2: True,
    }
    assert look(inbox, facts(seen=[2])).unread == []


def test_conflicts_are_there_until_they_are_resolved() -> None:
    conflict = OpenConflict(3, 1, 12, AT, "Fix login", "Set title")
    inbox = with_conflicts(Inbox(), [conflict])
    assert [entry.words(NOW) for entry in inbox.unread] == ["Set title"]
    assert with_conflicts(inbox, [conflict]) is inbox
    assert with_conflicts(inbox, []).entries == {}


def test_read_ones_are_kept_for_thirty_days_and_come_back_never() -> None:
    comments = facts(comments={5: [said(1, "a"), said(2, "b")]})
    inbox = with_read(look(Inbox(), comments), {"comment-1": AT})
    soon, late = NOW + KEPT - timedelta(hours=1), NOW + KEPT + timedelta(hours=1)
    assert without_old(inbox, [1], soon) is inbox
    kept = without_old(inbox, [1], late)
    assert [*kept.entries] == ["comment-2"]
    assert look(kept, comments, now=late) == kept or [*look(kept, comments, now=late).entries] == [
        "comment-2"
    ]
    assert without_old(inbox, [2], NOW).entries == {}, "its board is gone"


def test_a_date_that_still_holds_is_kept_however_long_ago_it_was_read() -> None:
    card = task(1, "a", due_at=NOW - 3 * KEPT)
    inbox = look(Inbox(), facts(card))
    inbox = with_read(inbox, dict.fromkeys(inbox.entries, AT - 2 * KEPT))
    assert look(without_old(inbox, [1], NOW), facts(card)).unread == []


TIMES = st.integers(0, 10_000).map(lambda minutes: AT - timedelta(minutes=minutes))
ENTRIES = st.builds(
    InboxEntry,
    st.text(min_size=1, max_size=3),
    st.sampled_from([kind for kind in InboxKind if kind not in (InboxKind.DUE, InboxKind.OVERDUE)]),
    st.integers(1, 2),
    st.integers(1, 3),
    TIMES,
    text=st.text(),
    comment_id=st.none() | st.integers(1),
    read_at=st.none() | TIMES,
)
INBOXES = st.lists(ENTRIES, max_size=12).map(
    lambda entries: Inbox({one.key: one for one in entries})
)


@given(INBOXES)
def test_every_entry_is_listed_once_unread_and_newest_first(inbox: Inbox) -> None:
    groups = by_card(inbox.entries.values())
    listed = [entry for group in groups for entry in group.entries]
    assert sorted(one.key for one in listed) == sorted(inbox.entries)
    assert [one.is_unread for one in listed] == sorted(one.is_unread for one in listed)[::-1]
    for is_unread in (True, False):
        newest = [group.entries[0].at for group in groups if group.is_unread is is_unread]
        assert newest == sorted(newest, reverse=True)
    for group in groups:
        own = [entry.at for entry in group.entries]
        assert own == sorted(own, reverse=True)
        assert {(one.board_id, one.task_id, one.is_unread) for one in group.entries} == {
            (group.board_id, group.task_id, group.is_unread)
        }
    assert len({(one.is_unread, one.board_id, one.task_id) for one in groups}) == len(groups)


CARDS = st.lists(
    st.builds(
        task,
        st.integers(1, 4),
        st.just("a"),
        labels=st.sampled_from([(), (STOPPED,)]),
        due_at=st.none() | st.integers(-50, 50).map(lambda hours: NOW + timedelta(hours=hours)),
    ),
    unique_by=lambda one: one.id,
)
COMMENTS_ON = st.lists(
    st.builds(
        said,
        st.none() | st.integers(1, 5),
        st.sampled_from(["x", "y"]),
        TIMES,
        is_mention=st.booleans(),
        mine=st.booleans(),
    ),
    max_size=4,
)
BOARDS = st.builds(
    lambda cards, by, comments: facts(*cards, by=by, comments={5: comments}),
    CARDS,
    st.sampled_from(["", "Mira"]),
    COMMENTS_ON,
)


@given(st.lists(BOARDS, max_size=5), st.data())
def test_a_second_look_and_a_restart_change_nothing(
    boards: list[BoardFacts], data: st.DataObject
) -> None:
    inbox = look(Inbox(), *boards)
    for board in boards[-1:]:
        assert look(inbox, board).entries.keys() == inbox.entries.keys()
    read = data.draw(st.sets(st.sampled_from([*inbox.entries]))) if inbox.entries else set()
    inbox = with_read(inbox, dict.fromkeys(read, AT))
    again = inbox_of(values_of(inbox))
    assert again == inbox
    unread = {entry.key for entry in look(again, *boards[-1:]).unread}
    assert not unread & read, "what was read stays read"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    ["key", "kind", "board", "card", "at", "read_at", "entries", "known", "1"]
                )
                | st.text(max_size=3),
                inner,
            )
        ),
    )
)
def test_a_damaged_file_is_an_inbox(value: object) -> None:
    for values in ({"entries": value, "known": value}, {"entries": [value], "known": {"1": value}}):
        inbox = inbox_of(values)
        assert inbox_of(values_of(inbox)) == inbox


@pytest.mark.parametrize("kind", InboxKind)
def test_every_kind_is_said_in_words(kind: InboxKind) -> None:
    text = NOW.isoformat() if kind in (InboxKind.DUE, InboxKind.OVERDUE) else "some text"
    words = InboxEntry("a", kind, 1, 2, AT, text=text).words(NOW)
    assert words
    assert "None" not in words
