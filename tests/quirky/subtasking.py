"""Subtasks as an old edition has them: in no groups, and not to be read by themselves."""

from dataclasses import dataclass

from tests.quirky.asking import Answer, Asked, Onward, objects
from tests.quirky.quirks import Quirks

_TASK = "/projects/{board}/tasks/{task}"
_SUBTASKS = _TASK + "/subtasks"
_REPOSITION = "/projects/{board}/tasks/update-subtask-position/{subtask}"


@dataclass(frozen=True, slots=True)
class Subtasking:
    """Answers about subtasks; keeps those of a task in one group that nobody is told of."""

    quirks: Quirks

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        if self.quirks.no_subtask_groups:
            asked = await self._grouped(asked, onward)
        answer = await onward(asked)
        if not answer.is_success or not isinstance(answer.body, dict):
            return answer
        if self.quirks.no_subtask_groups:
            if asked.ids("GET", _SUBTASKS):
                groups = answer.body["subtaskGroups"]
                answer.body = {"data": [one for group in groups for one in group["subtasks"]]}
            for record in objects(answer.body):
                if isinstance(record.get("meta"), dict):
                    record["meta"].pop("subtask_group_id", None)
        is_read = asked.ids("GET", _TASK) and self.quirks.subtask_read_fails
        if is_read and answer.body["task"]["parent_id"]:
            return Answer(400, "Illegal operator and value combination.")
        return answer

    async def _grouped(self, asked: Asked, onward: Onward) -> Asked:
        """The request with the group that the real service wants, whatever was sent."""
        if ids := asked.ids("POST", _SUBTASKS):
            group_id = await self._group(asked, ids["board"], ids["task"], onward)
            return asked.saying(asked.body | {"group_id": group_id})
        if ids := asked.ids("PUT", _TASK + "/convert-to-subtask"):
            parent_id = asked.body.get("parent_id", 0)
            group_id = await self._group(asked, ids["board"], parent_id, onward)
            return asked.saying(asked.body | {"subtaskGroupId": group_id})
        if asked.ids("PUT", _REPOSITION):
            return asked.saying({"newPosition": asked.body.get("newPosition")})
        return asked

    async def _group(self, asked: Asked, board_id: int, task_id: int, onward: Onward) -> int:
        """The one group of a task; 0 if the task is not there."""
        path = f"/projects/{board_id}/tasks/{task_id}/subtask"
        listed = await onward(asked.instead("GET", path + "s"))
        groups = listed.body.get("subtaskGroups") if listed.is_success else [{"id": 0}]
        if groups:
            return int(groups[0]["id"])
        made = await onward(asked.instead("POST", path + "-group", {"title": "Subtasks"}))
        return int(made.body["subtaskGroup"]["id"]) if made.is_success else 0
