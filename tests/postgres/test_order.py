"""The order of a stage on PostgreSQL, against a plain list; and a stage whose gaps run out."""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.postgres.worlds import Worlds
from tests.service.test_order import Lanes
from tests.service.world import World
from tui.service.tables.positions import SMALLEST_GAP

pytestmark = pytest.mark.long

_FEW = settings(
    max_examples=4,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def test_lanes(worlds: Worlds) -> None:
    class PostgresLanes(Lanes):
        def new_world(self) -> World:
            return worlds.fresh("bare")

        def teardown(self) -> None:
            """The worlds are closed together."""

    run_state_machine_as_test(PostgresLanes, settings=_FEW)


def test_a_stage_whose_gaps_run_out_is_numbered_anew(world: World) -> None:
    touched = []
    for turn in range(50):
        body = {"newStageId": 1, "newIndex": 1}
        answer = world.done("ann", "PUT", f"/projects/1/tasks/{turn % 2 + 1}/move-task", body)
        touched.append(len(answer.body["updatedTasks"]))
    assert set(touched) == {1, 2}
    with world.database.transaction(writing=False) as db:
        rows = db.all("select position from task where archived_at is null order by position")
    assert all(b["position"] - a["position"] >= SMALLEST_GAP / 2 for a, b in pairwise(rows))
