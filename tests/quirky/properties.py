"""Properties of tasks that are set in other ways than the specification says."""

import re
from dataclasses import dataclass, field
from datetime import datetime

from tests.quirky.asking import Answer, Asked, Onward, fault, is_task, objects
from tests.quirky.quirks import Quirks

ZERO_DATE = "0000-00-00 00:00:00"
_TASK = "/projects/{board}/tasks/{task}"
_DATES = ("due_at", "started_at", "remind_at")
_ZONE = re.compile(r"(?<=[0-9])\s*(?:Z|[+-][0-9]{2}:?[0-9]{2})$")
_LAST_YEAR = 2038
_VALUES = _TASK + "/custom-fields"


def _show_watchers(answer: Answer, login: str) -> None:
    """Show that who is assigned watches, whatever was set."""
    for record in objects(answer.body):
        people = record.get("assignees", ()) if is_task(record) else ()
        if any(person["user_login"] == login for person in people) and "is_watching" in record:
            record["is_watching"] = True


@dataclass(slots=True)
class Properties:
    """Sets properties; remembers which dates have become zero dates."""

    quirks: Quirks
    _zeroed: set[tuple[int, str]] = field(default_factory=set)

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        ids = asked.ids("PUT", _TASK)
        if self.quirks.field_dates_in_words and asked.ids("POST", _VALUES):
            return await self._set_field(asked, onward)
        answer = await (self._set(asked, ids["task"], onward) if ids else onward(asked))
        if self._zeroed and answer.is_json:
            for record in objects(answer.body):
                for name in _DATES if is_task(record) else ():
                    if (record["id"], name) in self._zeroed and record[name] is None:
                        record[name] = ZERO_DATE
        if self.quirks.assignees_watch and answer.is_json:
            _show_watchers(answer, asked.login)
        return answer

    async def _set(self, asked: Asked, task_id: int, onward: Onward) -> Answer:
        name, value = asked.body.get("property"), asked.body.get("value")
        if name == "assignees" and self.quirks.assignees_toggle and isinstance(value, list):
            return await self._toggle(asked, value, onward)
        if name == "is_watching" and self.quirks.watching_by_words:
            return await self._watch(asked, value, onward)
        if name == "last_completed_at" and self.quirks.completion_reopens:
            status = "closed" if value == "true" else "open"
            return await onward(asked.saying({"property": "status", "value": status}))
        if name in _DATES and isinstance(value, str):
            return await self._date(asked, task_id, name, value, onward)
        return await onward(asked)

    async def _set_field(self, asked: Asked, onward: Onward) -> Answer:
        """Set the value of a custom field; a date has to be spelt in words."""
        value = asked.body.get("value")
        board = asked.path.split("/tasks/")[0]
        listed = await onward(asked.instead("GET", f"{board}/custom-fields"))
        fields = listed.body.get("customFields", ()) if listed.is_success else ()
        is_date = any(
            field["id"] == asked.body.get("custom_field_id")
            and field["settings"]["custom_field_type"] == "date"
            for field in fields
        )
        if not (is_date and value):
            return await onward(asked)
        try:
            when = datetime.strptime(str(value), "%a %b %d %Y %H:%M:%S GMT%z")
        except ValueError:
            return fault("Unable to create datetime")
        return await onward(asked.saying(asked.body | {"value": f"{when:%Y-%m-%d %H:%M:%S}"}))

    async def _toggle(self, asked: Asked, sent: list[int], onward: Onward) -> Answer:
        read = await onward(asked.instead("GET", asked.path))
        if not read.is_success:
            return read
        present = {person["ID"] for person in read.body["task"]["assignees"]}
        for person in sent:
            present ^= {person}
        return await onward(asked.saying({"property": "assignees", "value": sorted(present)}))

    async def _watch(self, asked: Asked, value: object, onward: Onward) -> Answer:
        if value in ("start", "stop"):
            body = {"property": "is_watching", "value": value == "start"}
            return await onward(asked.saying(body))
        read = await onward(asked.instead("GET", asked.path))
        if not read.is_success:
            return read
        told = {"message": "Task has been updated", "task": read.body["task"], "updatedTasks": []}
        return Answer(200, told)

    async def _date(
        self, asked: Asked, task_id: int, name: str, value: str, onward: Onward
    ) -> Answer:
        kept: str | None = _ZONE.sub("", value) if self.quirks.dates_echoed else value
        self._zeroed.discard((task_id, name))
        if self.quirks.zero_dates and value[:4].isdigit() and int(value[:4]) > _LAST_YEAR:
            self._zeroed.add((task_id, name))
            kept = None
        answer = await onward(asked.saying({"property": name, "value": kept}))
        if not answer.is_success:
            return answer
        is_closed = answer.body["task"]["status"] == "closed"
        if name == "due_at" and value and is_closed and self.quirks.due_reopens:
            answer = await onward(asked.saying({"property": "status", "value": "open"}))
        if self.quirks.dates_echoed and value:
            answer.body["task"][name] = value
        return answer
