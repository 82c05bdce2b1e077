"""Everything that may become of one card's status, stage and dates before any of it is sent."""

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from tests.store.faults import Fault
from tests.store.machine.choices import DAY
from tests.store.machine.fake_remote import BOARD, DONE, OPEN
from tests.store.machine.player import Player
from tests.store.machine.rules import room
from tests.store.machine.world import QuirkyWorld, World
from tui.model.board import Place
from tui.model.task import Status, Task
from tui.store import operations as change
from tui.store.events import PendingChange
from tui.store.operations.base import Operation

NAME = "Gamma"
ACTIONS = ("due", "no due", "close", "reopen", "to done", "to open", "undo", "redo")
MENDED = [
    ("due", "to done", "undo"),
    ("due", "to done", "undo", "redo"),
    ("due", "to done", "reopen"),
    ("due", "to done", "to open", "reopen"),
    ("to done", "reopen", "close"),
    ("to done", "due", "undo", "undo"),
]


def card(player: Player) -> Task:
    assert player.view is not None
    return next(task for task in player.view.all_tasks() if task.title == NAME)


def asked_for(player: Player, action: str) -> Operation | None:
    """What a person does to the card; nothing if it is so already."""
    task = card(player)
    match action:
        case "due":
            return change.set_due(task, DAY)
        case "no due":
            return change.set_due(task, None) if task.due_at else None
        case "close" | "reopen":
            status = Status.CLOSED if action == "close" else Status.OPEN
            return None if task.status is status else change.set_status(task, status)
        case _:
            stage_id = DONE if action == "to done" else OPEN
            moves = task.stage_id != stage_id
            return change.MoveTask.on(task, stage_id, Place()) if moves else None


def do(world: World, action: str) -> None:
    player = world.players[0]
    if action in ("undo", "redo"):
        world.undo(0, redo=action == "redo", force=True)
        return
    operation = asked_for(player, action)
    if operation is not None:
        world.submit_these(0, [operation])


def status_there(world: World) -> str:
    async def looking() -> str:
        tasks = await world.witness.tasks(BOARD)
        return next(str(task["status"]) for task in tasks if task["title"] == NAME)

    return world.loop.run_until_complete(looking())


def last_word(player: Player, asked: Sequence[PendingChange], *, dates_reopen: bool) -> str:
    """The status by the last change that was not refused, as far as it bears on the status.

    Empty if that is not certain.
    """
    stuck = {waiting.id for waiting in player.store.pending()}
    for waiting in reversed(asked):
        operation = waiting.operation
        if waiting.id in stuck or (not dates_reopen and change.is_edit(operation, "due_at")):
            continue
        if change.is_edit(operation, "status"):
            return operation.text
        is_closed = isinstance(operation, change.MoveTask) and operation.closes and not stuck
        return str(Status.CLOSED) if is_closed else ""
    return ""


def play(world: World, actions: Sequence[str], refused: int | None = None, online: int = 0) -> None:
    """Some with a connection, the others without, then everything is sent.

    A request may be refused.
    """
    player = world.players[0]
    for action in actions[:online]:
        do(world, action)
        world.rest()
    player.wire.is_cut = True
    for action in actions[online:]:
        do(world, action)
    asked = player.store.pending()
    if refused is not None:
        player.wire.faults = deque([Fault.BUSY] * refused + [Fault.REFUSED])
        player.wire.is_cut = False
        world.settle()
    world.calm_down()
    assert status_there(world) == card(player).status
    status = last_word(player, asked, dates_reopen=isinstance(world, QuirkyWorld))
    assert status in ("", status_there(world))


@pytest.mark.parametrize("actions", MENDED)
def test_what_was_drawn_before_it_was_sent_is_there_afterwards(actions: Sequence[str]) -> None:
    with room() as folder:
        world = World(Path(folder))
        try:
            play(world, actions)
        finally:
            world.close()


def test_a_date_that_reopens_a_card_is_known_to_do_so_before_the_card_is_changed_again() -> None:
    with room() as folder:
        world = QuirkyWorld(Path(folder))
        try:
            play(world, ("close", "due", "reopen", "close"), online=2)
            assert status_there(world) == "closed"
        finally:
            world.close()


def test_a_card_that_a_date_reopened_is_drawn_open_while_other_changes_are_being_sent() -> None:
    with room() as folder:
        world = QuirkyWorld(Path(folder))
        try:
            player = world.players[0]
            do(world, "close")
            world.rest()
            new = [change.CreateTask.new(BOARD, OPEN, f"New {number}") for number in range(5)]
            world.submit_these(0, [change.set_due(card(player), DAY), *new])
            due_at = player.store.pending()[0].id
            while any(waiting.id == due_at for waiting in player.store.pending()):
                world.go_on(1)
            assert player.store.pending()
            assert card(player).status is Status.OPEN
        finally:
            world.close()


@pytest.mark.parametrize("actions", [("to done", "reopen", "close")])
def test_a_card_is_closed_though_the_stage_that_would_have_closed_it_refused_it(
    actions: Sequence[str],
) -> None:
    """The closing stage refuses the card, which is then reopened and closed by hand."""
    with room() as folder:
        world = World(Path(folder))
        try:
            play(world, actions, refused=0)
            assert status_there(world) == "closed"
        finally:
            world.close()


@pytest.mark.long
@pytest.mark.parametrize(
    "number",
    [pytest.param(each, marks=[pytest.mark.exhaustive] * (each % 2)) for each in range(8)],
)
def test_nothing_of_it_is_lost_in_any_order(number: int) -> None:
    chance = Random(number)  # noqa: S311  chance, not secrets
    for _ in range(25):
        actions = chance.choices(ACTIONS, k=chance.randint(2, 6))
        refused = chance.choice((None, None, 0, 1, 2))
        online = chance.choice((0, 0, 1, 2, 3))
        with room() as folder:
            world = chance.choice((World, QuirkyWorld))(Path(folder))
            try:
                play(world, actions, refused, online)
            except AssertionError as error:
                how = f"{type(world).__name__} {actions} {refused} {online}"
                raise AssertionError(how) from error
            finally:
                world.close()
