"""What others changed: marked on cards, told quietly, jumped to, and gone once looked at."""

from pathlib import Path

import pytest
from textual import events

from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.config.preferences import ALL_BOARDS, SEEN, Preferences
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.store.events import SyncStatus
from tui.store.operations import set_title
from tui.widgets import glyphs

MOVED = RemoteChange(21, ChangeKind.MOVED, "“Doing”", "Alice")
CLOSED = RemoteChange(13, ChangeKind.CLOSED)
GONE = RemoteChange(99, ChangeKind.GONE, "“z”")


def lines_with_sign(person: Driver) -> list[str]:
    """The lines of the board on which a card is marked, without the line above."""
    return [line for line in person.text.splitlines()[1:] if glyphs.NEWS in line]


async def test_a_card_that_others_changed_is_marked_and_told() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        store.others_did(MOVED)
        await person.press()
        assert "Alice moved #21 to “Doing”  ] to go there" in person.said
        assert len(lines_with_sign(person)) == 1
        assert f"{glyphs.NEWS} 1 new" in person.text.splitlines()[0]
        await person.press("j")
        assert "Alice" not in person.said
        assert len(lines_with_sign(person)) == 1


async def test_many_are_told_in_one_line() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        store.others_did(MOVED, CLOSED)
        await person.press()
        assert "2 cards were changed" in person.said


async def test_a_card_that_is_gone_is_told_but_cannot_be_gone_to() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        store.others_did(GONE)
        await person.press()
        assert "#99 “z” is no longer here" in person.said
        assert "to go there" not in person.said
        assert lines_with_sign(person) == []


async def test_nothing_is_told_over_what_is_said_already() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        store.refuse(set_title(small().in_stage(1)[0], "new"), "too long")
        store.others_did(MOVED)
        await person.press()
        assert "too long" in person.said
        await person.press("escape", "space")
        store.others_did(CLOSED)
        await person.press()
        assert "◆ Moving" in person.said


async def test_keys_go_to_the_next_and_the_previous_changed_card() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("]")
        assert "Nothing has changed since you last looked" in person.said
        store.others_did(MOVED, CLOSED)
        seen = []
        for key in ("]", "]", "]", "[", "["):
            await person.press(key)
            seen.append(person.here)
        assert seen == ["c", "d", "c", "d", "c"]
        store.marks = {13: CLOSED}
        store.others_did()
        await person.press("]")
        assert "the only updated card" in person.said
        await person.press("slash", "a", "enter", "]")
        assert "not shown here" in person.said


async def test_a_folded_column_is_opened_to_go_to_its_card() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        store.others_did(MOVED)
        await person.press("l", "z", "h", "]")
        assert person.here == "d"
        assert 2 not in person.deck.collapsed


async def test_with_a_card_in_the_hand_the_keys_wait() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        store.others_did(MOVED)
        await person.press("space", "]")
        assert "waits" in person.said
        assert person.deck.lift is not None


async def test_a_moment_at_a_card_is_a_look() -> None:
    store = FakeStore(small())
    async with opened(store, glance_seconds=0.01) as person:
        store.others_did(MOVED, CLOSED)
        await person.press("]")
        while "looked at 13" not in store.asked:
            await person.pilot.pause()
        assert set(store.marks) == {21}
        assert len(lines_with_sign(person)) == 1


@pytest.mark.long
async def test_who_looks_elsewhere_has_not_looked() -> None:
    store = FakeStore(small())
    async with opened(store, glance_seconds=0.01) as person:
        person.app.post_message(events.AppBlur())
        await person.pilot.pause()
        store.others_did(RemoteChange(11, ChangeKind.CLOSED))
        await person.pilot.pause(0.05)
        assert "looked at 11" not in store.asked
        person.app.post_message(events.AppFocus())
        while "looked at 11" not in store.asked:
            await person.pilot.pause()
        assert [one for one in store.asked if "seen" in one] == ["seen False", "seen True"]


async def test_an_opened_card_was_looked_at() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        store.others_did(RemoteChange(11, ChangeKind.CLOSED), RemoteChange(12, ChangeKind.CLOSED))
        await person.press("enter")
        assert "looked at 11" in store.asked
        await person.press("]")
        assert "looked at 12" in store.asked
        assert "left 1" not in store.asked


async def test_leaving_the_board_is_a_look_at_all_of_it() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("g", "b")
        assert "left 1" in store.asked


async def test_marks_are_there_when_the_board_is_opened() -> None:
    store = FakeStore(small())
    store.marks = {21: MOVED, 99: GONE}
    async with opened(store) as person:
        assert len(lines_with_sign(person)) == 1
        assert f"{glyphs.NEWS} 1 new" in person.text.splitlines()[0]


async def test_the_line_above_says_what_needs_the_person_and_how_far_sending_is() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        for status, said in (
            (SyncStatus(pending=3), "↑ 3 pending"),
            (SyncStatus(pending=188, to_send=500, sent=312), "↑ 312 of 500"),
            (SyncStatus(refused=1, conflicts=1), "⚠ 2 need attention"),
            (SyncStatus(unsure=1), "⚠ 1 needs attention"),
        ):
            store.now = status
            person.board.board_bar.draw()
            await person.pilot.pause()
            assert said in person.text.splitlines()[0]


async def test_nothing_is_asked_for_while_the_program_is_stopped() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        person.app.app_suspend_signal.publish(person.app)
        person.app.app_resume_signal.publish(person.app)
        assert store.asked[-2:] == ["seen False", "seen True"]


async def test_when_boards_were_left_in_another_window_stays_known(tmp_path: Path) -> None:
    path = tmp_path / "preferences.json"
    others = Preferences(path)
    async with opened(FakeStore(small()), preferences=Preferences(path)) as person:
        others.put(ALL_BOARDS, SEEN, 8, 5)
        await person.press("g", "b")
    left_at = Preferences(path).numbers_by_id(ALL_BOARDS, SEEN)
    assert left_at.keys() == {1, 8}
    assert left_at[8] == 5
