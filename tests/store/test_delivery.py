"""What happens when the service, or the way to it, fails."""

import asyncio
from datetime import datetime

import pytest

from tests.store.faults import Fault
from tests.store.party import Party, offline, until
from tests.store.service import BOARD, DOING, DONE, OPEN, Service
from tui.client.errors import NotOffered
from tui.errors import CallboardError
from tui.model.board import Place
from tui.model.task import Status
from tui.store.events import OperationRefused, PendingState
from tui.store.operations import (
    CreateTask,
    DeleteTask,
    MoveTask,
    set_due,
    set_status,
    set_title,
)

_DAY = datetime(2026, 12, 3, 9)  # noqa: DTZ001  wall clock
_TROUBLES = [
    Fault.REQUEST_LOST,
    Fault.REPLY_LOST,
    Fault.FAULT_BEFORE,
    Fault.FAULT_AFTER,
    Fault.REFUSED_500,
    Fault.BUSY,
    Fault.UNREACHABLE,
    Fault.PAGE,
    Fault.PAGE_AFTER,
]


@pytest.mark.parametrize("fault", _TROUBLES)
async def test_a_task_is_made_exactly_once(started: Party, service: Service, fault: Fault) -> None:
    started.remote.fail_next("create_task", fault)
    await started.store.submit(CreateTask.new(BOARD, DOING, "Once"))
    await started.delivered()
    assert service.titles(DOING) == started.titles(DOING) == ["Delta", "Once"]
    assert started.store.pending() == ()


@pytest.mark.parametrize("fault", _TROUBLES)
async def test_a_title_is_set_whatever_happens(
    started: Party, service: Service, fault: Fault
) -> None:
    started.remote.fail_next("set_task", fault, fault)
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.delivered()
    assert service.titles(OPEN) == started.titles(OPEN) == ["Omega", "Beta", "Gamma"]
    assert started.store.pending() == ()


async def test_a_change_that_waits_for_the_disk_says_so(started: Party, service: Service) -> None:
    store, run = started.store, started.store._core.outbox.connection.execute
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.until(lambda: store.pending()[0].attempts)
    run("pragma query_only = on")
    started.remote.trouble = lambda _: None
    await started.until(lambda: "the file is not writable" in store.pending()[0].reason)
    assert store.pending()[0].state is PendingState.WAITING
    assert service.titles(OPEN)[0] == "Alpha"
    run("pragma query_only = off")
    await started.delivered()
    assert service.titles(OPEN)[0] == "Omega"
    assert store.pending() == ()


@pytest.mark.parametrize("fault", _TROUBLES)
async def test_a_deletion_that_was_done_is_not_an_error(
    started: Party, service: Service, fault: Fault
) -> None:
    started.remote.fail_next("delete_task", fault)
    await started.store.submit(DeleteTask(started.task("Beta"), started.place("Beta")))
    await started.delivered()
    assert service.titles(OPEN) == started.titles(OPEN) == ["Alpha", "Gamma"]
    assert started.store.pending() == ()


async def test_a_card_that_others_moved_on_meanwhile_stands_where_they_put_it(
    started: Party, service: Service
) -> None:
    """The board is asked for after a reply that does not tell the order among others."""
    delta = started.task("Delta")
    between = Place(above=started.task("Alpha").id, below=started.task("Beta").id)

    def moved_on(call: str) -> Fault | None:
        if call in ("board", "changes_since") and service.titles(OPEN)[1] == "Delta":
            service.move(delta.id, DONE, 1)
        return None

    started.remote.trouble = moved_on
    started.remote.retold["move_task"] = lambda task: task | {"position": 2.0}
    await started.store.submit(MoveTask.on(delta, OPEN, between))
    await started.delivered()
    assert service.titles(DONE) == started.titles(DONE) == ["Delta"]
    assert started.titles(OPEN) == ["Alpha", "Beta", "Gamma"]


@pytest.mark.parametrize("fault", _TROUBLES)
async def test_a_move_lands_where_it_was_dropped(
    started: Party, service: Service, fault: Fault
) -> None:
    started.remote.fail_next("move_task", fault)
    place = Place(above=started.task("Gamma").id)
    await started.store.submit(MoveTask.on(started.task("Alpha"), OPEN, place))
    await started.delivered()
    assert service.titles(OPEN) == started.titles(OPEN) == ["Beta", "Gamma", "Alpha"]


async def test_a_task_is_made_once_although_the_program_died_on_the_way(
    started: Party, service: Service
) -> None:
    started.remote.fail_next("create_task", Fault.REPLY_LOST)
    await started.store.submit(CreateTask.new(BOARD, DOING, "Once"))
    await started.until(lambda: service.titles(DOING) == ["Delta", "Once"])
    await started.restart()
    await started.start()
    await started.delivered()
    assert service.titles(DOING) == started.titles(DOING) == ["Delta", "Once"]


async def test_a_refused_change_is_kept_with_its_reason(started: Party, service: Service) -> None:
    started.remote.fail_next("set_task", Fault.REFUSED)
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.delivered()
    assert started.titles(OPEN) == service.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
    (refused,) = started.store.pending()
    assert (refused.state, refused.reason) == (PendingState.REFUSED, "The service says no.")
    assert OperationRefused(refused) in started.events
    assert started.store.status(BOARD).refused == 1
    with pytest.raises(CallboardError, match="Nothing to undo: Rename “"):
        await started.store.undo(BOARD)
    assert await started.store.undo(BOARD) is None


async def test_a_change_made_while_a_refused_one_was_drawn_is_in_conflict_with_nobody(
    started: Party, service: Service
) -> None:
    """A dialog was open meanwhile: what it began with is no longer drawn."""
    started.remote.fail_next("set_task", Fault.REFUSED)
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    later = set_title(started.task("Omega"), "Psi")
    await started.delivered()
    assert started.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(later)
    await started.restart()
    started.remote.trouble = lambda _: None
    await started.start()
    await started.delivered()
    assert [change.state for change in started.store.pending()] == [PendingState.REFUSED]
    assert service.titles(OPEN)[0] == "Psi"


async def test_moves_that_are_joined_are_drawn_as_they_will_be_sent(started: Party) -> None:
    """A card moved through the stage that closes: it was closed before, but that is refused."""
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(set_status(started.task("Alpha"), Status.CLOSED))
    for stage_id in (DONE, DOING):
        await started.store.submit(MoveTask.on(started.task("Alpha"), stage_id, Place()))
    became = {"set_task": Fault.REFUSED, "move_task": Fault.UNREACHABLE}
    started.remote.trouble = became.get
    await started.until(lambda: started.store.status(BOARD).refused)
    await started.until(lambda: len(started.store.pending()) == 2)
    await started.until(lambda: started.task("Alpha").status is Status.OPEN)
    assert "Alpha" in started.titles(DOING)


async def test_a_refused_change_waits_over_a_restart_and_can_be_sent_again(
    started: Party, service: Service
) -> None:
    started.remote.fail_next("set_task", Fault.REFUSED)
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.delivered()
    await started.restart()
    await started.start()
    (refused,) = started.store.pending()
    await started.store.retry(refused.id)
    assert started.titles(OPEN)[0] == "Omega"
    await started.delivered()
    assert service.titles(OPEN)[0] == "Omega"
    assert started.store.pending() == ()


async def test_a_refused_change_can_be_forgotten(started: Party) -> None:
    started.remote.fail_next("set_task", Fault.REFUSED)
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.delivered()
    (refused,) = started.store.pending()
    await started.store.discard(refused.id)
    assert started.store.pending() == ()
    await started.restart()
    assert started.store.pending() == ()


async def test_what_is_on_its_way_is_not_forgotten_by_mistake(started: Party) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    (waiting,) = started.store.pending()
    with pytest.raises(CallboardError, match="is pending"):
        await started.store.discard(waiting.id)
    await started.store.retry(waiting.id)
    assert [one.id for one in started.store.pending()] == [waiting.id]


async def test_what_depends_on_a_refused_task_falls_with_it_and_rises_with_it(
    started: Party, service: Service
) -> None:
    started.remote.fail_next("create_task", Fault.REFUSED)
    made = CreateTask.new(BOARD, DOING, "New")
    drawn = made.apply(started.view).task(made.task_id)
    assert drawn is not None
    await started.store.submit(
        made, set_status(drawn, Status.CLOSED), set_title(started.task("Alpha"), "Omega")
    )
    await started.delivered()
    first, second = started.store.pending()
    assert first.reason == "The service says no."
    assert second.reason == "Add “New” was refused: The service says no."
    assert started.titles(DOING) == ["Delta"]
    assert service.titles(OPEN)[0] == "Omega", "others go on"
    await started.store.retry(second.id)
    await started.delivered()
    assert service.titles(DOING) == started.titles(DOING) == ["Delta", "New"]
    assert started.task("New").is_closed


async def test_a_date_that_was_set_and_taken_back_stays_so_when_the_card_is_tried_again(
    started: Party, service: Service
) -> None:
    await offline(started, CreateTask.new(BOARD, DOING, "New"))
    # Dates before and after a change of the status do not become one, as a date may reopen a card.
    for status, dates in (
        (Status.CLOSED, [_DAY]),
        (Status.OPEN, [_DAY.replace(day=4), _DAY]),
        (Status.CLOSED, [None]),
    ):
        for date in dates:
            await started.store.submit(set_due(started.task("New"), date))
        await started.store.submit(set_status(started.task("New"), status))
    started.remote.trouble = lambda name: Fault.REFUSED if name == "create_task" else None
    await started.store.refresh(BOARD)
    await started.until(lambda: started.store.pending()[0].state is PendingState.REFUSED)
    started.remote.trouble = lambda _: None
    await started.store.retry(started.store.pending()[0].id)
    assert started.task("New").due_at is None
    await started.delivered()
    assert service.titles(DOING) == ["Delta", "New"]
    assert started.task("New").due_at is None


@pytest.mark.parametrize("is_retried_later", [False, True])
async def test_what_is_changed_while_a_refused_task_is_tried_again_follows_it(
    started: Party, service: Service, *, is_retried_later: bool
) -> None:
    started.remote.fail_next("create_task", Fault.REFUSED)
    made = CreateTask.new(BOARD, DOING, "New")
    drawn = made.apply(started.view).task(made.task_id)
    assert drawn is not None
    await started.store.submit(made)
    await started.delivered()
    (refused,) = started.store.pending()
    # A dialog that was opened before it was refused is closed as the person asks to try again.
    submitting = asyncio.create_task(started.store.submit(set_status(drawn, Status.CLOSED)))
    if is_retried_later:
        await started.until(lambda: len(started.store.pending()) > 1)
    else:
        await asyncio.sleep(0)
    await started.store.retry(refused.id)
    await submitting
    await started.delivered()
    assert started.store.pending() == ()
    assert service.titles(DOING) == started.titles(DOING) == ["Delta", "New"]
    assert started.task("New").is_closed


async def test_forgetting_a_refused_task_forgets_what_depends_on_it(started: Party) -> None:
    started.remote.fail_next("create_task", Fault.REFUSED)
    made = CreateTask.new(BOARD, DOING, "New")
    drawn = made.apply(started.view).task(made.task_id)
    assert drawn is not None
    await started.store.submit(made, set_status(drawn, Status.CLOSED))
    await started.delivered()
    await started.store.discard(started.store.pending()[0].id)
    assert started.store.pending() == ()


async def test_a_change_of_a_task_never_made_is_refused(started: Party) -> None:
    made = CreateTask.new(BOARD, DOING, "Never")
    drawn = made.apply(started.view).task(made.task_id)
    assert drawn is not None
    await started.store.submit(set_title(drawn, "Newer"))
    await started.delivered()
    (refused,) = started.store.pending()
    assert refused.state is PendingState.REFUSED
    assert "never created, or is no longer cached" in refused.reason


async def test_what_cannot_be_told_is_left_to_a_person(started: Party, service: Service) -> None:
    alpha = started.task("Alpha")

    def interfere(name: str) -> Fault | None:
        if name == "set_task":
            service.set(alpha.id, "title", "Theirs")
            started.remote.trouble = lambda _: None
            return Fault.REQUEST_LOST
        return None

    started.remote.trouble = interfere
    await started.store.submit(set_title(alpha, "Mine"), set_title(started.task("Beta"), "Other"))
    await started.until(lambda: len(started.store.pending()) == 1)
    await started.store.submit(set_title(started.task("Mine"), "Mine again"))
    first, second = started.store.pending()
    assert (first.state, second.state) == (PendingState.UNSURE, PendingState.WAITING)
    assert service.titles(OPEN)[0] == "Theirs"
    assert started.titles(OPEN)[0] == "Mine again"
    await started.store.retry(first.id)
    await started.delivered()
    assert service.titles(OPEN)[0] == "Mine again"
    assert started.store.pending() == ()


async def test_an_unsure_change_can_be_forgotten(started: Party, service: Service) -> None:
    alpha = started.task("Alpha")

    def interfere(name: str) -> Fault | None:
        if name == "set_task":
            service.set(alpha.id, "title", "Theirs")
            return Fault.REQUEST_LOST
        return None

    started.remote.trouble = interfere
    await started.store.submit(set_title(alpha, "Mine"))
    await started.delivered()
    (unsure,) = started.store.pending()
    assert unsure.state is PendingState.UNSURE
    await started.store.discard(unsure.id)
    await started.store.refresh(BOARD)
    assert started.titles(OPEN)[0] == "Theirs"


async def test_a_passing_problem_is_told_and_tried_with_growing_pauses(started: Party) -> None:
    pauses: dict[int, float] = {}

    def note(_: object) -> None:
        for entry in started.store._core.queue.all():
            if entry.next_try is not None:
                pause = (entry.next_try - started.clock.now()).total_seconds()
                pauses.setdefault(entry.attempts, pause)

    started.store.subscribe(note)
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.until(lambda: len(pauses) == 8)
    assert started.store.status(BOARD).problem == "The service cannot be reached."
    (waiting,) = started.store.pending()
    assert waiting.reason == "The service cannot be reached."
    for attempts, pause in pauses.items():
        assert min(60, 2**attempts) / 2 <= pause <= min(60, 2**attempts)
    started.remote.trouble = lambda _: None
    await started.delivered()
    assert started.store.status(BOARD).problem == ""


async def test_wrong_credentials_keep_the_change(started: Party, service: Service) -> None:
    started.remote.fail_next("set_task", Fault.LOCKED_OUT)
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.until(lambda: started.store.status(BOARD).problem)
    assert started.store.status(BOARD).problem == "The password is not accepted."
    (waiting,) = started.store.pending()
    assert waiting.state is PendingState.WAITING
    assert started.titles(OPEN)[0] == "Omega"
    await started.delivered()
    assert service.titles(OPEN)[0] == "Omega"


async def test_a_task_that_others_deleted_refuses_the_change(
    started: Party, service: Service
) -> None:
    alpha = started.task("Alpha")
    service.delete(alpha.id)
    await started.store.submit(set_title(alpha, "Omega"))
    await started.delivered()
    (refused,) = started.store.pending()
    assert refused.reason.startswith("There is no such task.")
    assert "Discard this change" in refused.reason


async def test_a_mistake_of_the_program_is_told_and_loses_nothing(started: Party) -> None:
    def mistaken(name: str) -> Fault | None:
        raise ZeroDivisionError(name)

    started.remote.trouble = mistaken
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await until(started.store, lambda: started.store.status(BOARD).problem)
    assert "internal error" in started.store.status(BOARD).problem
    assert len(started.store.pending()) == 1


async def test_changes_wait_for_a_board_whose_cache_is_gone(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.store.aclose()
    for file in (started.folder / "cache" / "default").iterdir():
        file.unlink()
    started.remote.trouble = lambda _: None
    started.open()
    started.store.connect(started.remote)
    await started.delivered()
    assert service.titles(OPEN)[0] == "Omega"
    assert started.store.pending() == ()


@pytest.mark.parametrize("is_listed", [True, False])
async def test_a_new_task_that_others_archived_is_not_made_again(
    started: Party, service: Service, *, is_listed: bool
) -> None:
    """Where the service does not list archived tasks, they are found by the board's activities."""
    lost = [Fault.REPLY_LOST]

    def trouble(call: str) -> Fault | None:
        if call == "create_task" and lost:
            return lost.pop()
        if call == "archived_tasks" and not is_listed:
            raise NotOffered("It has no such list.")
        if call == "tasks" and service.titles(DOING)[1:] == ["Once"]:
            service.set(service.lane(DOING)[1]["id"], "archived_at", "2026-11-20 09:00:00")
        return None

    started.remote.trouble = trouble
    await started.store.submit(CreateTask.new(BOARD, DOING, "Once"))
    await started.delivered()
    assert started.store.pending() == ()
    assert started.titles(DOING) == service.titles(DOING) == ["Delta"]
    assert service.archived() == [("Once", "open")]


async def test_a_problem_of_sending_ends_with_the_change_that_is_undone(started: Party) -> None:
    started.remote.fail_next("create_task", Fault.BUSY)
    await started.store.submit(CreateTask.new(BOARD, DOING, "New"))
    await started.until(lambda: started.store.status(BOARD).problem)
    await started.store.undo(BOARD)
    await started.until(lambda: not started.store.pending())
    assert not started.store.status(BOARD).problem
