"""The inbox: what is listed, what its keys do, and that it asks the service for nothing."""

from dataclasses import replace
from datetime import UTC, timedelta

import pytest
from textual.geometry import Size

from tests.fakes.boards import ANN, JON, MIRA, NOW, relaunch
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.model.board import BoardView
from tui.model.comment import Comment
from tui.model.detail import TaskDetail
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.people import Account
from tui.model.task import BLOCKED, Label, Task
from tui.notifications.inbox_reader import InboxKeeper, look
from tui.screens.lists.inbox import InboxScreen
from tui.screens.task.screen import TaskScreen
from tui.screens.thread.screen import ThreadScreen
from tui.store.operations import CreateComment, Edit

AT = NOW.astimezone(UTC)


def card(view: BoardView, number: int) -> Task:
    found = view.task(number)
    assert found is not None
    return found


def with_comments(view: BoardView) -> FakeStore:
    """The board, with a mention and a reply on a card of Mira and one of nobody."""
    asked = Comment(7, 398, "@ann can you look at the limits?", author=MIRA)
    asked = replace(asked, created_at=AT - timedelta(minutes=12))
    mine = Comment(5, 398, "Which header?", author=ANN, created_at=AT - timedelta(days=1))
    answer = Comment(6, 398, "429 with Retry-After", 5, author=JON)
    answer = replace(answer, created_at=AT - timedelta(minutes=40))
    thread = (asked, replace(mine, replies=(answer,)))
    store = FakeStore(view, details=[TaskDetail(card(view, 398), comments=thread)])
    store.me, store.unread = Account(ANN.login, ANN.id), frozenset({6, 7})
    return store


def listed(person: Driver) -> list[str]:
    """The entries by kind and card, with those that are read in brackets."""
    screen = person.app.screen
    assert isinstance(screen, InboxScreen)
    texts = (f"{row.kind} #{row.task_id}" for row in screen.row_list.rows)
    return [
        text if row.is_unread else f"({text})"
        for row, text in zip(screen.row_list.rows, texts, strict=True)
    ]


ALL = ["mention #398", "reply #398", "due #398", "overdue #412"]


@pytest.mark.long
async def test_it_lists_what_concerns_the_user_by_card_at_every_width() -> None:
    store = with_comments(relaunch())
    async with opened(store, size=(120, 36)) as person:
        await person.press("g", "o")
        assert listed(person) == ALL
        lines = [" ".join(line.strip(" ─").split()) for line in person.text.splitlines()]
        assert lines[0].startswith("Inbox Ann Keller ● 4 unread 1 mention 1 overdue")
        assert lines[1:4] == [
            "Unread 4",
            "#398 Rate-limit the public API Website relaunch › Doing",
            "▌ ● mention Mira Novak: “@ann can you look at the limits?” 12m",
        ]
        for width, words in ((80, "Website relaunch"), (55, "mention"), (40, '" ')):
            await person.pilot.resize_terminal(width, 24)
            await person.press()
            assert words in person.text
            assert "12m" in person.text
        assert person.app.size == Size(40, 24)


async def test_what_is_read_stays_read_and_can_be_undone() -> None:
    store = with_comments(relaunch())
    async with opened(store, size=(120, 36)) as person:
        await person.press("g", "o", "space")
        assert listed(person) == [*ALL[1:], f"({ALL[0]})"]
        assert "Marked 1 notification as read" in person.said
        await person.press("u")
        assert listed(person) == ALL
        assert "Undone: marked 1 notification as read" in person.said
        await person.press("v", "v", "space", "A")
        assert listed(person) == [f"({text})" for text in ALL]
        assert "Marked 2 notifications as read" in person.said
        await person.press("A")
        assert "Everything is read" in person.said
        await person.press("escape", "g", "o")
        assert listed(person) == [f"({text})" for text in ALL]
        await person.press("space")
        assert listed(person) == [ALL[0], *(f"({text})" for text in ALL[1:])]


async def test_a_card_that_a_comment_names_is_opened_by_o_and_by_a_click() -> None:
    store = with_comments(relaunch())
    asked = Comment(7, 398, "@ann as in #412?", author=MIRA, created_at=AT)
    store.details[398] = replace(store.details[398], comments=(asked,))
    async with opened(store, size=(120, 36)) as person:
        await person.press("g", "o", "o")
        assert "Fix login redirect" in "".join(person.text.splitlines()[:4])
        await person.press("escape")
        assert "(mention #398)" in listed(person)
        await person.press("g", "g", "o")
        assert "No link here" in person.said
        await person.click("#412?")
        assert "Fix login redirect" in "".join(person.text.splitlines()[:4])


async def test_it_opens_the_comment_or_the_card() -> None:
    store = with_comments(relaunch())
    async with opened(store, size=(120, 36)) as person:
        await person.press("g", "o", "enter")
        thread = person.app.screen
        assert isinstance(thread, ThreadScreen)
        assert "can you look at the limits?" in person.text
        await person.press("escape")
        assert listed(person) == [ALL[2], ALL[3], f"({ALL[0]})", f"({ALL[1]})"]
        await person.press("g", "g", "enter")
        assert isinstance(person.app.screen, TaskScreen)


async def test_it_is_filtered_searched_and_empty() -> None:
    store = with_comments(relaunch())
    async with opened(store, size=(120, 36)) as person:
        await person.press("g", "o", "f", "d")
        assert listed(person) == ALL[2:]
        await person.press("escape", "f", "c")
        assert "Nothing about “conflicts”" in person.text
        await person.press("escape", "slash")
        await person.type("retry-after")
        await person.press("enter")
        assert listed(person) == ["reply #398"]
        await person.press("A", "escape")
        assert listed(person) == [ALL[0], *ALL[2:], f"({ALL[1]})"]
    async with opened(FakeStore(relaunch()), size=(80, 24)) as person:
        await person.press("g", "o", "space", "r", "w", "A", "enter")
        assert "No new notifications" in person.text


async def test_a_reply_is_written_and_watching_stopped_from_the_list() -> None:
    store = with_comments(relaunch())
    async with opened(store, size=(120, 36)) as person:
        await person.press("g", "o", "r")
        await person.type("On it")
        await person.press("ctrl+s")
        created = store.submitted[-1]
        assert isinstance(created, CreateComment)
        assert (created.task_id, created.text) == (398, "On it")
        await person.press("w")
        watched = store.submitted[-1]
        assert isinstance(watched, Edit)
        assert (watched.field, watched.value) == ("watching", ("false",))
        await person.press("g", "g", "j", "r")
        assert "This is no comment" in person.said


async def test_the_program_keeps_it_and_asks_for_nothing() -> None:
    view = relaunch()
    store = with_comments(view)
    async with opened(store, size=(120, 36)) as person:
        context = person.app.context
        asked = [*store.asked]
        await look(store, context.inbox, NOW)
        changed: list[int] = []
        keeper = InboxKeeper(store, context.inbox, lambda: NOW, changed=lambda: changed.append(1))
        blocked = replace(card(view, 412), labels=(Label(9, BLOCKED),))
        lane = tuple(blocked if one.id == 412 else one for one in view.in_stage(1))
        store.others_did(RemoteChange(412, ChangeKind.LABELS, "", "Jon"))
        store.news(replace(view, tasks={**view.tasks, 1: lane}))
        keeper.hear_all()
        await keeper.look()
        await person.press("g", "o")
        assert "blocked #412" in listed(person)
        assert "by Jon" in person.text
        assert changed == [1]
        assert store.asked == asked
