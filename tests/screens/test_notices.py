"""Messages of one or two lines above the key hints: what they say, cover, and how they go."""

from dataclasses import replace

import pytest

from tests.fakes.boards import small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.model.board import BoardView, Place
from tui.screens import status_line
from tui.store.events import StatusChanged, SyncStatus
from tui.store.operations import MoveTask, set_title
from tui.widgets.bars import Notice, aligned

AWAY = SyncStatus(pending=3, problem="boards.example.org cannot be reached.")


def lines(person: Driver) -> list[str]:
    return [line.rstrip() for line in person.text.splitlines()]


def crowded() -> BoardView:
    """More cards than fit, so that a message covers some."""
    cards = tuple(task(100 + number, f"card {number}") for number in range(20))
    return replace(small(), tasks={**small().tasks, 1: cards})


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of the status line, in seconds."""
    now = [100.0]
    monkeypatch.setattr(status_line, "monotonic", lambda: now[0])
    return now


async def test_a_move_is_said_with_its_sign_and_the_key_that_undoes_it() -> None:
    async with opened(FakeStore(small()), size=(80, 24)) as person:
        await person.press("space", "l", "enter")
        last = lines(person)[-2]
        assert last.startswith(" ✓ Moved #11 from To do to Doing  ")
        assert last.endswith("  u undo")
        assert lines(person)[-1].startswith(" space lift")


@pytest.mark.parametrize("width", range(60, 80))
def test_no_word_is_lost_where_a_sentence_is_wrapped(width: int) -> None:
    sentence = "Undone: moved “Refund shown twice on the invoice” to “Waiting” and 2 more changes"
    notice = Notice.of(sentence, "{tasks.undo:u} undo", sign=("✓", "good"))
    shown = " ".join(
        "".join(text for text, _ in aligned(left, right, width))
        for left, right in notice.lines(width)
    )
    assert " ".join(shown.replace("u undo", "").split()) == f"✓ {sentence}"
    assert "  u undo" in shown


async def test_the_reason_of_a_refusal_comes_first_then_where_the_card_is() -> None:
    store = FakeStore(small())
    async with opened(store, size=(80, 24)) as person:
        card = small().in_stage(1)[0]
        move = MoveTask.on(card, 2, Place(), stage_title="Doing")
        store.refuse(move, "only managers move cards to a stage that somebody else has locked")
        await person.press()
        assert lines(person)[-3:-1] == [
            f"{' ⚠ Refused: only managers move cards to a stage that somebody else':69}  g u show",
            "   has locked. #11 is back in To do.",
        ]
        store.refuse(set_title(card, "new"), "The title is taken.")
        await person.press()
        assert "⚠ Refused: The title is taken. Not done: " in person.said


async def test_a_refusal_stays_until_it_could_be_read(clock: list[float]) -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        store.refuse(set_title(small().in_stage(1)[0], "new"), "too long")
        await person.press("j")
        assert "too long" in person.said, "the key may have been on its way"
        clock[0] += status_line.SHOWN_SECONDS
        await person.press("k")
        assert "too long" not in person.said


async def test_a_message_of_two_lines_covers_a_row_of_the_cards_until_it_goes() -> None:
    store = FakeStore(crowded())
    async with opened(store, size=(60, 20)) as person:
        before = lines(person)
        person.board.say("a word " * 12, hint="{app.help:?} lists the keys")
        await person.press()
        shown = lines(person)
        assert shown[:-3] == before[:-3]
        assert shown[-3].startswith(" A word a word")
        assert shown[-3].endswith("  ? lists the keys")
        assert shown[-2].strip() == "word a word a word a word a word a word a word"
        assert shown[-1] == before[-1]
        columns = [column.size for column in person.deck.columns]
        await person.press("j", "k")
        assert lines(person) == before
        assert [column.size for column in person.deck.columns] == columns


async def test_offline_is_said_until_it_was_read_and_again_for_another_reason(
    clock: list[float],
) -> None:
    store = FakeStore(small())
    async with opened(store, size=(80, 24)) as person:
        store.now = AWAY
        store.notify(StatusChanged(1))
        await person.press("j")
        assert lines(person)[-3].startswith(" ! boards.example.org cannot be reached. Your 3 ")
        assert lines(person)[-3].endswith("  R try now  g u show")
        assert lines(person)[-2] == "   will sync automatically."
        clock[0] += status_line.SHOWN_SECONDS
        await person.press("k")
        assert "cannot be reached" not in person.text
        store.now = AWAY._replace(pending=1)
        store.notify(StatusChanged(1))
        await person.press("j")
        assert "cannot be reached" not in person.text
        store.now = AWAY._replace(pending=1, problem="The password is not accepted.")
        store.notify(StatusChanged(1))
        await person.press()
        assert "Your change will sync automatically." in person.said


async def test_a_click_on_a_key_of_a_message_presses_it() -> None:
    async with opened(FakeStore(small()), size=(100, 24)) as person:
        await person.press("x")
        await person.click("u undo")
        assert "Undone: closed" in person.said


@pytest.mark.parametrize(
    "size",
    [(24, 8), (1, 1), *(pytest.param(size, marks=pytest.mark.long) for size in ((12, 4), (3, 2)))],
)
async def test_there_is_a_terminal_too_small_for_any_of_it(size: tuple[int, int]) -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.pilot.resize_terminal(*size)
        await person.press("space", "l", "enter", "slash", *"label:x", "escape")
        assert person.titles(2)[0] == "a"
        await person.press("slash", *"zzz", "enter", "escape")
        store.now = AWAY
        store.notify(StatusChanged(1))
        await person.press("j")
        assert [len(line) for line in person.text.splitlines()] == [size[0]] * size[1]
