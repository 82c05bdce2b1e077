"""Members of a board: what others changed meanwhile, and what the service makes of a removal."""

from typing import Any

from tests.store.detail_cases import BEN_COOK
from tests.store.faults import Fault
from tests.store.party import Party, offline, online
from tests.store.service import ANN, BEN, BOARD, Service
from tui.model.people import Role
from tui.model.task import Person
from tui.store.events import PendingState
from tui.store.operations import Baseline, SetRole, set_assignees
from tui.store.operations.base import FieldDifference


def role_of(party: Party, role: Role | None) -> SetRole:
    """The change of Ben's role, as the person sees the board."""
    return SetRole.on(party.view.board, BEN_COOK, role)


async def test_a_role_that_somebody_else_changed_is_a_conflict(
    started: Party, service: Service
) -> None:
    await offline(started, role_of(started, Role.MANAGER))
    assert started.view.board.member_role(BEN) is Role.MANAGER
    service.ask("POST", f"/projects/{BOARD}/user/{BEN}/make-viewer")
    await online(started)
    (waiting,) = started.store.pending()
    assert waiting.state is PendingState.CONFLICT
    assert waiting.differences == (FieldDifference("role", "manager", "viewer", "member"),)
    assert started.view.board.member_role(BEN) is Role.VIEWER
    await started.store.resolve(waiting.id, "mine")
    await started.delivered()
    assert service.roles()["ben"] == "admin"


async def test_half_of_the_way_to_a_manager_is_no_conflict(
    started: Party, service: Service
) -> None:
    service.ask("POST", f"/projects/{BOARD}/user/{BEN}/make-viewer")
    await started.store.refresh(BOARD)
    await offline(started, role_of(started, Role.MANAGER))
    service.ask("POST", f"/projects/{BOARD}/user/{BEN}/make-member")
    await online(started)
    assert started.store.pending() == ()
    assert service.roles()["ben"] == "admin"


async def test_who_is_removed_leaves_the_cards_as_far_as_the_service_says(
    started: Party, service: Service
) -> None:
    alpha, beta = started.task("Alpha"), started.task("Beta")
    for task in (alpha, beta):
        service.assign(task.id, [BEN, ANN])
    await started.store.refresh(BOARD)
    await started.store.submit(role_of(started, None))
    assert assigned(started, "Alpha") == assigned(started, "Beta") == {ANN}
    await started.delivered()
    assert assigned(started, "Alpha") == assigned(started, "Beta") == {ANN}
    await started.store.undo(BOARD)
    await started.delivered()
    assert assigned(started, "Alpha") == assigned(started, "Beta") == {ANN, BEN}
    started.remote.retold["task"] = lambda task: {**task, "assignees": [{"ID": BEN}, {"ID": ANN}]}
    await started.store.submit(role_of(started, None))
    await started.delivered()
    assert assigned(started, "Alpha") == {ANN, BEN}, "this service leaves them assigned"


async def test_who_is_added_is_assigned_after_that_only(started: Party, service: Service) -> None:
    alpha = started.task("Alpha")
    service.ask("POST", f"/projects/{BOARD}/user/{BEN}/remove")
    await started.store.refresh(BOARD)
    added = role_of(started, Role.VIEWER)
    assigns = set_assignees(alpha, [BEN_COOK])
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(added)
    await started.store.submit(assigns)
    await started.store.submit(role_of(started, Role.MEMBER))
    await online(started)
    assert started.store.pending() == ()
    assert (assigned(started, "Alpha"), service.roles()["ben"]) == ({BEN}, "member")


async def test_a_board_that_one_left_is_not_there_any_more(
    started: Party, service: Service
) -> None:
    left = SetRole.on(started.view.board, Person(ANN, "Ann Miller", "ann"), None)
    remote = service.client("ann")
    reply = await left.deliver(remote, started.view)
    assert [(one.kind, one.id, one.document) for one in reply.parts] == [("board", BOARD, None)]
    assert (await left.already_done(remote, Baseline())).done is True


def assigned(party: Party, title: str) -> set[Any]:
    """The ids of the assignees of a card, as drawn."""
    return {one.id for one in party.task(title).assignees}
