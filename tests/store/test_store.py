"""The store as a whole: what is drawn, what is sent and what comes of it."""

from tests.store.fake_remote import BOARD, DOING, DONE, OPEN, Fault, FakeService
from tests.store.party import Party
from tui.model.board import Place
from tui.model.task import Priority, Status
from tui.store.operations import ArchiveTask, CreateTask, DeleteTask, MoveTask, SetStatus, SetTitle
from tui.store.protocol import BoardChanged, WaitingState


async def test_a_change_is_drawn_before_the_service_answers(started: Party) -> None:
    started.remote.fail_next("set_task", Fault.UNREACHABLE)
    await started.store.submit(SetTitle.on(started.task("Alpha"), "Omega"))
    assert started.titles(OPEN) == ["Omega", "Beta", "Gamma"]
    assert started.view.pending == {started.task("Omega").id}


async def test_a_change_reaches_the_service(started: Party, service: FakeService) -> None:
    await started.store.submit(SetTitle.on(started.task("Alpha"), "Omega"))
    await started.delivered()
    assert service.titles(OPEN) == ["Omega", "Beta", "Gamma"]
    assert started.titles(OPEN) == ["Omega", "Beta", "Gamma"]
    assert started.view.pending == frozenset()


async def test_a_new_task_gets_the_id_of_the_service(started: Party, service: FakeService) -> None:
    made = CreateTask.new(BOARD, OPEN, "New", Priority.HIGH)
    await started.store.submit(made, MoveTask.on(
        made.apply(started.view).task(made.task_id), OPEN, Place(below=started.task("Alpha").id)))
    assert started.titles(OPEN) == ["New", "Alpha", "Beta", "Gamma"]
    await started.delivered()
    assert service.titles(OPEN) == ["New", "Alpha", "Beta", "Gamma"]
    renames = [dict(event.renamed) for event in started.events
               if isinstance(event, BoardChanged) and event.renamed]
    assert renames == [{made.task_id: started.task("New").id}]
