"""A label that is created with the card that names it: without a connection, and refused."""

from tests.store.faults import Fault
from tests.store.party import Party
from tests.store.service import BOARD, DOING, Service
from tui.model.task import Task
from tui.store.events import OperationRefused, PendingState
from tui.store.operations import CreateTask, add_label, create_labels
from tui.store.operations.base import Operation


def card_with_label() -> list[Operation]:
    """A new card with a new label, as the board submits it."""
    (label,) = create_labels(BOARD, ["login"], ())
    card = CreateTask.new(BOARD, DOING, "Fix it")
    on_card = add_label(Task(card.task_id, BOARD, DOING, "Fix it"), label.label)
    return [label, card, on_card]


async def test_what_was_typed_offline_is_sent_with_the_ids_of_the_service(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(*card_with_label())
    assert [label.title for label in started.task("Fix it").labels] == ["login"]
    await started.restart()
    started.remote.trouble = lambda _: None
    await started.start()
    await started.delivered()
    card = started.task("Fix it")
    assert card.id > 0
    assert [(label.title, label.id > 0) for label in card.labels] == [("login", True)]
    assert [one["title"] for one in service.task(card.id)["labels"]] == ["login"]
    assert started.store.pending() == ()


async def test_one_undo_takes_back_the_card_and_its_label(started: Party, service: Service) -> None:
    labels = started.view.labels
    await started.store.submit(*card_with_label())
    await started.delivered()
    await started.store.undo(BOARD)
    await started.delivered()
    assert "Fix it" not in service.titles(DOING)
    assert started.view.labels == labels


async def test_a_service_that_creates_no_labels_still_gets_the_card(
    started: Party, service: Service
) -> None:
    started.remote.fail_next("create_label", Fault.REFUSED)
    await started.store.submit(*card_with_label())
    await started.delivered()
    assert service.titles(DOING) == ["Delta", "Fix it"]
    assert started.task("Fix it").labels == ()
    refused = started.store.pending()
    assert {change.state for change in refused} == {PendingState.REFUSED}
    assert [change.operation.describe() for change in refused] == [
        "Add the label “login”",
        "Label “Fix it” with “login”",
    ]
    assert OperationRefused(refused[0], 1) in started.events
