"""Boards are kept fresh beside the open one, by one poller each."""

from pathlib import Path

import pytest

from tests.store.fake_clock import FakeClock
from tests.store.party import Party, new_board, rest
from tests.store.service import BOARD, DOING, Service


async def pass_time(clock: FakeClock, seconds: int) -> None:
    """Let time pass second by second, with all that happens in it."""
    for _ in range(seconds):
        await rest()
        clock.advance(1)
    await rest()


@pytest.fixture
async def following(party: Party) -> Party:
    """A person who follows the board and has none open."""
    party.store.connect(party.remote)
    await party.store.follow([BOARD])
    await party.until(lambda: party.store.status(BOARD).checked_at)
    return party


def asked(party: Party) -> int:
    """How often it was asked for changes of a board."""
    return int(party.remote.calls.count("changes_since"))


async def test_changes_by_others_are_read_though_the_board_is_not_open(
    following: Party, service: Service
) -> None:
    await following.store.load_board(BOARD)
    service.add("Theirs", DOING)
    await following.until(lambda: "Theirs" in following.titles(DOING))
    assert following.store.last_board_id is None


async def test_the_open_board_is_asked_for_once_though_it_is_followed(following: Party) -> None:
    await pass_time(following.clock, 60)
    once = asked(following)
    assert once >= 5
    await following.store.open_board(BOARD)
    await pass_time(following.clock, 1)
    following.remote.calls.clear()
    await pass_time(following.clock, 60)
    assert asked(following) <= once + 1
    await following.store.close_board()
    await pass_time(following.clock, 1)
    following.remote.calls.clear()
    await pass_time(following.clock, 60)
    assert asked(following) >= once - 1


async def test_a_board_that_is_not_followed_any_more_is_not_asked_for(following: Party) -> None:
    await following.store.follow([])
    following.remote.calls.clear()
    await pass_time(following.clock, 60)
    assert asked(following) == 0


async def test_while_it_is_not_visible_nothing_is_asked(following: Party) -> None:
    following.store.set_visible(is_visible=False)
    await pass_time(following.clock, 1)
    following.remote.calls.clear()
    await pass_time(following.clock, 60)
    assert following.remote.calls == []


@pytest.mark.long
async def test_many_boards_are_asked_less_often(following: Party) -> None:
    store = following.store
    boards = [BOARD, *[await new_board(store, f"Board {number}") for number in range(4)]]
    await store.follow(boards)
    await following.until(lambda: all(store.status(each).checked_at for each in boards))
    following.remote.calls.clear()
    await pass_time(following.clock, 60)
    assert 3 * 5 <= asked(following) <= 3 * 7 + 2 * 3


async def test_of_two_programs_that_follow_a_board_one_asks(
    tmp_path: Path, service: Service, clock: FakeClock
) -> None:
    programs = [Party(tmp_path, service, clock, 0.25) for _ in range(2)]
    for program in programs:
        program.store.connect(program.remote)
        await program.store.follow([BOARD])
    try:
        await pass_time(clock, 5)
        for program in programs:
            await program.store.load_board(BOARD)
            program.remote.calls.clear()
        service.add("Theirs", DOING)
        await pass_time(clock, 60)
        assert all("Theirs" in program.titles(DOING) for program in programs)
        assert 5 <= sum(map(asked, programs)) <= 9
        assert all(program.store.changed_by_others(BOARD) for program in programs)
    finally:
        for program in programs:
            await program.store.aclose()
