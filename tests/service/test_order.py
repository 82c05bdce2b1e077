"""The order of a stage, against a plain list."""

from collections.abc import Iterator
from itertools import pairwise

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.service.world import World, memory_database
from tui.service.accounts.accounts import create_account
from tui.service.database.base import Transaction
from tui.service.tables.positions import SMALLEST_GAP, in_stage
from tui.service.times import SiteClock

STAGES = (1, 2, 3)


class Lanes(RuleBasedStateMachine):
    """Creates, moves, sorts, archives, restores, deletes; each done to lists as well."""

    def __init__(self) -> None:
        super().__init__()
        self.world = self.new_world()
        self.lanes: dict[int, list[int]] = {stage: [] for stage in STAGES}
        self.archived: dict[int, int] = {}
        self.titles: dict[int, str] = {}

    def new_world(self) -> World:
        return World()

    @initialize()
    def make_board(self) -> None:
        self.world.done("ann", "POST", "/projects", {"board": {"title": "B", "type": "to-do"}})

    def pick(self, data: st.DataObject) -> tuple[int, int]:
        """A task and the stage it is in."""
        task = data.draw(st.sampled_from(sorted(t for lane in self.lanes.values() for t in lane)))
        return task, next(stage for stage, lane in self.lanes.items() if task in lane)

    def some(self) -> bool:
        return any(self.lanes.values())

    @rule(stage=st.sampled_from(STAGES), title=st.sampled_from("abcABC"))
    def create(self, stage: int, title: str) -> None:
        task = {"title": title, "board_id": 1, "stage_id": stage}
        made = self.world.done("ann", "POST", "/projects/1/tasks", {"task": task}).at("task.id")
        self.lanes[stage].append(made)
        self.titles[made] = title

    @precondition(some)
    @rule(data=st.data(), stage=st.sampled_from(STAGES), index=st.none() | st.integers(1, 9))
    def move(self, data: st.DataObject, stage: int, index: int | None) -> None:
        task, old = self.pick(data)
        body = {"newStageId": stage, "newIndex": index}
        self.world.done("ann", "PUT", f"/projects/1/tasks/{task}/move-task", body)
        self.lanes[old].remove(task)
        lane = self.lanes[stage]
        lane.insert(len(lane) if index is None else index - 1, task)

    @precondition(some)
    @rule(data=st.data())
    def archive(self, data: st.DataObject) -> None:
        task, stage = self.pick(data)
        self.put(task, value="2026-01-01")
        self.lanes[stage].remove(task)
        self.archived[task] = stage

    @precondition(lambda self: self.archived)
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        task = data.draw(st.sampled_from(sorted(self.archived)))
        self.put(task, value=None)
        self.lanes[self.archived.pop(task)].insert(0, task)

    def put(self, task: int, value: object) -> None:
        body = {"property": "archived_at", "value": value}
        self.world.done("ann", "PUT", f"/projects/1/tasks/{task}", body)

    @precondition(some)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        task, stage = self.pick(data)
        self.world.done("ann", "DELETE", f"/projects/1/tasks/{task}")
        self.lanes[stage].remove(task)

    @rule(stage=st.sampled_from(STAGES), descending=st.booleans())
    def sort(self, stage: int, *, descending: bool) -> None:
        body = {"order": "title", "orderBy": "DESC" if descending else "ASC"}
        self.world.done("ann", "PUT", f"/projects/1/stage/{stage}/sort-task", body)
        self.lanes[stage].sort(key=lambda task: self.titles[task].casefold(), reverse=descending)

    @rule(stage=st.sampled_from(STAGES))
    def archive_all(self, stage: int) -> None:
        self.world.done("ann", "PUT", f"/projects/1/stage/{stage}/archive-all-task")
        self.archived |= dict.fromkeys(self.lanes[stage], stage)
        self.lanes[stage] = []

    @rule(stage=st.sampled_from(STAGES))
    def archive_and_restore_stage(self, stage: int) -> None:
        self.world.done("ann", "PUT", f"/projects/1/archive-stage/{stage}")
        assert self.world.tasks_in(stage) == []
        self.world.done("ann", "PUT", f"/projects/1/restore-stage/{stage}")

    @invariant()
    def service_agrees(self) -> None:
        with self.world.database.transaction(writing=False) as db:
            assert {stage: in_stage(db, stage).ids() for stage in STAGES} == self.lanes
            shared = db.all(
                """select stage_id, position from task where archived_at is null
                group by stage_id, position having count(*) > 1"""
            )
        assert shared == []

    def teardown(self) -> None:
        self.world.close()


TestLanes = Lanes.TestCase
TestLanes.settings = settings(
    max_examples=6,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def _empty_stage() -> Iterator[Transaction]:
    world_database = memory_database()
    with world_database.transaction(writing=True) as db:
        create_account(db, SiteClock(), login="a", display_name="A")
        db.run(
            """insert into board (title, type, currency, background, created_by, changed_at,
            created_at, updated_at) values ('', '', '', '', 1, '', '', '')"""
        )
        db.run(
            """insert into stage (board_id, title, position, settings, created_by, created_at,
            updated_at) values (1, '', 1, '{}', 1, '', '')"""
        )
        yield db
    world_database.close()


def _insert(db: Transaction, index: int | None) -> int:
    place = in_stage(db, 1).place(index)()
    made: int = db.value(
        """insert into task (board_id, stage_id, title, slug, type, status, priority, position,
            settings, meta, created_by, created_at, updated_at)
        values (1, 1, 't', 't', 'task', 'open', 'low', :position, '{}', '{}', 1, '', '')
        returning id""",
        position=place.position,
    )
    return made


@pytest.mark.long
def test_thousands_of_inserts_at_one_place_keep_their_order() -> None:
    for db in _empty_stage():
        lane = [_insert(db, None) for _ in range(3)]
        for _ in range(10_000):
            lane.insert(1, _insert(db, 2))
        for _ in range(500):
            lane.insert(0, _insert(db, 1))
        assert in_stage(db, 1).ids() == lane
        rows = db.all("select position from task order by position")
        gaps = [after["position"] - before["position"] for before, after in pairwise(rows)]
        assert min(gaps) >= SMALLEST_GAP / 2


def test_a_move_writes_one_row_while_there_is_room(world: World) -> None:
    before = world.tasks_in(1)
    answer = world.done(
        "ann", "PUT", "/projects/1/tasks/2/move-task", {"newStageId": 1, "newIndex": 1}
    )
    assert [task["id"] for task in answer.body["updatedTasks"]] == [2]
    assert world.tasks_in(1) == before[::-1]


@pytest.mark.long
def test_a_renumbered_stage_comes_back_whole(world: World) -> None:
    touched = []
    for turn in range(60):
        body = {"newStageId": 1, "newIndex": 1}
        answer = world.done("ann", "PUT", f"/projects/1/tasks/{turn % 2 + 1}/move-task", body)
        touched.append(sorted(task["id"] for task in answer.body["updatedTasks"]))
    assert [1, 2] in touched
    assert world.tasks_in(1) == [2, 1]
