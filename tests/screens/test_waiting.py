"""The changes that wait: listed, sent again, decided, forgotten."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.boards import NOW, small, task
from tests.fake_store import FakeStore
from tests.screens.driving import Driver, opened, screen_text
from tui.errors import CallboardError
from tui.screens.board.screen import BoardScreen
from tui.screens.pending.rows import SHOWN, folded, since
from tui.screens.pending.screen import PendingScreen
from tui.store.events import (
    PendingChange,
    PendingState,
    StatusChanged,
    SyncStatus,
    UndoNeedsConfirmation,
)
from tui.store.operations import CreateTask, set_description, set_title
from tui.store.operations.base import Difference
from tui.text.cells import width

EVIL = "\x1b[31mevil[/b] [red]"


def said(person: Driver) -> str:
    """The status line of the list."""
    assert isinstance(person.app.screen, PendingScreen)
    return person.app.screen.status.words


def change(
    number: int, state: PendingState, *, reason: str = "", new: str = "new", board_id: int = 1
) -> PendingChange:
    """A change of a title that waits since an hour."""
    differences = (Difference("title", f"mine {new}", f"theirs {EVIL}", "base"),)
    return PendingChange(
        number,
        board_id,
        set_title(small().in_stage(1)[0], new),
        state,
        NOW.astimezone(UTC) - timedelta(hours=1),
        reason=reason,
        differences=differences if state is PendingState.CONFLICT else (),
    )


def refused() -> FakeStore:
    """A store with one refused change."""
    store = FakeStore(small())
    store.refuse(set_title(small().in_stage(1)[0], "new"), "the title is too long")
    return store


def every_kind() -> FakeStore:
    """A store with a change of each kind; numbers in the order they were made."""
    store = FakeStore(small())
    store.kept = [change(n, state, new=f"n{n}") for n, state in enumerate(PendingState, 1)]
    return store


def conflict(draft: str | None = "mine\ntheirs") -> FakeStore:
    """A store with a conflict."""
    store = FakeStore(small())
    store.kept = [change(7, PendingState.CONFLICT)]
    if draft is not None:
        store.drafts[7] = draft
    return store


async def test_what_may_be_lost_is_named_until_it_is_acknowledged() -> None:
    store = FakeStore(small())
    store.lost = ("Unsent changes: the file was damaged. Lost, or sent before: Add “Beta”",)
    async with opened(store) as person:
        await person.press("g", "u")
        assert "may be lost: look at the boards" in person.text
        assert "Lost, or sent before: Add “Beta”" in person.text
        assert "1 needs you" in person.text
        await person.press("a")
        assert "Acknowledged" in said(person)
        assert "may be lost" not in person.text
        assert "Everything has reached the service" in person.text
        await person.press("a")
        assert said(person).strip() == "Nothing was lost"


async def test_a_refused_change_is_listed_with_its_reason() -> None:
    async with opened(refused()) as person:
        await person.press("g", "u")
        assert "refused · 1" in person.text
        assert "the title is too long · since 09:00" in person.text
        await person.press("escape")
        assert isinstance(person.app.screen, BoardScreen)


async def test_in_read_only_mode_nothing_is_being_sent_or_decided() -> None:
    store = every_kind()
    store.is_read_only = True
    async with opened(store) as person:
        await person.press("g", "u")
        assert "2 kept" in person.text.splitlines()[0]
        assert "kept until it is opened without read-only mode · 2" in person.text
        assert "nothing to do" not in person.text
        for key in ("enter", "r", "R", "D"):
            await person.press(key)
            assert "Read-only mode" in person.text.splitlines()[-2], key
            await person.press("j")
        assert len(person.app.screen_stack) == 2
        assert not [one for one in store.asked if one.startswith(("retry", "discard", "resolve"))]


async def test_what_needs_the_person_comes_first() -> None:
    async with opened(every_kind()) as person:
        await person.press("g", "u")
        text = person.text
        order = [text.index(f"“n{number}”") for number in (4, 3, 5, 2, 1)]
        assert order == sorted(order)
        assert "3 need you  2 being sent" in text
        assert "since 08:00, 1 h" in text


async def test_the_cursor_stays_on_its_change_when_the_list_changes() -> None:
    store = every_kind()
    async with opened(store) as person:
        await person.press("g", "u", "j", "j")
        screen = person.app.screen
        assert isinstance(screen, PendingScreen)
        assert screen.current is not None
        assert screen.current.id == 5
        store.kept = [one for one in store.kept if one.id != 4]
        store.notify(StatusChanged(1))
        await person.press()
        assert screen.current.id == 5
        store.kept = []
        store.notify(StatusChanged(1))
        await person.press("r")
        assert "nothing to send again" in said(person)
        assert "Everything has reached the service" in person.text


async def test_changes_of_several_boards_name_them_and_many_are_counted() -> None:
    store = FakeStore(small())
    store.kept = [change(n, PendingState.WAITING, board_id=1) for n in range(1, SHOWN + 3)]
    async with opened(store, size=(100, 300)) as person:
        await person.press("g", "u")
        assert "… and 2 more" in person.text
        assert "on “Small”" not in person.text
    store.kept.append(change(999, PendingState.REFUSED, board_id=2))
    async with opened(store, size=(100, 24)) as person:
        await person.press("g", "u", "j")
        assert "on “Small”" in person.text


async def test_it_can_be_sent_again() -> None:
    store = refused()
    async with opened(store) as person:
        await person.press("g", "u", "j", "k", "r")
        assert "retry 1" in store.asked
        assert "Sending it again" in said(person)


async def test_all_can_be_sent_again_but_conflicts() -> None:
    store = every_kind()
    async with opened(store) as person:
        await person.press("g", "u", "R")
        assert [one for one in store.asked if "retry" in one] == ["retry 3", "retry 5"]
        assert "refresh None" in store.asked
        assert "Sending 4 again  1 in conflict" in said(person)


async def test_what_cannot_be_kept_is_said() -> None:
    store = conflict()
    store.failure = CallboardError("The disk is full.")
    async with opened(store) as person:
        await person.press("g", "u", "enter", "m")
        assert "The disk is full" in said(person)
        await person.press("escape", "enter", "e", "X", "ctrl+s")
        assert "The disk is full" in said(person)
        store.failure = None
        await person.press("escape", "enter", "e", "ctrl+s")
        assert store.asked[-1] == "resolve 7 text Xmine\ntheirs"


async def test_it_is_forgotten_only_after_y() -> None:
    store = refused()
    async with opened(store) as person:
        await person.press("g", "u", "D", "n")
        assert "discard 1" not in store.asked
        assert "Nothing was discarded" in said(person)
        await person.press("D", "y")
        assert "discard 1" in store.asked
        assert "Everything has reached the service" in person.text


async def test_what_may_have_arrived_is_looked_for_before_it_is_sent_again() -> None:
    store = FakeStore(small())
    made = CreateTask.new(1, 1, "Card")
    unsure = change(3, PendingState.UNSURE)._replace(operation=made, attempts=2, reason="lost")
    store.kept = [unsure]
    async with opened(store) as person:
        await person.press("g", "u")
        assert "may have arrived, please check · 1   r checks again · D discards it" in person.text
        await person.press("r")
        assert store.asked[-1] == "retry 3"
        assert "Checking whether it arrived" in said(person)
        store.kept = [unsure._replace(attempts=0)]
        await person.press("r")
        text = " ".join(screen_text(person.app).split())
        assert "Send it anyway?" in text
        await person.press("n")
        assert "Nothing was sent" in said(person)
        await person.press("r", "y")
        assert store.asked[-1] == "retry 3 even so"


async def test_it_is_said_what_goes_with_a_change_that_is_forgotten() -> None:
    store = FakeStore(small())
    store.kept = [change(3, PendingState.UNSURE)]
    store.depending[3] = 2
    store.arrived.add(3)
    async with opened(store) as person:
        await person.press("g", "u", "D")
        assert "2 other changes need it" in screen_text(person.app)
        await person.press("y")
        assert "It had arrived: nothing was discarded" in said(person)
    store.kept = [change(4, PendingState.REFUSED)]
    store.depending[4] = 1
    store.failure = CallboardError("Nobody answers.")
    async with opened(store) as person:
        await person.press("g", "u", "D")
        assert "1 other change needs it, and" in screen_text(person.app)
        await person.press("y")
        assert "Nobody answers." in said(person)


async def test_what_failed_and_is_tried_again_can_be_tried_now_or_forgotten() -> None:
    store = FakeStore(small())
    store.kept = [change(3, PendingState.WAITING, reason="It failed.")]
    async with opened(store, size=(120, 24)) as person:
        await person.press("g", "u")
        assert "tried again by itself" in person.text
        assert "waits: It failed." in person.text
        await person.press("r")
        assert store.asked[-1] == "retry 3"
        await person.press("D", "y")
        assert store.asked[-1] == "discard 3"


async def test_what_waits_for_another_change_says_for_which() -> None:
    store = FakeStore(small())
    store.kept = [change(3, PendingState.WAITING)._replace(after="Add “Card”")]
    async with opened(store) as person:
        await person.press("g", "u")
        assert "waits for: Add “Card” · since" in person.text


async def test_an_empty_list_says_so() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("g", "u", "r")
        assert "nothing to send again" in said(person)
        await person.press("R")
        assert "nothing to send again" in said(person)
        await person.press("D")
        assert "nothing to discard" in said(person)


async def test_a_key_that_does_nothing_says_why() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("g", "u")
        for state, key, why in (
            (PendingState.WAITING, "r", "being sent already"),
            (PendingState.WAITING, "D", "still being sent"),
            (PendingState.WAITING, "enter", "is being sent"),
            (PendingState.REFUSED, "enter", "r sends it again"),
            (PendingState.CONFLICT, "r", "shows both sides"),
            (PendingState.REFUSED, "m", "where both sides are shown"),
            (PendingState.REFUSED, "x", "does nothing here"),
        ):
            store.kept = [change(1, state)]
            store.notify(StatusChanged(1))
            await person.press(key)
            assert why in said(person)


async def test_enter_on_an_empty_list_says_so() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("g", "u", "enter")
        assert "There is no pending change here  esc goes back" in said(person)


async def test_it_can_be_reached_from_the_list_of_boards() -> None:
    async with opened(refused(), board_id=None) as person:
        await person.press("g", "u")
        assert isinstance(person.app.screen, PendingScreen)
        await person.press("g", "u")
        assert "These are the pending changes" in said(person)
        await person.press("escape")
        assert not isinstance(person.app.screen, PendingScreen)


async def test_a_conflict_is_decided() -> None:
    store = conflict()
    async with opened(store) as person:
        await person.press("g", "u")
        for keys, asked in (
            ("m", "resolve 7 mine None"),
            ("t", "resolve 7 theirs None"),
            ("e ctrl+s", "resolve 7 text mine\ntheirs"),
        ):
            store.kept = conflict().kept
            store.notify(StatusChanged(1))
            await person.press("enter")
            text = screen_text(person.app)
            assert "mine new" in text
            assert "theirs" in text
            assert "base" in text
            await person.press(*keys.split())
            assert store.asked[-1] == asked
            assert "Everything has reached the service" in person.text


async def test_a_conflict_can_wait_and_what_was_written_is_kept() -> None:
    store = conflict()
    async with opened(store) as person:
        await person.press("g", "u", "enter", "enter", "x")
        assert "‘x’ does nothing here" in screen_text(person.app)
        await person.press("escape")
        assert "it stays pending" in said(person)
        await person.press("enter", "e", "Z", "escape")
        assert "Nothing was sent" in said(person)
        await person.press("enter", "e", "ctrl+s")
        assert store.asked == ["open 1", "resolve 7 text Zmine\ntheirs"]


async def test_only_texts_can_be_put_together() -> None:
    store = conflict(draft=None)
    async with opened(store) as person:
        await person.press("g", "u", "enter", "e")
        assert "only texts can be merged" in screen_text(person.app)
        assert "open 1" in store.asked[-1]


@pytest.mark.long
async def test_both_sides_and_the_keys_are_in_sight() -> None:
    async with opened(conflict(), size=(120, 36)) as person:
        await person.press("g", "u", "enter")
        for size in ((120, 36), (80, 24), (40, 20)):
            await person.pilot.resize_terminal(*size)
            await person.press()
            text = screen_text(person.app)
            for words in ("mine new", "evil[/b]", "theirs", "esc later", "m mine"):
                assert words in text
            beside = [line for line in text.splitlines() if "mine new" in line and "theirs" in line]
            assert bool(beside) is (size[0] > 70)


async def test_what_somebody_else_changed_is_taken_back_only_after_y() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("x")
        differs = UndoNeedsConfirmation("Close “a”", (Difference("title", "a", f"b {EVIL}", "c"),))
        store.differs = differs
        await person.press("u")
        text = screen_text(person.app)
        assert "Undo anyway?" in text
        assert "evil[/b]" in text
        await person.press("enter", "escape")
        assert "Left as it is now" in person.said
        assert "✓ a" in person.text
        await person.press("u", "y")
        assert "Undone: " in person.said
        assert "✓ a" not in person.text
        store.differs = differs
        await person.press("U", "y")
        assert "Redone: " in person.said


async def test_an_old_step_is_undone_only_after_y() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("x")
        at = NOW.astimezone(UTC) - timedelta(days=2)
        why = ("It was done before the program was started.",)
        store.differs = UndoNeedsConfirmation(f"Close {EVIL}", why=why, at=at)
        await person.press("u")
        text = screen_text(person.app)
        for words in ("Undo this?", "evil[/b]", "2 days ago", *why, "y yes, undo it"):
            assert words in text
        assert "it would be" not in text
        await person.press("enter", "n")
        assert "✓ a" in person.text
        await person.press("u", "y")
        assert "✓ a" not in person.text


def test_words_about_time() -> None:
    now = datetime(2026, 11, 20, 14, 5)  # noqa: DTZ001 (wall-clock time)
    for before, words in (
        (timedelta(seconds=20), "since 14:04, just now"),
        (timedelta(minutes=3), "since 14:02, 3 min"),
        (timedelta(hours=5), "since 09:05, 5 h"),
        (timedelta(days=1), "since Thu 19 Nov 14:05, 1 day"),
        (timedelta(days=9), "since Wed 11 Nov 14:05, 9 days"),
        (timedelta(hours=-2), "since 16:05, just now"),
    ):
        assert since((now - before).astimezone(UTC), now) == words


def test_folded_lines_fit() -> None:
    for room in (12, 20, 40):
        lines = folded("漢字 " * 20 + "x" * 90, room, "   ").split("\n")
        assert all(line.startswith("   ") and width(line) < room + 4 for line in lines)


async def test_two_descriptions_are_put_together_as_markdown() -> None:
    store = conflict(draft='<p data-x="1">mine</p><p>theirs</p>')
    operation = set_description(task(11, "n7"), "<p>mine</p>")
    store.kept = [store.kept[0]._replace(operation=operation)]
    async with opened(store) as person:
        await person.press("g", "u", "enter", "e")
        await person.burst(*" too")
        await person.press("escape")
        assert "Draft kept  ↵ and e goes on" in said(person)
        await person.press("enter", "e", "ctrl+s")
        sent = '<p data-x="1">mine</p><p>theirs too</p>'
        assert store.asked[-1] == f"resolve 7 text {sent}"
        assert "Your text is sent" in said(person)


OFFLINE = SyncStatus(problem="The service cannot be reached.")
REJECTED = SyncStatus(problem="The password was not accepted.", remedy="callboard login work")
GOING = change(1, PendingState.WAITING)
TRIED = change(1, PendingState.WAITING, reason="The service has an error.")
AFTER = GOING._replace(after="Add the card “x”")
SENDING = change(1, PendingState.SENDING)


@pytest.mark.parametrize(
    ("waiting", "status", "words"),
    [
        (GOING, SyncStatus(), ("being sent", "waits · ", "This is being sent  u on its")),
        (SENDING, SyncStatus(), ("being sent", "being sent · ", "This is being sent  u on")),
        (AFTER, SyncStatus(), ("waiting for another change, nothing to do",
         "waits for: Add the card “x”", "It is sent after another: Add the card “x”  u on")),
        (TRIED, SyncStatus(), ("tried again by itself, nothing to do",
         "waits: The service has an error.", "This is retried automatically  r retries now")),
        (GOING, OFFLINE, ("waiting for the connection, nothing to do",
         "waits: The service cannot be reached.", "It waits for the connection  R tries now · u")),
        (SENDING, OFFLINE, ("waiting for the connection, nothing to do", "trying now · ",
         "It waits for the connection  R tries now")),
        (TRIED, OFFLINE, ("waiting for the connection, nothing to do",
         "waits: The service cannot be reached.", "It waits for the connection  R tries now")),
        (AFTER, OFFLINE, ("waiting for the connection, nothing to do",
         "waits for: Add the card “x”", "It waits for the connection  R tries now")),
        (GOING, REJECTED, ("not sent until this is put right",
         "waits: The password was not accepted.",
         "The password was not accepted.  callboard login work")),
    ],
)  # fmt: skip
async def test_the_words_about_a_change_are_true(
    waiting: PendingChange,
    status: SyncStatus,
    words: tuple[str, str, str],
) -> None:
    heading, row, said = words
    store = FakeStore(small())
    store.kept, store.now = [waiting], status
    async with opened(store) as person:
        await person.press("g", "u")
        lines = person.text.splitlines()
        assert f" {heading}" in lines[1]
        assert row in lines[3]
        is_going = heading == "being sent"
        assert ("being sent" in person.text) is is_going
        await person.press("enter")
        assert " ".join(said.split()) in " ".join(person.text.splitlines()[-2].split())
        if not is_going:
            for key in ("r", "D"):
                await person.press(key)
                assert "being sent" not in person.text.splitlines()[-2], key
