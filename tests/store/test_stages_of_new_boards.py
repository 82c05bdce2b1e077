"""A stage that is added unless a new board has it stands for that one, whatever is lost."""

import pytest

from tests.store.faults import Fault
from tests.store.party import Party
from tests.store.service import BOARD, DOING, Service
from tests.store.wire import Wire
from tui.model.task import Status
from tui.store.operations import CreateStage


async def test_the_stage_that_is_there_is_taken_with_its_status(service: Service) -> None:
    wire = Wire(service)
    before = [(stage.id, stage.title) for stage in wire.view.stages]
    for status in (Status.CLOSED, Status.CLOSED, Status.OPEN):
        create = CreateStage.new(
            BOARD, service.board()["stages"][1]["title"], status, unless_there=True
        )
        await wire.send([create], merging=False)
        view = Wire(service).view
        assert [(stage.id, stage.title) for stage in view.stages] == before
        doing = view.stage(DOING)
        assert doing is not None
        assert doing.default_status is status


async def test_one_that_is_missing_is_added(service: Service) -> None:
    wire = Wire(service)
    await wire.send([CreateStage.new(BOARD, "Later", unless_there=True)], merging=False)
    await wire.send([CreateStage.new(BOARD, "Later", unless_there=True)], merging=False)
    titles = [stage.title for stage in Wire(service).view.stages]
    assert titles.count("Later") == 1


@pytest.mark.parametrize("fault", [Fault.REPLY_LOST, Fault.REQUEST_LOST])
async def test_it_is_added_once_if_the_reply_is_lost(
    started: Party, service: Service, fault: Fault
) -> None:
    started.remote.fail_next("create_stage", fault)
    await started.store.submit(CreateStage.new(BOARD, "Later", unless_there=True))
    await started.delivered()
    titles = [stage["title"] for stage in service.board()["stages"]]
    assert titles.count("Later") == 1
    assert [stage.title for stage in started.view.stages] == titles


def test_it_is_drawn_in_the_place_of_an_empty_one(service: Service) -> None:
    view = Wire(service).view
    for title in [stage.title for stage in view.stages]:
        drawn = CreateStage.new(BOARD, title, unless_there=True).apply(view)
        is_empty = not view.in_stage(next(one.id for one in view.stages if one.title == title))
        assert [stage.title for stage in drawn.stages].count(title) == (1 if is_empty else 2)
