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
        """The request with the group that the real service wants."""
        if asked.ids("POST", _SUBTASKS):
            listed = await onward(asked.instead("GET", asked.path))
            groups = listed.body.get("subtaskGroups") if listed.is_success else None
            if groups == []:
                path = asked.path.removesuffix("s") + "-group"
                made = await onward(asked.instead("POST", path, {"title": "Subtasks"}))
                groups = [made.body.get("subtaskGroup", {"id": 0})]
            group_id = groups[0]["id"] if groups else 0
            return asked.saying(asked.body | {"group_id": group_id})
        if asked.ids("PUT", _REPOSITION) or asked.path.endswith("/convert-to-subtask"):
            named = ("newSubtasksGroupId", "subtaskGroupId")
            return asked.saying({k: v for k, v in asked.body.items() if k not in named})
        return asked
