"""The preview of the card at the cursor, beside the columns of a board."""

from dataclasses import replace

import pytest

from tests.drivers.patience import patience
from tests.fakes.boards import small, task
from tests.fakes.store import FakeStore
from tests.pictures.tasks import OPENED, UNREAD, board, login_redirect
from tests.screens.driving import Driver, opened
from tui.config.preferences import Preferences
from tui.model.comment import Comment
from tui.model.detail import DetailPart, TaskDetail
from tui.screens.board.screen import BoardScreen
from tui.store.events import StatusChanged, SyncStatus

WIDE = (150, 45)


def pane(person: Driver) -> str:
    """What the preview shows, with one blank between words; empty if it is not shown."""
    preview = person.board.preview
    if not preview.display:
        return ""
    region = preview.region
    lines = person.text.splitlines()[region.y : region.bottom]
    return " ".join(" ".join(line[region.x :] for line in lines).split())


def known() -> FakeStore:
    """A store that has the details of the first card in memory."""
    store = FakeStore(board(), details=(login_redirect(),))
    store.unread = frozenset({UNREAD})
    return store


async def test_a_key_shows_the_card_at_the_cursor_and_hides_it_again() -> None:
    async with opened(known(), size=WIDE) as person:
        columns = [column.size.width for column in person.deck.columns]
        assert pane(person) == ""
        await person.press("\\")
        shown = pane(person)
        for words in (
            *(
                "Fix login redirect after SSO",
                "#412 Backlog 2d overdue ▲ high ■bug ■auth",
                "Ann Keller",
            ),
            *("the wanted address survives the round trip", "the report[1] and the notes"),
            *("Subtasks 1 of 4", "The round trip 1/3", "✓ Find where the address is lost"),
            *("● Jon Reyes replied 1h ago", "Then the signed state is the way."),
            "T to open the comments · 4 comments · 1 unread",
        ):
            assert words in shown
        assert "<" not in shown
        assert sum(column.size.width for column in person.deck.columns) < sum(columns)
        assert person.app.focused is person.deck
        await person.press("\\")
        assert pane(person) == ""
        assert [column.size.width for column in person.deck.columns] == columns


@pytest.mark.long
async def test_it_follows_the_cursor_and_loads_what_is_missing() -> None:
    store = known()
    async with opened(store, size=WIDE, rest_seconds=0.001) as person:
        await person.press("\\", "j")
        await until_asked(person, "open task 415 of 1")
        assert "Empty state for search" in pane(person)
        assert "loading comments …" in pane(person)
        card = store.views[1].task(415)
        assert card is not None
        said = Comment(81, 415, "It is empty indeed.", author=card.assignees[0])
        store.detail_news(TaskDetail(card, groups=(), comments=(said,), all_comments=True))
        await person.press()
        assert "Jon Reyes" in pane(person)
        assert "It is empty indeed." in pane(person)
        assert "loading" not in pane(person)


async def until_asked(person: Driver, what: str) -> None:
    """Wait until the store was asked for something."""
    store = person.app.context.store
    assert isinstance(store, FakeStore)
    async with patience(f"the store was asked: {what}", lambda: person.text):
        while what not in store.asked:
            await person.pilot.pause()
    await person.press()


async def test_a_card_is_loaded_once_unless_it_changes() -> None:
    store = known()
    store.details[415] = TaskDetail(task(415, "Empty"), groups=(), comments=())
    async with opened(store, size=WIDE, rest_seconds=0.001) as person:
        await person.press("\\")
        await until_asked(person, "open task 412 of 1")
        await person.press("j")
        await until_asked(person, "open task 415 of 1")
        before = list(store.asked)
        await person.press("k", "j", "k")
        while "Fix login" not in pane(person):
            await person.pilot.pause()
        assert store.asked == before
        card = store.views[1].task(OPENED)
        assert card is not None
        store.news(store.views[1].with_task(replace(card, comments_count=5)))
        while store.asked == before:
            await person.pilot.pause()
        assert store.asked[-1] == "open task 412 of 1"


async def test_nothing_is_marked_as_seen_by_a_preview() -> None:
    store = known()
    async with opened(store, size=WIDE, rest_seconds=0.001) as person:
        await person.press("\\")
        await until_asked(person, "open task 412 of 1")
        assert not any("seen" in each or "looked" in each for each in store.asked)


async def test_steps_are_faster_than_a_rest_and_load_nothing() -> None:
    store = known()
    async with opened(store, size=WIDE) as person:
        await person.press("\\")
        assert "Fix login" in pane(person)
        await person.press("j", "j", "j")
        assert "Fix login" in pane(person), "drawn at rest"
        assert not any(each.startswith("open task") for each in store.asked)


async def test_below_140_columns_the_key_says_why_and_the_pane_comes_back() -> None:
    preferences = Preferences()
    async with opened(known(), size=(120, 36), preferences=preferences) as person:
        await person.press("\\")
        assert "The preview needs 140 columns: this terminal has 120" in person.said
        assert pane(person) == ""
        await person.pilot.resize_terminal(140, 36)
        await person.press("\\")
        assert "Fix login" in pane(person)
        await person.pilot.resize_terminal(139, 36)
        await person.press("j")
        assert pane(person) == ""
        await person.press("k")
        await person.pilot.resize_terminal(160, 36)
        await person.press()
        assert "Fix login" in pane(person)


@pytest.mark.long
async def test_it_is_there_the_next_time_but_not_on_another_board() -> None:
    preferences = Preferences()
    async with opened(known(), size=WIDE, preferences=preferences) as person:
        await person.press("\\")
    async with opened(known(), size=WIDE, preferences=preferences) as person:
        assert "Fix login" in pane(person)
    other = replace(small(), board=replace(small().board, id=2))
    async with opened(FakeStore(other), board_id=2, size=WIDE, preferences=preferences) as person:
        assert pane(person) == ""


async def test_offline_it_says_what_is_not_known() -> None:
    store = FakeStore(board())
    async with opened(store, size=WIDE, rest_seconds=0.001) as person:
        await person.press("\\")
        assert "loading subtasks …" in pane(person)
        assert "loading comments …" in pane(person)
        store.now = SyncStatus(problem="The service cannot be reached.")
        store.notify(StatusChanged(1))
        await person.press()
        assert "loading" not in pane(person)
        assert "Subtasks 1 of 4 offline: subtasks not loaded" in pane(person)
        assert "offline: comments not loaded" in pane(person)
        assert "survives the round trip" in pane(person), "the board has descriptions"


async def test_what_a_service_does_not_offer_is_said() -> None:
    card = board().task(OPENED)
    assert card is not None
    why = {DetailPart.SUBTASKS: "This service offers no subtasks."}
    store = FakeStore(board(), details=(TaskDetail(card, comments=(), why=why),))
    async with opened(store, size=WIDE) as person:
        await person.press("\\")
        assert "This service offers no subtasks." in pane(person)


async def test_what_a_problem_left_out_is_loaded_when_the_cursor_comes_back() -> None:
    store = known()
    store.details[415] = TaskDetail(task(415, "Empty"), groups=(), comments=())
    async with opened(store, size=WIDE, rest_seconds=0.001) as person:
        await person.press("\\")
        await until_asked(person, "open task 412 of 1")
        store.now = SyncStatus(problem="The service cannot be reached.")
        store.notify(StatusChanged(1))
        store.now = SyncStatus()
        await person.press("j")
        await until_asked(person, "open task 415 of 1")
        store.asked.clear()
        await person.press("k")
        await until_asked(person, "open task 412 of 1")


async def test_what_is_not_offered_is_not_asked_for_again() -> None:
    why = {DetailPart.SUBTASKS: "This service offers no subtasks."}
    store = FakeStore(small(), details=(TaskDetail(task(11, "a"), comments=(), why=why),))
    async with opened(store, size=WIDE, rest_seconds=0.001) as person:
        await person.press("\\")
        await until_asked(person, "open task 11 of 1")
        await person.press("j")
        await until_asked(person, "open task 12 of 1")
        await person.press("k", "j", "k")
        assert store.asked.count("open task 11 of 1") == 1


async def test_without_a_card_it_says_so() -> None:
    async with opened(FakeStore(small()), size=WIDE, rest_seconds=0.001) as person:
        await person.press("\\", "3")
        while pane(person) != "No card here":
            await person.pilot.pause()
        await person.press("1", "z")
        while pane(person) != "The column is folded":
            await person.pilot.pause()


@pytest.mark.long
async def test_changes_of_the_card_are_drawn() -> None:
    store = FakeStore(small())
    async with opened(store, size=WIDE, rest_seconds=0.001) as person:
        await person.press("\\", "e", *"bc", "enter")
        while "abc #11" not in pane(person):
            await person.pilot.pause()
        await person.press("x")
        while "✓ abc #11" not in pane(person):
            await person.pilot.pause()


async def test_it_can_be_switched_while_a_card_is_carried() -> None:
    async with opened(FakeStore(small()), size=WIDE) as person:
        await person.press("space", "\\")
        assert "#11 To do" in pane(person)
        await person.press("l", "enter")
        assert person.titles(2) == ["a", "d", "e"]


async def test_a_long_description_leaves_room_for_the_comments() -> None:
    long = "".join(f"<p>line {number}</p>" for number in range(200))
    card = replace(login_redirect().task, description=long, title="long words " * 40)
    store = FakeStore(board().with_task(card), details=(replace(login_redirect(), task=card),))
    async with opened(store, size=(140, 24)) as person:
        await person.press("\\")
        shown = pane(person)
        assert "…" in shown
        assert "line 0" in shown
        assert "↓ more" in shown
        assert "Comments 4 Jon Reyes replied" in shown


async def test_coming_back_from_the_task_it_is_still_there() -> None:
    store = known()
    async with opened(store, size=WIDE) as person:
        await person.press("\\", "enter", "escape")
        assert isinstance(person.app.screen, BoardScreen)
        assert "Fix login" in pane(person)
        await person.press("\\")
        assert store.asked[-1] == "close task"
