"""The changes that wait: listed, sent again, decided, forgotten."""

from datetime import UTC, timedelta

import pytest

from tests.fakes.boards import NOW, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened, screen_text
from tui.dialogs.conflict import Sides
from tui.errors import CallboardError
from tui.model.detail import TaskDetail
from tui.model.events.activity import Activity
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.task import Person
from tui.screens.board.screen import BoardScreen
from tui.screens.pending.rows import folded
from tui.screens.pending.screen import PendingScreen
from tui.store.events import (
    PendingChange,
    PendingState,
    StatusChanged,
    SyncStatus,
    UndoNeedsConfirmation,
)
from tui.store.operations import CreateTask, set_description, set_title
from tui.store.operations.base import FieldDifference
from tui.text.cells import width
from tui.text.clean import quoted

EVIL = "\x1b[31mevil[/b] [red]"


def said(person: Driver) -> str:
    """The status line of the list."""
    assert isinstance(person.app.screen, PendingScreen)
    return person.app.screen.status.words


def change(
    number: int, state: PendingState, *, reason: str = "", new: str = "new", board_id: int = 1
) -> PendingChange:
    """A change of a title that waits since an hour."""
    differences = (FieldDifference("title", f"mine {new}", f"theirs {EVIL}", "base"),)
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
        assert "may be lost: check the boards" in person.text
        assert "Lost, or sent before: Add “Beta”" in person.text
        assert "1 needs attention" in person.text
        await person.press("a")
        assert "Acknowledged" in said(person)
        assert "may be lost" not in person.text
        assert "All changes are synced" in person.text
        await person.press("a")
        assert said(person).strip() == "Nothing was lost"


async def test_a_refused_change_is_listed_with_its_reason() -> None:
    async with opened(refused()) as person:
        await person.press("g", "u")
        lines = person.text.splitlines()
        assert lines[2].startswith(" ⚠ refused  1 ──")
        assert lines[2].rstrip().endswith("r to send it again · D to discard it")
        assert lines[3].split() == ["▌⚠", "#11", "Rename", "“a”", "to", "“new”", "just", "now"]
        assert "└ the title is too long" in lines[4]
        await person.press("escape")
        assert isinstance(person.app.screen, BoardScreen)


async def test_in_read_only_mode_nothing_is_being_sent_or_decided() -> None:
    store = every_kind()
    store.is_read_only = True
    async with opened(store) as person:
        await person.press("g", "u")
        assert "2 kept" in person.text.splitlines()[0]
        assert "kept until you open it without read-only mode  2" in person.text
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
        assert "3 need attention  2 being sent" in text
        assert "1h" in text


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
        assert "Nothing to send again" in said(person)
        assert "All changes are synced" in person.text


async def test_changes_of_several_boards_name_them_and_all_can_be_reached() -> None:
    store = FakeStore(small())
    store.kept = [change(n, PendingState.WAITING, new=f"n{n}") for n in range(1, 301)]
    async with opened(store, size=(120, 24)) as person:
        await person.press("g", "u")
        assert "↓ 281 more" in person.text
        assert "Small" not in person.text
        await person.press("G")
        assert "“n300”" in person.text
        store.kept.append(change(999, PendingState.REFUSED, board_id=2))
        store.notify(StatusChanged(1))
        await person.press("g", "g", "j")
        assert "Small" in person.text


async def test_a_row_has_the_card_the_change_and_its_age_in_columns() -> None:
    async with opened(every_kind(), size=(120, 30)) as person:
        await person.press("g", "u", "j")
        heads, heading, row, reason = person.text.splitlines()[1:5]
        at = [heads.index(name) for name in ("#", "card", "change", "since")]
        assert "conflict: someone else changed it too  1" in heading
        assert [row[place:].split("  ")[0] for place in at[1:]] == [
            "a", "Rename to “n4”", "08:00"
        ]  # fmt: skip
        assert row[: at[0] + 1].split() == ["⚠", "#11"]
        assert "└ title: mine “mine n4”, theirs" in reason


@pytest.mark.long
async def test_a_long_change_goes_on_below_its_row() -> None:
    store = FakeStore(small())
    store.kept = [change(1, PendingState.WAITING, new="word " * 7 + "end")]
    for size in ((120, 24), (80, 24), (40, 15)):
        async with opened(store, size=size) as person:
            await person.press("g", "u")
            assert "end”" in person.text
            assert " ".join(person.text.split()).count("word") == 7


async def test_a_search_finds_changes() -> None:
    async with opened(every_kind()) as person:
        await person.press("g", "u", "slash")
        await person.type("n5")
        assert "“n5”" in person.text
        assert "“n4”" not in person.text


@pytest.mark.long
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


@pytest.mark.long
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


async def test_one_change_at_a_time_is_sent_again_or_forgotten() -> None:
    store = every_kind()
    async with opened(store) as person:
        await person.press("g", "u", "v", "v")
        for key in ("r", "D"):
            await person.press(key)
            assert "works on one pending change at a time" in said(person)
        await person.press("escape", "v", "D", "y")
        assert store.asked[-1] == "discard 5", "the one at the cursor"


async def test_it_is_forgotten_only_after_y() -> None:
    store = refused()
    async with opened(store) as person:
        await person.press("g", "u", "D", "n")
        assert "discard 1" not in store.asked
        assert "Nothing was discarded" in said(person)
        await person.press("D", "y")
        assert "discard 1" in store.asked
        assert "All changes are synced" in person.text


async def test_what_may_have_arrived_is_looked_for_before_it_is_sent_again() -> None:
    store = FakeStore(small())
    made = CreateTask.new(1, 1, "Card")
    unsure = change(3, PendingState.UNSURE)._replace(operation=made, attempts=2, reason="lost")
    store.kept = [unsure]
    async with opened(store) as person:
        await person.press("g", "u")
        assert "may have arrived, please check  1" in person.text
        assert "r to check again · D to discard it" in person.text
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
        assert "2 other changes depend on it" in screen_text(person.app)
        await person.press("y")
        assert "It had arrived: nothing was discarded" in said(person)
    store.kept = [change(4, PendingState.REFUSED)]
    store.depending[4] = 1
    store.failure = CallboardError("Nobody answers.")
    async with opened(store) as person:
        await person.press("g", "u", "D")
        assert "1 other change depends on it and" in screen_text(person.app)
        await person.press("y")
        assert "Nobody answers." in said(person)


async def test_what_failed_and_is_tried_again_can_be_tried_now_or_forgotten() -> None:
    store = FakeStore(small())
    store.kept = [change(3, PendingState.WAITING, reason="It failed.")]
    async with opened(store, size=(120, 24)) as person:
        await person.press("g", "u")
        assert "retried automatically" in person.text
        assert "└ It failed." in person.text
        await person.press("r")
        assert store.asked[-1] == "retry 3"
        await person.press("D", "y")
        assert store.asked[-1] == "discard 3"


async def test_what_waits_for_another_change_says_for_which() -> None:
    store = FakeStore(small())
    store.kept = [change(3, PendingState.WAITING)._replace(after="Add “Card”")]
    async with opened(store) as person:
        await person.press("g", "u")
        assert "└ waits for: Add “Card”" in person.text


async def test_an_empty_list_says_so() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("g", "u", "r")
        assert "Nothing to send again" in said(person)
        await person.press("R")
        assert "Nothing to send again" in said(person)
        await person.press("D")
        assert "Nothing to discard" in said(person)


async def test_a_key_that_does_nothing_says_why() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("g", "u")
        for state, key, why in (
            (PendingState.WAITING, "r", "Already being sent"),
            (PendingState.WAITING, "D", "still being sent"),
            (PendingState.WAITING, "enter", "is being sent"),
            (PendingState.REFUSED, "enter", "r to send it again"),
            (PendingState.CONFLICT, "r", "to show both sides"),
            (PendingState.REFUSED, "m", "press ↵ to show both sides"),
            (PendingState.REFUSED, "x", "does nothing here"),
        ):
            store.kept = [change(1, state)]
            store.notify(StatusChanged(1))
            await person.press(key)
            assert why in said(person)


async def test_enter_on_an_empty_list_says_so() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("g", "u", "enter")
        assert "All changes are synced  esc to go back" in said(person)


async def test_it_can_be_reached_from_the_list_of_boards() -> None:
    async with opened(refused(), board_id=None) as person:
        await person.press("g", "u")
        assert isinstance(person.app.screen, PendingScreen)
        await person.press("g", "u")
        assert "You are already here" in said(person)
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
            assert "All changes are synced" in person.text


async def test_one_side_of_a_conflict_is_lit_and_enter_keeps_it() -> None:
    for keys, side in (
        *(("", "mine"), ("l", "theirs"), ("right left", "mine"), ("l h", "mine")),
        ("tab", "theirs"),
    ):
        store = conflict()
        async with opened(store) as person:
            await person.press("g", "u", "enter", *keys.split())
            text = screen_text(person.app)
            lit = "mine new" if side == "mine" else "theirs"
            assert any("▌ title" in line and lit in line for line in text.splitlines())
            assert f"keep {'yours' if side == 'mine' else 'theirs'}" in text
            assert ("Nothing is lost" in text) is (side == "mine")
            await person.press("enter")
            assert store.asked[-1] == f"resolve 7 {side} None"


async def test_a_click_lights_a_side_of_a_conflict() -> None:
    for size, theirs in (((100, 30), (60, 2)), ((40, 20), (4, 3))):
        store = conflict()
        async with opened(store, size=size) as person:
            await person.press("g", "u", "enter")
            await person.pilot.click("Sides", offset=theirs)
            await person.pilot.click("Sides", offset=(3, 1))
            await person.pilot.click("Sides", offset=theirs)
            await person.press("enter")
            assert store.asked[-1] == "resolve 7 theirs None"


@pytest.mark.long
async def test_a_conflict_names_the_other_person_where_they_are_known() -> None:
    store = conflict()
    theirs = store.kept[0].differences[0].current
    named = RemoteChange(11, ChangeKind.RENAMED, quoted(theirs), who=f"Emeka {EVIL}")
    store.others_did(named)
    async with opened(store, size=(120, 36)) as person:
        await person.press("g", "u", "enter")
        text = screen_text(person.app)
        assert "You and Emeka evil[/b] [red] both changed #11" in text
        assert f"Yours{' ' * 30}" in text
        assert "1h ago" in text
        assert "Emeka" in text
        assert "everything else is unchanged" in text
        for other in (
            RemoteChange(11, ChangeKind.LABELS, who="Emeka"),
            RemoteChange(11, ChangeKind.RENAMED, "“an older title”", who="Emeka"),
        ):
            store.others_did(other)
            await person.press("escape", "enter")
            assert "Emeka" not in screen_text(person.app)
            assert "Theirs" in screen_text(person.app)
    at = NOW.astimezone(UTC) - timedelta(minutes=5)
    logged = Activity(1, "changed", "title", new=theirs, by=Person(9, "Emeka"), at=at, task_id=11)
    older = Activity(2, "changed", "title", new="older", by=Person(8, "Fatima"), at=at, task_id=11)
    store.details[11] = TaskDetail(small().in_stage(1)[0], activities=(older, logged))
    async with opened(store, size=(120, 36)) as person:
        await person.press("g", "u", "enter")
        assert "Emeka’s" in screen_text(person.app)
        assert "5m ago" in screen_text(person.app)


async def test_a_long_conflict_scrolls_and_long_names_of_fields_are_above_their_values() -> None:
    store = conflict()
    lines = "\n".join(f"line {number}" for number in range(60))
    differences = (FieldDifference("description", lines, "theirs", "base"),)
    store.kept = [store.kept[0]._replace(differences=differences)]
    async with opened(store, size=(80, 24)) as person:
        await person.press("g", "u", "enter")
        text = screen_text(person.app)
        assert "▌ description " in text
        assert "▌   line 0" in text
        assert "line 11" not in text
        await person.press(*"jjjjjj")
        assert "line 11" in screen_text(person.app)
        await person.press("end")
        assert "original" in screen_text(person.app)
        assert "m mine   t theirs" in screen_text(person.app)


@pytest.mark.long
async def test_a_conflict_can_wait_and_what_was_written_is_kept() -> None:
    store = conflict()
    async with opened(store) as person:
        await person.press("g", "u", "enter", "x")
        assert "‘x’ does nothing here" in screen_text(person.app)
        await person.press("escape")
        assert "still pending" in said(person)
        await person.press("enter", "e", "Z", "escape")
        assert "Nothing was sent" in said(person)
        await person.press("enter", "e", "ctrl+s")
        assert store.asked == ["open 1", "resolve 7 text Zmine\ntheirs"]


async def test_only_texts_can_be_put_together() -> None:
    store = conflict(draft=None)
    async with opened(store) as person:
        await person.press("g", "u", "enter", "e")
        assert "only text can be merged" in screen_text(person.app)
        assert "open 1" in store.asked[-1]


@pytest.mark.long
async def test_only_what_differs_is_strong_on_the_cards_of_a_conflict() -> None:
    store = conflict()
    differs = FieldDifference("title", "mine", "theirs", "old")
    same = FieldDifference("due", "Fri 4 Dec", "Fri 4 Dec", "none")
    store.kept = [store.kept[0]._replace(differences=(differs, same))]
    async with opened(store, size=(120, 36)) as person:
        await person.press("g", "u", "enter")
        sides = person.app.screen.query_one(Sides)
        strong = [
            "".join(each.text for each in line if each.style and each.style.bold)
            for line in map(sides.render_line, range(4))
        ]
        assert [words.split() for words in strong] == [
            ["▌", "Yours", "Theirs"],
            ["minetheirs"],
            [],
            [],
        ]


@pytest.mark.long
async def test_both_sides_and_the_keys_are_in_sight() -> None:
    async with opened(conflict(), size=(120, 36)) as person:
        await person.press("g", "u", "enter")
        for size in ((120, 36), (80, 24), (40, 20)):
            await person.pilot.resize_terminal(*size)
            await person.press()
            text = screen_text(person.app)
            for words in ("mine new", "evil[/b]", "theirs", "esc cancel", "m mine"):
                assert words in text
            beside = [line for line in text.splitlines() if "mine new" in line and "theirs" in line]
            assert bool(beside) is (size[0] > 70)


async def test_what_somebody_else_changed_is_taken_back_only_after_y() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("x")
        differs = UndoNeedsConfirmation(
            "Close “a”", (FieldDifference("title", "a", f"b {EVIL}", "c"),)
        )
        store.differs = differs
        await person.press("u")
        text = screen_text(person.app)
        assert "Undo anyway?" in text
        assert "evil[/b]" in text
        await person.press("enter", "escape")
        assert "Left unchanged" in person.said
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
        why = ("It was made before the program was started.",)
        store.differs = UndoNeedsConfirmation(f"Close {EVIL}", why=why, at=at)
        await person.press("u")
        text = screen_text(person.app)
        for words in ("Undo this?", "evil[/b]", "2 days ago", *why, "y undo"):
            assert words in text
        assert "would become" not in text
        await person.press("enter", "n")
        assert "✓ a" in person.text
        await person.press("u", "y")
        assert "✓ a" not in person.text


async def test_the_time_of_an_old_change_has_its_day() -> None:
    store = FakeStore(small())
    at = NOW.astimezone(UTC) - timedelta(days=9)
    store.kept = [change(1, PendingState.WAITING)._replace(since=at)]
    async with opened(store, size=(120, 24)) as person:
        await person.press("g", "u")
        assert person.text.splitlines()[3].split()[-5:] == ["Wed", "11", "Nov", "09:00", "9d"]


def test_folded_lines_fit() -> None:
    for room in (12, 20, 40):
        assert all(width(line) <= room for line in folded("漢字 " * 20 + "x" * 90, room))


@pytest.mark.long
async def test_two_descriptions_are_put_together_as_markdown() -> None:
    store = conflict(draft='<p data-x="1">mine</p><p>theirs</p>')
    operation = set_description(task(11, "n7"), "<p>mine</p>")
    store.kept = [store.kept[0]._replace(operation=operation)]
    async with opened(store) as person:
        await person.press("g", "u", "enter", "e")
        await person.burst(*" too")
        await person.press("escape")
        assert "Draft saved  ↵ and e to continue" in said(person)
        await person.press("enter", "e", "ctrl+s")
        sent = '<p data-x="1">mine</p><p>theirs too</p>'
        assert store.asked[-1] == f"resolve 7 text {sent}"
        assert "Sending your text" in said(person)


OFFLINE = SyncStatus(problem="The service cannot be reached.")
REJECTED = SyncStatus(problem="The password was not accepted.", remedy="callboard login work")
GOING = change(1, PendingState.WAITING)
TRIED = change(1, PendingState.WAITING, reason="The service has an error.")
AFTER = GOING._replace(after="Add the card “x”")
SENDING = change(1, PendingState.SENDING)


@pytest.mark.parametrize(
    ("waiting", "status", "words"),
    [
        (GOING, SyncStatus(), ("being sent", "", "This is being sent  u on its")),
        pytest.param(
            SENDING, SyncStatus(), ("being sent", "being sent now", "This is being sent  u on"),
            marks=pytest.mark.long,
        ),
        (AFTER, SyncStatus(), ("waiting for another change, nothing to do",
         "waits for: Add the card “x”", "Sent after another change: Add the card “x”  u on")),
        (AFTER._replace(is_after_unsure=True), SyncStatus(),
         ("waiting for a change that you have to check", "waits for: Add the card “x”",
          "Sent after another change: Add the card “x”  u on")),
        (TRIED, SyncStatus(), ("retried automatically, nothing to do",
         "The service has an error.", "This is retried automatically  r to retry now")),
        (GOING, OFFLINE, ("waiting for the connection, nothing to do",
         "", "Waiting for the connection  R to retry now · u")),
        (SENDING, OFFLINE, ("waiting for the connection, nothing to do", "trying now",
         "Waiting for the connection  R to retry now")),
        pytest.param(
            TRIED, OFFLINE, ("waiting for the connection, nothing to do",
            "The service has an error.", "Waiting for the connection  R to retry now"),
            marks=pytest.mark.long,
        ),
        (AFTER, OFFLINE, ("waiting for the connection, nothing to do",
         "waits for: Add the card “x”", "Waiting for the connection  R to retry now")),
        (GOING, REJECTED, ("not sent until you decide", "",
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
        assert f" {heading}" in lines[2]
        assert lines[4].strip() == (f"└ {row}" if row else "")
        if status.problem:
            assert status.problem in lines[-2]
        is_going = heading == "being sent"
        assert ("being sent" in person.text) is is_going
        await person.press("enter")
        assert " ".join(said.split()) in " ".join(person.text.splitlines()[-2].split())
        if not is_going:
            for key in ("r", "D"):
                await person.press(key)
                assert "being sent" not in person.text.splitlines()[-2], key
