"""A stage comes back with its tasks in their order."""

from decimal import Decimal

from hypothesis import given, settings, strategies as st

from tests.client.deployed_services.deployed import BOARD, OPEN, Deployed, examples
from tui.client.capabilities import Capabilities

_TASKS = range(1, 8)


def _archived() -> Deployed:
    service = Deployed()
    for task_id in _TASKS:
        service.add(task_id)
        service.tasks[task_id]["archived_at"] = "2026-11-21 12:00:00"
    return service


@settings(max_examples=examples(12), deadline=None)
@given(order=st.permutations(_TASKS), reverses_ties=st.booleans())
async def test_the_order_is_put_back(order: list[int], reverses_ties: bool) -> None:
    service = _archived()
    service.reverses_ties = reverses_ties
    async with service.client() as client:
        restored = await client.restore_stage(BOARD, OPEN, order)
    assert service.order() == order
    assert restored["id"] == OPEN
    assert len({task["position"] for task in service.tasks.values()}) == len(order)


async def test_no_more_tasks_are_moved_than_have_to() -> None:
    service = _archived()
    async with service.client() as client:
        await client.restore_stage(BOARD, OPEN, [2, 3, 4, 5, 6, 1, 7])
    assert service.order() == [2, 3, 4, 5, 6, 1, 7]
    assert service.count("move-task") == 1


async def test_tasks_that_are_gone_or_new_do_no_harm() -> None:
    service = _archived()
    del service.tasks[3]
    async with service.client() as client:
        await client.restore_stage(BOARD, OPEN, [99, 7, 3, 1, 1])
    order = service.order()
    assert order.index(7) < order.index(1)
    assert sorted(order) == [1, 2, 4, 5, 6, 7]


async def test_where_the_service_kept_the_order_nothing_is_moved() -> None:
    service = _archived()

    def keep(call: str) -> None:
        if call.startswith("GET"):
            for task_id, task in service.tasks.items():
                task["position"] = Decimal(task_id)

    service.interfere = keep
    async with service.client() as client:
        await client.restore_stage(BOARD, OPEN, [7, 6, 5, 4, 3, 2, 1])
    assert service.count("PUT") == 1


async def test_without_an_order_and_where_the_service_is_trusted_it_is_one_call() -> None:
    for capabilities, order in ((Capabilities(), []), (Capabilities.embedded(), [2, 1])):
        service = _archived()
        async with service.client(capabilities) as client:
            await client.restore_stage(BOARD, OPEN, order)
        assert len(service.asked) == 1
