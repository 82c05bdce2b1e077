"""Endpoints that deployed services lack, or have elsewhere.

The rule it keeps: what is not there answers 404 `rest_no_route`, whoever asks.
"""

import re
from dataclasses import dataclass, field

from tests.quirky.asking import Answer, Asked, Onward, no_route, objects
from tests.quirky.quirks import Quirks

PATH_WORD = "crew"
"""The product's own word on a service that has one."""

_EXTENDED = re.compile(
    r"/admin/folders.*|/managers/roles/.*|.*/custom-fields?(/.*)?|.*/subtasks|.*/subtask-group"
    r"|.*/(move|delete|clone)-subtask|.*/update-subtask-position/.*|.*/convert-to-subtask"
    r"|.*/move-to-board|.*/user/[0-9]+/(make|remove)-(manager|member|viewer)"
)
_PEOPLE = re.compile(r"/(search-)?service-users|/remove-user-from-board")
_LISTS = re.compile(r"/(search-)?(\w+)-users")
_COMMENT = "/projects/{board}/tasks/{task}/comments/{comment}"
_SHORT_COMMENT = "/projects/{board}/tasks/comments/{comment}"
_STAGE = "/projects/{board}/update-stage/{stage}"
_STAGE_PROPERTY = "/projects/{board}/update-stage-property/{stage}"


@dataclass(slots=True)
class Routes:
    """Which endpoints there are; remembers which task a comment that was shown belongs to."""

    quirks: Quirks
    _task_of: dict[int, int] = field(default_factory=dict)

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        named = self._named(asked)
        if named is None or self._lacks(named):
            return no_route()
        if self.quirks.short_comment_path:
            return await self._by_short_path(named, onward)
        if self.quirks.nested_stage_body:
            return await self._stage(named, onward)
        return await onward(named)

    def _named(self, asked: Asked) -> Asked | None:
        """The request under the specification's path word; None if it has a wrong one."""
        found = _LISTS.fullmatch(asked.path)
        if found is None or not self.quirks.own_path_word:
            return asked
        if found[2] != PATH_WORD:
            return None
        path = f"/{found[1] or ''}service-users"
        return Asked(asked.method, path, asked.query, asked.headers, asked.content)

    def _lacks(self, asked: Asked) -> bool:
        return bool(
            (self.quirks.no_extended_edition and _EXTENDED.fullmatch(asked.path))
            or (self.quirks.no_people_lists and _PEOPLE.fullmatch(asked.path))
            or (self.quirks.short_comment_path and asked.ids("PUT", _COMMENT))
        )

    async def _by_short_path(self, asked: Asked, onward: Onward) -> Answer:
        """A comment is updated by its id alone."""
        ids = asked.ids("PUT", _SHORT_COMMENT)
        if ids is not None:
            task = self._task_of.get(ids["comment"], 0)
            path = f"/projects/{ids['board']}/tasks/{task}/comments/{ids['comment']}"
            asked = Asked("PUT", path, asked.query, asked.headers, asked.content)
        answer = await self._stage(asked, onward)
        for record in objects(answer.body):
            if record.get("type") in ("comment", "reply") and "task_id" in record:
                self._task_of[int(record["id"])] = int(record["task_id"])
        return answer

    async def _stage(self, asked: Asked, onward: Onward) -> Answer:
        """A stage is updated by a nested body, or one property at a time."""
        if not self.quirks.nested_stage_body:
            return await onward(asked)
        if asked.ids("PUT", _STAGE):
            stage = asked.body.get("stage")
            if not isinstance(stage, dict) or not stage.get("title"):
                return Answer(422, {"title": {"required": "The title field is required."}})
            return await onward(asked.saying(stage))
        ids = asked.ids("PUT", _STAGE_PROPERTY)
        if ids is not None:
            path = f"/projects/{ids['board']}/update-stage/{ids['stage']}"
            body = {str(asked.body.get("property")): asked.body.get("value")}
            return await onward(asked.instead("PUT", path, body))
        return await onward(asked)
