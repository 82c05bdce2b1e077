"""Endpoints that deployed services lack, or have elsewhere.

What is not there answers 404 `rest_no_route`, whoever asks.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tests.quirky.asking import Answer, Asked, Onward, breakdown, no_route, objects
from tests.quirky.quirks import Quirks

PATH_WORD = "crew"
"""The product's own word on a service that has one."""

_EXTENDED = re.compile(
    r"/admin/folders.*|/managers/roles/.*|.*/custom-fields?(/.*)?|.*/subtasks|.*/subtask-group"
    r"|.*/(move|delete|clone)-subtask|.*/update-subtask-position/.*|.*/convert-to-subtask"
    r"|.*/move-to-board|.*/user/[0-9]+/(make|remove)-(manager|member|viewer)"
)
_PEOPLE = re.compile(r"/(search-)?service-users|/remove-user-from-board")
_NO_VIEWERS = re.compile(r".*/user/[0-9]+/make-(member|viewer)")
_NO_FOLDERS = re.compile(r"/admin/folders.*")
_NO_GROUPS = re.compile(
    r".*/tasks/[0-9]+/(subtask-group|clone-subtask|move-subtask)"
    r"|.*/custom-field/[0-9]+/update-position"
)
_NO_TASK_COPIES = re.compile(r".*/clone-task")
_NO_BOARD_ARCHIVE = re.compile(r".*/archive-board")
_NO_PICTURES = re.compile(r".*/comment-image-upload")
_LISTS = re.compile(r"/(search-)?(\w+)-users")
_COMMENT = "/projects/{board}/tasks/{task}/comments/{comment}"
_SHORT_COMMENT = "/projects/{board}/tasks/comments/{comment}"
_SPECIFIED = re.compile(r"/projects/[0-9]+/tasks/(comments/[0-9]+|[0-9]+/comments/[0-9]+)")
_OWN = {"/tasks/{comment}/comments": "comment", "/tasks/reply/{comment}": "reply"}
_NO_DESCRIPTION = {"description": {"required": "The description field is required."}}
_STAGE = "/projects/{board}/update-stage/{stage}"
_STAGE_PROPERTY = "/projects/{board}/update-stage-property/{stage}"
_STATUS = "default_task_status"


@dataclass(slots=True)
class Routes:
    """Which endpoints there are; remembers where comments stand that were shown, and their type."""

    quirks: Quirks
    _comments: dict[int, tuple[int, int, str]] = field(default_factory=dict)

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        named = self._named(asked)
        if named is None or self._lacks(named):
            return no_route()
        if self.quirks.no_viewers and asked.path.endswith("/add-members"):
            body = {name: value for name, value in asked.body.items() if name != "isViewerOnly"}
            named = named.saying(body)
        if self.quirks.short_comment_path or self.quirks.own_comment_paths:
            return await self._comment(named, onward)
        return await self._stage(named, onward)

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
        quirks = self.quirks
        lacking = (
            (quirks.no_extended_edition, _EXTENDED),
            (quirks.no_people_lists, _PEOPLE),
            (quirks.no_viewers, _NO_VIEWERS),
            (quirks.no_folders, _NO_FOLDERS),
            (quirks.no_subtask_groups, _NO_GROUPS),
            (quirks.no_pictures, _NO_PICTURES),
            (quirks.no_task_copies, _NO_TASK_COPIES),
            (quirks.no_board_archive, _NO_BOARD_ARCHIVE),
        )
        return any(is_missing and found.fullmatch(asked.path) for is_missing, found in lacking)

    async def _comment(self, asked: Asked, onward: Onward) -> Answer:
        """A comment is changed and deleted at the paths that this edition has."""
        is_own = self.quirks.own_comment_paths
        translated = self._own(asked) if is_own else self._short(asked)
        if isinstance(translated, Answer):
            return translated
        answer = await self._stage(translated, onward)
        for record in objects(answer.body):
            if record.get("type") in ("comment", "reply") and "task_id" in record:
                ids = int(record["board_id"]), int(record["task_id"])
                self._comments[int(record["id"])] = (*ids, record["type"])
        if is_own and answer.is_success and translated is not asked and asked.method == "PUT":
            comment = answer.body["comment"]
            told = {"description": comment["description"], "message": "Comment has been updated"}
            return Answer(answer.status, told)
        return answer

    def _short(self, asked: Asked) -> Asked | Answer:
        ids = asked.ids("PUT", _SHORT_COMMENT)
        if ids is not None:
            _, task, _ = self._comments.get(ids["comment"], (0, 0, ""))
            path = f"/projects/{ids['board']}/tasks/{task}/comments/{ids['comment']}"
            return replace(asked, path=path)
        return no_route() if asked.ids("PUT", _COMMENT) else asked

    def _own(self, asked: Asked) -> Asked | Answer:
        """The request for a comment or a reply at the path of the specification."""
        if asked.method not in ("PUT", "DELETE"):
            return asked
        for template, kind in _OWN.items():
            ids = asked.ids(asked.method, template)
            if ids is None:
                continue
            comment = ids["comment"]
            board, task, stored = self._comments.get(comment, (0, 0, kind))
            if stored != kind:
                return breakdown("Attempt to read property on null")
            if asked.method == "DELETE":
                return replace(asked, path=f"/projects/{board}/tasks/comments/{comment}")
            if "description" not in asked.body:
                return Answer(422, _NO_DESCRIPTION)
            path = f"/projects/{board}/tasks/{task}/comments/{comment}"
            body = {**asked.body, "comment": asked.body["description"]}
            return asked.instead("PUT", path, body)
        is_elsewhere = _SPECIFIED.fullmatch(asked.path) or asked.path.endswith("/comments")
        return no_route() if is_elsewhere else asked

    async def _stage(self, asked: Asked, onward: Onward) -> Answer:
        """A stage is updated by a nested body, or one property at a time."""
        if asked.ids("PUT", _STAGE):
            return await self._updated_stage(asked, onward)
        ids = asked.ids("PUT", _STAGE_PROPERTY)
        if ids is None or not (self.quirks.nested_stage_body or self.quirks.stage_settings_ignored):
            return await onward(asked)
        path = f"/projects/{ids['board']}/update-stage/{ids['stage']}"
        return await onward(asked.instead("PUT", path, self._stored_property(asked.body)))

    async def _updated_stage(self, asked: Asked, onward: Onward) -> Answer:
        stage = asked.body.get("stage")
        if not isinstance(stage, dict) and self.quirks.flat_stage_fails:
            return breakdown("Trying to access array offset on value of type null")
        if self.quirks.nested_stage_body:
            if not isinstance(stage, dict) or not stage.get("title"):
                return Answer(422, {"title": {"required": "The title field is required."}})
            color = {"bg_color": stage["cover_bg"]} if "cover_bg" in stage else {}
            if not color and self.quirks.stage_color_erased:
                color = {"bg_color": ""}
            asked = asked.saying({**stage, **color})
        settings = asked.body.get("settings")
        if isinstance(settings, dict) and self.quirks.stage_settings_ignored:
            settings = {name: value for name, value in settings.items() if name != _STATUS}
            asked = asked.saying(asked.body | {"settings": settings})
        return await onward(asked)

    def _stored_property(self, body: Mapping[str, object]) -> dict[str, object]:
        """What a property changes, as update-stage of the specification takes it."""
        name, value = str(body.get("property")), body.get("value")
        if name == "status":
            return {"settings": {_STATUS: value}}
        is_ignored = self.quirks.stage_settings_ignored and name == "settings"
        is_inert = self.quirks.inert_stage_properties and name in ("title", "bg_color")
        return {} if is_ignored or is_inert else {name: value}
