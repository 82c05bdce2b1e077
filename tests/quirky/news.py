"""What `has-data-changed` tells on deployed services: less than the embedded service does."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tests.quirky.asking import Answer, Asked, Onward, breakdown, no_route
from tests.quirky.quirks import Quirks

_BOARD = "/projects/{board}"
_TASK = _BOARD + "/tasks/{task}"
_NEWS = _BOARD + "/has-data-changed"
_STAMP = "%Y-%m-%d %H:%M:%S"
_LONG_AGO = "2000-01-01 00:00:00"
_UNSEEN = re.compile(
    r".*/(labels/task|tasks/[0-9]+/labels/[0-9]+|add-members|remove|(make|remove)-\w+)"
)
_KINDS = ("task", "stage", "label")
_MEMBERS = {"task": "tasks", "stage": "stages", "label": "labels"}

Touch = tuple[str, int]
"""What was touched, as `task` or `deleted label`, and its id."""


@dataclass(slots=True)
class News:
    """Answers `has-data-changed`; remembers what was touched on each board, and when."""

    quirks: Quirks
    _touched: dict[int, list[tuple[str, Touch]]] = field(default_factory=dict)

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        ids = asked.ids("GET", _NEWS)
        if ids and self.quirks.no_news:
            return no_route()
        if not (self.quirks.coarse_news or self.quirks.brief_news):
            return await onward(asked)
        if ids:
            return await self._news(asked, ids["board"], onward)
        answer = await onward(asked)
        if asked.is_writing and answer.is_success:
            await self._note(asked, answer, onward)
        elif asked.ids("GET", _BOARD) and answer.is_success:
            if self.quirks.brief_news:
                del answer.body["synced_at"]
            else:
                answer.body["synced_at"] = answer.body["synced_at"].partition(".")[0]
        return answer

    async def _news(self, asked: Asked, board_id: int, onward: Onward) -> Answer:
        now = await _now(asked, board_id, onward)
        if isinstance(now, Answer):
            return now
        since = asked.query.get("since", "")
        if self.quirks.brief_news:
            since = _before(now, minutes=1)
        elif not _before(now, days=1) <= since <= now or not _is_time(since):
            return breakdown("Illegal operator and value combination.")
        touched = {what for when, what in self._touched.get(board_id, ()) if when >= since}
        told: dict[str, Any] = {
            _MEMBERS[kind]: await _records(asked, board_id, kind, touched, onward)
            for kind in _KINDS
        }
        deleted = {f"{kind}Deleted": _has(touched, f"deleted {kind}") for kind in _KINDS}
        if self.quirks.brief_news:
            del told["stages"], deleted["labelDeleted"]
            return Answer(200, told | deleted)
        told |= {f"{kind}ResetRequired": False for kind in _KINDS}
        told |= {"board": {}, "taskDeleted": False, "stageDeleted": False}
        has_changes = any(kind != "deleted task" for kind, _ in touched)
        told |= {"has_changes": has_changes, "synced_at": now, "sync_reset": False}
        return Answer(200, told | {"labelDeleted": deleted["labelDeleted"]})

    async def _note(self, asked: Asked, answer: Answer, onward: Onward) -> None:
        """Remember what a write has touched."""
        found = re.match(r"/projects/([0-9]+)", asked.path)
        if found is None or _UNSEEN.fullmatch(asked.path):
            return
        board_id = int(found[1])
        for board in {board_id, asked.body.get("newBoardId") or board_id}:
            now = await _now(asked, board, onward)
            if not isinstance(now, Answer):
                touches = self._touched.setdefault(board, [])
                touches += [(now, touch) for touch in _touches(asked, answer)]


def _touches(asked: Asked, answer: Answer) -> Iterator[Touch]:
    """What a write that succeeded has touched."""
    body = answer.body if isinstance(answer.body, dict) else {}
    found = re.search(r"/(task|label)s/([0-9]+)", asked.path)
    if found:
        is_gone = asked.method == "DELETE" and found.end() == len(asked.path)
        yield f"deleted {found[1]}" if is_gone else found[1], int(found[2])
    for kind in ("task", "label"):
        record = body.get(kind)
        if isinstance(record, dict) and "id" in record:
            yield kind, int(record["id"])
    yield from (("task", int(task["id"])) for task in body.get("updatedTasks") or ())
    if "stage" in asked.path:
        yield "stage", 0
    if "/archive-stage/" in asked.path:
        yield "deleted stage", 0
    if asked.path.count("/") <= 3 and "tasks" not in asked.path and "labels" not in asked.path:
        yield "board", 0


async def _records(
    asked: Asked, board_id: int, kind: str, touched: set[Touch], onward: Onward
) -> list[Any]:
    """The records of a kind that were touched, as they are now; all stages if any was."""
    ids = sorted(number for touch, number in touched if touch == kind)
    if not ids:
        return []
    if kind == "task":
        paths = [f"/projects/{board_id}/tasks/{number}" for number in ids]
        read = [await onward(asked.instead("GET", path)) for path in paths]
        return [answer.body["task"] for answer in read if answer.is_success]
    if kind == "label":
        labels = await onward(asked.instead("GET", f"/projects/{board_id}/labels"))
        return [label for label in labels.body["labels"] if label["id"] in ids]
    board = await onward(asked.instead("GET", f"/projects/{board_id}"))
    return list(board.body["board"]["stages"])


def _has(touched: set[Touch], kind: str) -> bool:
    return any(touch == kind for touch, _ in touched)


async def _now(asked: Asked, board_id: int, onward: Onward) -> str | Answer:
    """The service's own time, or its refusal where the board is not to be seen."""
    asked = asked.instead("GET", f"/projects/{board_id}/has-data-changed")
    answer = await onward(asked.looking(since=_LONG_AGO))
    return str(answer.body["synced_at"])[:19] if answer.is_success else answer


def _before(now: str, **ago: int) -> str:
    moment = datetime.strptime(now, _STAMP)  # noqa: DTZ007 - the site's own time has no zone
    return (moment - timedelta(**ago)).strftime(_STAMP)


def _is_time(since: str) -> bool:
    try:
        datetime.strptime(since, _STAMP)  # noqa: DTZ007 - as above
    except ValueError:
        return False
    return True
