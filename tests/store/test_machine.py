"""Nothing is lost: histories made up by Hypothesis, and those that once went wrong.

`python -m tests.store.machine 2000` plays many more.
"""

import asyncio

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.store.faults import Fault
from tests.store.in_loop import REPLAYED
from tests.store.machine.order import OrderMachine, TroubledOrderMachine
from tests.store.machine.real import RealMachine, RealQuirkyMachine
from tests.store.machine.rules import KeyedMachine, Machine, QuirkyMachine
from tests.store.machine.wire import Recorder, Write


def _play(machine: type[Machine], number: int, histories: int, events: int = 25) -> None:
    how = settings(
        max_examples=histories,
        stateful_step_count=events,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seed(number)(machine), settings=how)


def _replay(machine: type[Machine], story: str) -> None:
    """Play a history again: who does what, with the two numbers by which they choose, if not 0."""
    state = machine()
    for step in story.split(", "):
        who, what, *numbers = step.split()
        a, b = map(int, numbers or ("0", "0"))
        state.happens(what=what, who=int(who), a=a, b=b)
    state.teardown()


@pytest.mark.long
@pytest.mark.parametrize("machine", [Machine, QuirkyMachine, KeyedMachine])
def test_nothing_is_lost(machine: type[Machine]) -> None:
    _play(machine, 1, 3)


@pytest.mark.long
@pytest.mark.parametrize("machine", [OrderMachine, TroubledOrderMachine])
def test_what_was_shown_last_arrives(machine: type[Machine]) -> None:
    _play(machine, 1, 3, events=60)


def test_nothing_is_done_in_a_task_whose_card_has_left_the_board() -> None:
    """Its screen shows nothing any more, so that no subtask is seen that the service refuses."""
    _replay(
        OrderMachine,
        "0 open_task 1 0, 0 pass_time, 0 cut, 0 delete_task 1 0, 0 create_subtask, 0 join",
    )


def test_stages_that_were_fetched_before_a_reply_do_not_move_those_that_it_moved() -> None:
    """What fetched them waits for the board, which the reply changes first."""
    _replay(
        OrderMachine,
        "0 latency 5 3, 0 trouble, 0 trouble, 0 set_due 4 6, 0 move 6 5, 0 create_stage_at 3 "
        "4, 0 trouble, 0 trouble, 0 trouble, 0 kill 0 4, 0 trouble, 0 move_field 4 6, 0 "
        "set_due 1 4, 0 trouble, 0 trouble, 0 trouble, 0 move 5 2, 0 delete_task 3 1, 0 "
        "set_due 6 6, 0 set_due 5 5, 0 trouble, 0 trouble, 0 trouble, 0 trouble, 0 move 1 0, "
        "0 trouble, 0 latency 5 1, 0 move 2 2, 0 move_stage 2 1, 0 trouble, 0 trouble, 0 "
        "trouble, 0 trouble, 0 trouble, 0 trouble, 0 trouble, 0 move, 0 move 2 3, 0 pass_time "
        "1 4, 0 trouble, 0 kill 3 0, 0 move_stage 5 0, 0 create_at 0 6, 0 move 2 0, 0 latency "
        "0 5",
    )


def test_a_card_that_is_not_drawn_is_found_at_once() -> None:
    state = Machine()
    player = state.world.players[0]
    view = player.view
    assert view is not None
    first = next(view.all_tasks())
    player.store._parts.boards.state(player.board_id).view = view.without_task(first.id)
    with pytest.raises(AssertionError, match=first.title):
        state.world.rest()
    state.is_broken = True
    state.teardown()


def test_a_killed_program_draws_nothing_later() -> None:
    """It would come by the clock of the system, at any time, when its files are closed."""
    state = Machine()
    player = state.world.players[0]
    board = player.store._parts.boards.state(player.board_id)
    board.is_behind = True
    state.world.kill(0, 0)
    assert not board.is_behind
    state.teardown()


class _KeepsReplies:
    """Makes a stage, and answers when that is asked for again."""

    def __init__(self) -> None:
        self._asked = 0

    async def create_stage(self, board_id: int, title: str) -> dict[str, object]:
        self._asked += 1
        if self._asked == 1:
            await asyncio.Event().wait()
        replayed = REPLAYED.get()
        assert replayed is not None, "the recorder did not ask whether a reply was kept"
        replayed.append("/stages")
        return {"id": 4, "board_id": board_id, "title": title}


async def test_what_the_service_did_while_its_caller_was_killed_is_noted_once() -> None:
    writes: list[Write] = []
    recorder = Recorder(_KeepsReplies(), 0, writes)
    call = asyncio.ensure_future(recorder.create_stage(1, "Later"))
    await asyncio.sleep(0)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    for _ in range(2):
        await recorder.create_stage(1, "Later")
    assert writes == [Write(0, "create_stage", (1, "Later"), 4)]


@pytest.mark.long
@pytest.mark.parametrize("machine", [RealMachine, RealQuirkyMachine])
def test_nothing_is_lost_at_the_real_service(machine: type[Machine]) -> None:
    _play(machine, 1, 1)


def test_a_task_that_moved_while_the_board_was_loaded_stands_once() -> None:
    _replay(
        Machine,
        "1 archive_task 4 3, 0 set_start 5 3, 0 clone_task 4 5, 0 undo 2 3, 1 undo 0 4, "
        "0 move_task 2 2, 0 restart 4 1, 0 restart 6 2, 0 undo 6 4",
    )


def test_what_a_short_reply_leaves_out_is_no_conflict() -> None:
    """The clock jumps, so that the closing counts as having waited."""
    _replay(
        QuirkyMachine,
        "0 open_task, 0 pass_time, 0 set_priority 4 1, 0 pass_time, 0 close_task 4 1, 0 jump, "
        "0 pass_time",
    )


def test_what_is_done_while_a_new_task_gets_its_number_is_drawn() -> None:
    _replay(
        Machine,
        "1 open_board 0 4, 1 rename_group 2 4, 0 restore_task, 0 pass_time 1 3, 1 go_on 5 0, "
        "0 join 4 5, 0 pass_time 2 0, 0 set_reminder 0 2, 1 go_on 5 0, 1 undo 2 1, "
        "1 to_subtask 1 6, 1 add_label 5 0, 0 trouble 1 0, 1 open_board 0 5, "
        "0 set_template 2 4, 1 rename_board 1 6, 0 restore_task, 1 undo 0 1, 0 assign 4 4, "
        "0 assign 4 6",
    )


def test_what_the_first_of_two_requests_set_is_known_after_the_second() -> None:
    _replay(
        QuirkyMachine,
        "1 set_reminder 3 5, 1 restart 2 4, 1 undo 4 4, 0 create_subtask 0 6, "
        "1 set_priority 6 0, 1 set_reminder 2 2, 1 cut 1 1, 1 set_priority 1 6",
    )


@pytest.mark.long
def test_a_copy_that_differs_from_its_source_is_no_conflict_after_a_kill() -> None:
    for jobs in range(1, 6):
        state = Machine()
        state.happens(what="set_due", who=0, b=1)
        state.happens(what="pass_time", who=0)
        state.happens(what="clone_task", who=0)
        state.happens(what="set_due", who=0, a=1, b=2)  # of the copy
        state.world.kill(0, jobs)
        state.teardown()


def test_what_arrived_before_another_changed_it_may_be_in_conflict() -> None:
    """The reply to the first is lost."""
    _replay(
        KeyedMachine,
        "1 trouble, 1 rename_task, 0 rename_task",
    )


def test_a_kept_reply_is_not_believed_to_tell_the_latest() -> None:
    _replay(
        KeyedMachine,
        "0 redo 6 4, 1 refresh 1 4, 1 delete_comment 4 1, 0 set_priority 0 3, "
        "1 clone_subtask 4 6, 0 delete_comment 3 4, 1 to_subtask 3 0, 1 lose_cache 0 5, "
        "1 reply 6 5, 1 kill 3 1, 0 rename_task 0 5, 1 set_start 6 6, 1 watch 3 6, "
        "0 decide 2 0, 0 create_group 3 0, 1 clone_subtask 1 4, 1 to_subtask 1 4, "
        "0 set_template 1 1, 1 set_reminder 2 0, 0 undo 4 4",
    )


def test_a_card_that_is_closed_after_its_due_date_was_set_is_closed() -> None:
    _replay(
        QuirkyMachine,
        "0 close_task 0 5, 0 set_due 0 6, 0 close_task, 0 close_task 0 5",
    )


def test_a_field_that_somebody_deleted_meanwhile_is_not_moved() -> None:
    _replay(
        Machine,
        "0 refused 3 3, 0 kill 6 1, 1 move_field 2 0, 0 delete_field 4 5, 0 pass_time 5 5, "
        "1 kill 0 3, 1 refused 1 1",
    )


def test_comments_by_others_below_ones_own_are_fetched() -> None:
    """Others comment while one cannot send: the newest page then holds one's own, with a gap."""
    _replay(
        KeyedMachine,
        "1 trouble 3 2, 1 show_picture 2 6, 0 delete_comment 6 0, 0 reply 5 3, 1 comment 3 4, "
        "1 cut 1 0",
    )


@pytest.mark.long
@pytest.mark.parametrize("turns", range(10))
def test_a_second_change_of_what_is_refused_is_no_conflict_after_a_kill(turns: int) -> None:
    """The program is killed while it writes that the first was refused, or just after."""
    for jobs in range(1, 5):
        state = Machine()
        state.world.players[0].wire.faults.append(Fault.REFUSED)
        state.happens(what="set_start", who=0, b=1)
        state.world.go_on(turns)
        state.world.players[0].disk.kill_after(jobs)
        state.happens(what="set_start", who=0, b=2)
        state.teardown()


def test_a_card_that_a_stage_closed_is_reopened_by_undo_though_a_date_was_set_before() -> None:
    _replay(
        Machine,
        "0 cut, 0 set_due 0 1, 0 move_task 0 2, 0 undo",
    )


@pytest.mark.long
def test_the_name_of_a_stage_that_arrived_before_others_archived_it_is_no_refusal() -> None:
    _replay(
        Machine,
        "1 set_priority 5 2, 1 archive_board 4 0, 1 undo 2 1, 1 rename_stage 4 1, 1 trouble 3 1, "
        "0 calm, 0 calm, 0 archive_stage 1 4",
    )


def test_a_card_that_was_read_before_its_label_changed_does_not_take_the_label_back() -> None:
    _replay(
        Machine,
        "1 trouble 2 0, 0 one_card 3 6, 0 calm, 1 set_cover 5 6, 1 archive_task 5 5, "
        "0 trouble 4 4, 0 to_task 5 5, 0 calm, 0 calm, 1 pass_time 6 3, 0 restore_task 1 2, "
        "0 edit_label 5 4, 1 set_contact 1 6, 0 delete_task 6 1, 0 pass_time 6 6, "
        "1 refresh 4 3, 0 restart 5 1",
    )


def test_a_move_that_took_in_those_after_a_refusal_may_leave_a_card_open() -> None:
    """They went through the stage that closes cards, after a closing that was refused."""
    _replay(Machine, "0 one_card 4 4, 0 refresh 5 4, 0 one_card 4 2")


def test_a_stage_of_which_only_the_place_is_known_is_not_drawn_yet() -> None:
    """Somebody added it meanwhile; the order of all stages came before its title."""
    _replay(
        QuirkyMachine,
        "1 sort_stage 3 6, 0 go_on 0 6, 0 create_stage_at 1 6, 0 clone_subtask 4 0, 0 "
        "move_task 0 4, 0 storm 6 1, 0 create_stage_at 3 4, 1 add_label 5 6, 0 open_task 5 5, "
        "0 move_task 1 2, 0 race 0 3, 1 set_stage_status 4 6, 0 clone_subtask 4 0, 1 redo 3 "
        "5, 0 move_task 0 0, 0 move_task 0 5, 1 create_stage_at 6 0, 0 trouble 2 1, 1 "
        "remove_label 6 6, 1 go_on 6 3",
    )


def test_a_move_waits_for_a_younger_one_that_overtook_it() -> None:
    """The card came below the one that it was drawn above: its place is known after the reply."""
    _replay(
        OrderMachine,
        "0 pass_time 3 4, 0 move 3 6, 0 restart 5 3, 0 create_at 1 0, 0 move_subtask 4 4, "
        "0 move 1 3, 0 cut 1 5, 0 kill 4 1, 0 latency 4 1, 0 undo 5 3",
    )
