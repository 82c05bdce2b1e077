"""The order of subtasks in their groups, against plain lists."""

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.service.detailed_world import subtasks_in
from tests.service.world import World, furnished_world

_TASKS = "/projects/1/tasks"
_ONE = f"{_TASKS}/1"


class Groups(RuleBasedStateMachine):
    """Creates, moves, clones, converts, archives, restores, deletes; each done to lists as well."""

    def __init__(self) -> None:
        super().__init__()
        self.world = furnished_world()
        self.groups: dict[int, list[int]] = {}
        self.archived: dict[int, int] = {}

    @initialize()
    def make_groups(self) -> None:
        self.add_group()
        self.add_group()

    def some(self) -> bool:
        return any(self.groups.values())

    def pick(self, data: st.DataObject) -> tuple[int, int]:
        """A subtask and the group it is in."""
        subtask = data.draw(
            st.sampled_from(sorted(one for group in self.groups.values() for one in group))
        )
        return subtask, next(name for name, group in self.groups.items() if subtask in group)

    def pick_group(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from(sorted(self.groups)))

    @precondition(lambda self: len(self.groups) < 4)
    @rule()
    def add_group(self) -> None:
        made = self.world.done("bob", "POST", f"{_ONE}/subtask-group", {"title": "G"})
        self.groups[made.at("subtaskGroup.id")] = []

    @precondition(lambda self: len(self.groups) > 2)
    @rule(data=st.data())
    def delete_group(self, data: st.DataObject) -> None:
        group = self.pick_group(data)
        self.world.done("bob", "DELETE", f"{_ONE}/subtask-group", {"group_id": group})
        del self.groups[group]
        self.archived = {one: place for one, place in self.archived.items() if place != group}

    @rule(data=st.data(), is_first=st.booleans())
    def create(self, data: st.DataObject, *, is_first: bool) -> None:
        group = self.pick_group(data)
        body = {"title": "x", "group_id": group, "add_to_top": is_first}
        made = self.world.done("bob", "POST", f"{_ONE}/subtasks", body).at("subtask.id")
        self.groups[group].insert(0 if is_first else len(self.groups[group]), made)

    @precondition(some)
    @rule(data=st.data(), index=st.integers(1, 9), stays=st.booleans())
    def reposition(self, data: st.DataObject, index: int, *, stays: bool) -> None:
        subtask, old = self.pick(data)
        new = old if stays else self.pick_group(data)
        body = {"newPosition": index} | ({} if stays else {"newSubtasksGroupId": new})
        path = f"{_TASKS}/update-subtask-position/{subtask}"
        changed = self.world.done("bob", "PUT", path, body).at("changedSubtasks")
        assert subtask in [task["id"] for task in changed]
        self.groups[old].remove(subtask)
        self.groups[new].insert(index - 1, subtask)

    @precondition(some)
    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        everyone = sorted(one for group in self.groups.values() for one in group)
        moved = data.draw(st.lists(st.sampled_from(everyone), min_size=1, max_size=3, unique=True))
        target = self.pick_group(data)
        body = {"group_id": target, "subtask_id": moved}
        self.world.done("bob", "POST", f"{_ONE}/move-subtask", body)
        for subtask in moved:
            if subtask not in self.groups[target]:
                next(g for g in self.groups.values() if subtask in g).remove(subtask)
                self.groups[target].append(subtask)

    @precondition(some)
    @rule(data=st.data())
    def clone(self, data: st.DataObject) -> None:
        subtask, group = self.pick(data)
        path = f"{_TASKS}/{subtask}/clone-subtask"
        made = self.world.done("bob", "POST", path).at("subtask.id")
        self.groups[group].insert(self.groups[group].index(subtask) + 1, made)

    @rule(data=st.data())
    def convert(self, data: st.DataObject) -> None:
        task = {"title": "x", "board_id": 1, "stage_id": 1}
        made = self.world.done("bob", "POST", _TASKS, {"task": task}).at("task.id")
        group = self.pick_group(data)
        body = {"parent_id": 1, "subtaskGroupId": group}
        self.world.done("bob", "PUT", f"{_TASKS}/{made}/convert-to-subtask", body)
        self.groups[group].append(made)

    @precondition(some)
    @rule(data=st.data())
    def move_to_board(self, data: st.DataObject) -> None:
        subtask, group = self.pick(data)
        self.world.done("bob", "PUT", f"{_TASKS}/{subtask}/move-to-board", {"stage_id": 2})
        self.groups[group].remove(subtask)

    @precondition(some)
    @rule(data=st.data())
    def archive(self, data: st.DataObject) -> None:
        subtask, group = self.pick(data)
        self.put_archived(subtask, value=True)
        self.groups[group].remove(subtask)
        self.archived[subtask] = group

    @precondition(lambda self: self.archived)
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        subtask = data.draw(st.sampled_from(sorted(self.archived)))
        self.put_archived(subtask, value=None)
        self.groups[self.archived.pop(subtask)].insert(0, subtask)

    def put_archived(self, subtask: int, *, value: bool | None) -> None:
        body = {"property": "archived_at", "value": value}
        self.world.done("bob", "PUT", f"{_TASKS}/{subtask}", body)

    @precondition(some)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        subtask, group = self.pick(data)
        self.world.done("bob", "DELETE", f"{_TASKS}/{subtask}/delete-subtask")
        self.groups[group].remove(subtask)

    @invariant()
    def service_agrees(self) -> None:
        assert subtasks_in(self.world) == self.groups
        with self.world.database.transaction(writing=False) as db:
            shared = db.all(
                """select subtask_group_id, position from task
                where archived_at is null and parent_id is not null
                group by subtask_group_id, position having count(*) > 1"""
            )
            count = db.value("select count(*) from task where parent_id is not null")
        assert shared == []
        assert count == sum(map(len, self.groups.values())) + len(self.archived)

    def teardown(self) -> None:
        self.world.close()


TestGroups = Groups.TestCase
TestGroups.settings = settings(
    max_examples=5,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.mark.long
def test_hundreds_of_moves_to_one_place_keep_their_order(world: World) -> None:
    world.done("bob", "POST", f"{_ONE}/subtask-group", {"title": "G"})
    for title in "abc":
        world.done("bob", "POST", f"{_ONE}/subtasks", {"title": title, "group_id": 1})
    line = subtasks_in(world)[1]
    for turn in range(120):
        subtask = line[-1]
        path = f"{_TASKS}/update-subtask-position/{subtask}"
        world.done("bob", "PUT", path, {"newPosition": 1 + turn % 2})
        line.remove(subtask)
        line.insert(turn % 2, subtask)
        assert subtasks_in(world)[1] == line
