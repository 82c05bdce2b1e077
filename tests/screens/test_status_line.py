"""What the status line has to show, without a screen: messages, held notices, own problems."""

from tui.screens.status_line import (
    FRESH_SECONDS,
    SHOWN_SECONDS,
    MessageKind,
    Repaint,
    StatusState,
)
from tui.widgets.bars import Notice

MOVED, REFUSED, HELD = Notice.of("Moved #11"), Notice.of("Refused"), Notice.of("5 of 9 cards")
OFFLINE = Notice.of("Not reached")._replace(once="not reached")
NOW, SOON = 100.0, 0.5


def told(notice: Notice = MOVED, kind: MessageKind = MessageKind.RESULT) -> StatusState:
    """A line with a message."""
    state = StatusState()
    state.tell(notice, kind, NOW)
    return state


def test_without_anything_the_screens_own_notice_is_shown() -> None:
    assert StatusState().front is None


def test_the_next_key_clears_a_result_in_the_paint_of_its_effect() -> None:
    state = told()
    assert state.key_pressed("j", NOW) is Repaint.WITH_EFFECT
    assert state.front is None
    assert state.key_pressed("j", NOW) is Repaint.NOT


def test_a_key_clears_an_error_once_it_could_be_read() -> None:
    state = told(REFUSED, MessageKind.ERROR)
    assert state.key_pressed("j", NOW + SOON) is Repaint.NOT
    assert state.front == REFUSED
    assert state.key_pressed("j", NOW + SHOWN_SECONDS) is Repaint.WITH_EFFECT
    assert state.front is None


def test_esc_leaves_an_error_to_clear_which_says_that_there_was_one() -> None:
    state = told(REFUSED, MessageKind.ERROR)
    assert state.key_pressed("escape", NOW + SHOWN_SECONDS) is Repaint.NOT
    assert state.clear()
    assert not state.clear()


def test_a_text_is_appended_to_the_message_if_there_is_one() -> None:
    state = told()
    assert state.append("1 of 9 done")
    assert state.front is not None
    assert state.front.words.strip() == "Moved #11 · 1 of 9 done"
    assert not StatusState().append("1 of 9 done")


def test_a_held_notice_covers_an_older_message_and_not_a_later_one() -> None:
    state = told()
    state.hold(HELD)
    assert state.front == HELD
    state.tell(REFUSED, MessageKind.ERROR, NOW)
    assert state.front == REFUSED
    state.key_pressed("j", NOW + SHOWN_SECONDS)
    assert state.front == HELD


def test_a_message_comes_back_from_behind_a_held_notice() -> None:
    state = told()
    state.hold(HELD)
    state.hold(None)
    assert state.front == MOVED


def test_clearing_ends_a_held_notice_too() -> None:
    state = StatusState()
    state.hold(HELD)
    assert not state.clear()
    assert state.front is None


def test_an_unsolicited_message_waits_for_a_recent_result_and_never_replaces_an_error() -> None:
    assert StatusState().takes_unsolicited(NOW)
    state = told()
    assert not state.takes_unsolicited(NOW + FRESH_SECONDS)
    assert state.takes_unsolicited(NOW + FRESH_SECONDS + SOON)
    assert not told(kind=MessageKind.ERROR).takes_unsolicited(NOW + FRESH_SECONDS + SOON)


def test_nothing_unsolicited_comes_over_a_held_notice() -> None:
    state = StatusState()
    state.hold(HELD)
    assert not state.takes_unsolicited(NOW)


def test_an_unsolicited_message_yields_to_the_next_and_to_any_key() -> None:
    state = StatusState()
    state.tell_unsolicited(MOVED)
    assert state.front == MOVED
    assert state.takes_unsolicited(NOW)
    assert state.key_pressed("j", NOW) is Repaint.WITH_EFFECT
    assert state.front is None


def test_room_is_made_by_all_messages_but_an_error() -> None:
    state = told()
    state.make_room()
    assert state.front is None
    state = told(REFUSED, MessageKind.ERROR)
    state.make_room()
    assert state.front == REFUSED


def test_an_own_problem_is_shown_until_a_key_after_it_could_be_read() -> None:
    state = StatusState()
    assert state.unread(OFFLINE, NOW) == OFFLINE
    assert state.key_pressed("j", NOW + SOON) is Repaint.NOT
    assert state.unread(OFFLINE, NOW + SOON) == OFFLINE
    assert state.key_pressed("j", NOW + SHOWN_SECONDS) is Repaint.NOW
    assert state.unread(OFFLINE, NOW + SHOWN_SECONDS) is None


def test_a_key_that_clears_a_message_has_not_read_the_problem_behind_it() -> None:
    state = StatusState()
    state.unread(OFFLINE, NOW)
    state.tell(MOVED, MessageKind.RESULT, NOW)
    assert state.key_pressed("j", NOW + SHOWN_SECONDS) is Repaint.WITH_EFFECT
    assert state.unread(OFFLINE, NOW + SHOWN_SECONDS) == OFFLINE


def test_a_problem_is_unread_again_if_it_was_gone_or_is_another() -> None:
    state = StatusState()
    for problem in (OFFLINE, OFFLINE._replace(once="wrong password")):
        assert state.unread(problem, NOW) == problem
        state.key_pressed("j", NOW + SHOWN_SECONDS)
        assert state.unread(problem, NOW) is None
    assert state.unread(None, NOW) is None
    assert state.unread(OFFLINE, NOW) == OFFLINE


def test_a_notice_without_a_problem_is_always_shown() -> None:
    state = StatusState()
    assert state.unread(HELD, NOW) == HELD
    assert state.key_pressed("j", NOW + SHOWN_SECONDS) is Repaint.NOT
    assert state.unread(HELD, NOW) == HELD
