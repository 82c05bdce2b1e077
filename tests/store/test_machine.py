"""Nothing is lost: histories made up by Hypothesis, and those that once went wrong.

`python -m tests.store.machine 2000` plays many more.
"""

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.store.faults import Fault
from tests.store.machine.real import RealMachine, RealQuirkyMachine
from tests.store.machine.rules import KeyedMachine, Machine, QuirkyMachine


def _play(machine: type[Machine], number: int, histories: int) -> None:
    how = settings(
        max_examples=histories,
        stateful_step_count=25,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seed(number)(machine), settings=how)


@pytest.mark.parametrize("machine", [Machine, QuirkyMachine, KeyedMachine])
def test_nothing_is_lost(machine: type[Machine]) -> None:
    _play(machine, 1, 3)


@pytest.mark.long
@pytest.mark.parametrize("machine", [RealMachine, RealQuirkyMachine])
def test_nothing_is_lost_at_the_real_service(machine: type[Machine]) -> None:
    _play(machine, 1, 1)


def test_a_task_that_moved_while_the_board_was_loaded_stands_once() -> None:
    state = Machine()
    state.happens(a=4, b=3, what="archive_task", who=1)
    state.happens(a=5, b=3, what="set_start", who=0)
    state.happens(a=4, b=5, what="clone_task", who=0)
    state.happens(a=2, b=3, what="undo", who=0)
    state.happens(a=0, b=4, what="undo", who=1)
    state.happens(a=2, b=2, what="move_task", who=0)
    state.happens(a=4, b=1, what="restart", who=0)
    state.happens(a=6, b=2, what="restart", who=0)
    state.happens(a=6, b=4, what="undo", who=0)
    state.teardown()


def test_what_a_short_reply_leaves_out_is_no_conflict() -> None:
    state = QuirkyMachine()
    state.happens(what="open_task", who=0)
    state.happens(what="pass_time", who=0)
    state.happens(what="set_priority", who=0, a=4, b=1)
    state.happens(what="pass_time", who=0)
    state.happens(what="close_task", who=0, a=4, b=1)
    state.happens(what="jump", who=0)  # so that it counts as having waited
    state.happens(what="pass_time", who=0)
    state.teardown()


def test_what_is_done_while_a_new_task_gets_its_number_is_drawn() -> None:
    state = Machine()
    state.happens(a=0, b=4, what="open_board", who=1)
    state.happens(a=2, b=4, what="rename_group", who=1)
    state.happens(a=0, b=0, what="restore_task", who=0)
    state.happens(a=1, b=3, what="pass_time", who=0)
    state.happens(a=5, b=0, what="go_on", who=1)
    state.happens(a=4, b=5, what="join", who=0)
    state.happens(a=2, b=0, what="pass_time", who=0)
    state.happens(a=0, b=2, what="set_reminder", who=0)
    state.happens(a=5, b=0, what="go_on", who=1)
    state.happens(a=2, b=1, what="undo", who=1)
    state.happens(a=1, b=6, what="to_subtask", who=1)
    state.happens(a=5, b=0, what="add_label", who=1)
    state.happens(a=1, b=0, what="trouble", who=0)
    state.happens(a=0, b=5, what="open_board", who=1)
    state.happens(a=2, b=4, what="set_template", who=0)
    state.happens(a=1, b=6, what="rename_board", who=1)
    state.happens(a=0, b=0, what="restore_task", who=0)
    state.happens(a=0, b=1, what="undo", who=1)
    state.happens(a=4, b=4, what="assign", who=0)
    state.happens(a=4, b=6, what="assign", who=0)
    state.teardown()


def test_what_the_first_of_two_requests_set_is_known_after_the_second() -> None:
    state = QuirkyMachine()
    state.happens(a=3, b=5, what="set_reminder", who=1)
    state.happens(a=2, b=4, what="restart", who=1)
    state.happens(a=4, b=4, what="undo", who=1)
    state.happens(a=0, b=6, what="create_subtask", who=0)
    state.happens(a=6, b=0, what="set_priority", who=1)
    state.happens(a=2, b=2, what="set_reminder", who=1)
    state.happens(a=1, b=1, what="cut", who=1)
    state.happens(a=1, b=6, what="set_priority", who=1)
    state.teardown()


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
    state = KeyedMachine()
    state.happens(what="trouble", who=1)  # the reply is lost
    state.happens(what="rename_task", who=1)
    state.happens(what="rename_task", who=0)
    state.teardown()


def test_a_kept_reply_is_not_believed_to_tell_the_latest() -> None:
    state = KeyedMachine()
    state.happens(a=6, b=4, what="redo", who=0)
    state.happens(a=1, b=4, what="refresh", who=1)
    state.happens(a=4, b=1, what="delete_comment", who=1)
    state.happens(a=0, b=3, what="set_priority", who=0)
    state.happens(a=4, b=6, what="clone_subtask", who=1)
    state.happens(a=3, b=4, what="delete_comment", who=0)
    state.happens(a=3, b=0, what="to_subtask", who=1)
    state.happens(a=0, b=5, what="lose_cache", who=1)
    state.happens(a=6, b=5, what="reply", who=1)
    state.happens(a=3, b=1, what="kill", who=1)
    state.happens(a=0, b=5, what="rename_task", who=0)
    state.happens(a=6, b=6, what="set_start", who=1)
    state.happens(a=3, b=6, what="watch", who=1)
    state.happens(a=2, b=0, what="decide", who=0)
    state.happens(a=3, b=0, what="create_group", who=0)
    state.happens(a=1, b=4, what="clone_subtask", who=1)
    state.happens(a=1, b=4, what="to_subtask", who=1)
    state.happens(a=1, b=1, what="set_template", who=0)
    state.happens(a=2, b=0, what="set_reminder", who=1)
    state.happens(a=4, b=4, what="undo", who=0)
    state.teardown()


def test_a_card_that_is_closed_after_its_due_date_was_set_is_closed() -> None:
    state = QuirkyMachine()
    state.happens(a=0, b=5, what="close_task", who=0)
    state.happens(a=0, b=6, what="set_due", who=0)
    state.happens(a=0, b=0, what="close_task", who=0)
    state.happens(a=0, b=5, what="close_task", who=0)
    state.teardown()


def test_a_field_that_somebody_deleted_meanwhile_is_not_moved() -> None:
    state = Machine()
    state.happens(a=3, b=3, what="refused", who=0)
    state.happens(a=6, b=1, what="kill", who=0)
    state.happens(a=2, b=0, what="move_field", who=1)
    state.happens(a=4, b=5, what="delete_field", who=0)
    state.happens(a=5, b=5, what="pass_time", who=0)
    state.happens(a=0, b=3, what="kill", who=1)
    state.happens(a=1, b=1, what="refused", who=1)
    state.teardown()


def test_comments_by_others_below_ones_own_are_fetched() -> None:
    """Others comment while one cannot send: the newest page then holds one's own, with a gap."""
    state = KeyedMachine()
    state.happens(a=3, b=2, what="trouble", who=1)
    state.happens(a=2, b=6, what="show_picture", who=1)
    state.happens(a=6, b=0, what="delete_comment", who=0)
    state.happens(a=5, b=3, what="reply", who=0)
    state.happens(a=3, b=4, what="comment", who=1)
    state.happens(a=1, b=0, what="cut", who=1)
    state.teardown()


@pytest.mark.long
@pytest.mark.parametrize("turns", range(7))
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
    state = Machine()
    state.happens(what="cut", who=0)
    state.happens(what="set_due", who=0, b=1)
    state.happens(what="move_task", who=0, b=2)
    state.happens(what="undo", who=0)
    state.teardown()
