"""Records whose values come in all the forms that deployed services have.

The form changes, never what it means. A reply to a write has numbers where a
read has text, but for comments.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from tests.quirky.asking import Answer, Asked, Onward, is_task, objects
from tests.quirky.properties import ZERO_DATE
from tests.quirky.quirks import Quirks

_IDS = (
    "board_id",
    "stage_id",
    "created_by",
    "parent_id",
    "object_id",
    "foreign_id",
    "task_id",
    "comments_count",
    "completed_tasks_count",
)
_ID = re.compile(r"id|ID|\w+_(ids?|by|assignees)|(task|label)Deleted")
_COMMENTS = "/projects/{board}/tasks/{task}/comments"
_LACKING = (
    "isOverdue",
    "isUpcoming",
    "repeat_task_meta",
    "users",
    "archived_at",
    "replies",
    "replies_count",
    "avatar",
)
_ROLES = {
    "admin": ("manager", "Admin", "MANAGER"),
    "member": ("Member", "member", "MEMBER"),
    "viewer": ("viewer", "VIEWER", "Viewer"),
}
_VIEWER = 's:14:"is_viewer_only";b:1;'
_EMAILS = ("user_email", "email", "author_email")
_NO_SETTINGS = {
    "cover": {"backgroundColor": ""},
    "subtask_count": 0,
    "attachment_count": 0,
    "subtask_completed_count": 0,
}


@dataclass(slots=True)
class Values:
    """Rewrites records; remembers who turned out to be an administrator, by their login."""

    quirks: Quirks
    _administrators: dict[str, bool] = field(default_factory=dict)

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        answer = await onward(asked)
        if not answer.is_success or not answer.is_json:
            return answer
        is_masked = self.quirks.masked_emails and not await self._is_administrator(asked, onward)
        if self.quirks.short_create_replies and asked.method == "POST":
            _shorten(answer.body)
        for record in objects(answer.body):
            self._of_task(record)
            self._of_others(record)
            self._people(record, is_masked=is_masked)
            is_comments_task = asked.ids("POST", _COMMENTS) and is_task(record)
            is_edit = asked.ids("PUT", _COMMENTS + "/{comment}")
            if not asked.is_writing or is_edit or is_comments_task:
                self._as_text(record)
            if self.quirks.every_id_as_text:
                record |= {
                    name: _text(value) for name, value in record.items() if _ID.fullmatch(name)
                }
        return answer

    def _as_text(self, record: dict[str, Any]) -> None:
        if self.quirks.ids_as_text:
            for name in _IDS:
                if isinstance(record.get(name), int):
                    record[name] = str(record[name])
        position = record.get("position")
        if self.quirks.decimals_as_text and isinstance(position, int | float):
            is_short = round(position, 2) == position
            record["position"] = f"{position:.2f}" if is_short else repr(position)

    def _of_task(self, record: dict[str, Any]) -> None:
        if record.get("meta") == {} and self.quirks.meta_as_list:
            record["meta"] = []
        if not is_task(record):
            return
        if self.quirks.odd_settings and record.get("settings") == _NO_SETTINGS:
            record["settings"] = (None, "", _NO_SETTINGS)[record["id"] % 3]
        if self.quirks.zero_dates:
            record["remind_at"] = record.get("remind_at") or ZERO_DATE
            if record["id"] % 2:
                record["started_at"] = record.get("started_at") or ZERO_DATE
        if self.quirks.unknown_fields:
            record |= {"contact": "", "is_pinned": 0, "notifications": {"new": [None]}}

    def _of_others(self, record: dict[str, Any]) -> None:
        kind = record.get("type")
        if "background" in record and self.quirks.odd_settings and "settings" in record:
            count = record["settings"]["tasks_count"]
            text = f'a:1:{{s:11:"tasks_count";i:{count};}}'
            record["settings"] = (None, text, record["settings"])[record["id"] % 3]
        if kind == "label" and self.quirks.labels_without_title:
            record["title"] = record["title"] or None
        if self.quirks.unknown_fields and kind in ("stage", "label", "to-do"):
            record["cover_bg"] = None
        if self.quirks.mixed_times and kind in ("stage", "label", None):
            for name in ("created_at", "updated_at"):
                if isinstance(record.get(name), str):
                    record[name] = _other_time(record[name], zulu=kind == "label")

    def _people(self, record: dict[str, Any], *, is_masked: bool) -> None:
        if self.quirks.no_viewers:
            if record.get("role") == "viewer":
                record["role"] = "member"
            if isinstance(settings := record.get("settings"), str):
                record["settings"] = settings.replace(_VIEWER, "").replace("a:2:", "a:1:")
        if self.quirks.role_letters and record.get("role") in _ROLES:
            number = record.get("ID", record.get("id", 0))
            record["role"] = _ROLES[record["role"]][int(number) % 3]
        for name in _EMAILS if is_masked else ():
            if record.get(name):
                record[name] = _masked(record[name])

    async def _is_administrator(self, asked: Asked, onward: Onward) -> bool:
        login = asked.login
        if login not in self._administrators:
            answer = await onward(asked.instead("GET", "/service-users"))
            self._administrators[login] = answer.is_success
        return self._administrators[login]


def _text(value: Any) -> Any:
    """An id, or a list of ids, as text."""
    if isinstance(value, list):
        return [_text(one) for one in value]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _shorten(body: dict[str, Any]) -> None:
    """Take away from what was made what only a read tells."""
    for member in ("task", "comment", "label", "board", "subtask"):
        record = body.get(member)
        if isinstance(record, dict):
            for name in _LACKING:
                record.pop(name, None)


def _other_time(moment: str, *, zulu: bool) -> str:
    """The same moment without its zone, which is UTC, or with the zone written otherwise."""
    bare = moment[:19]
    return bare + "Z" if zulu else bare.replace("T", " ")


def _masked(address: str) -> str:
    name, _, host = address.partition("@")
    return f"{name[:1]}***@{host[:1]}***"
