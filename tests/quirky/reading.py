"""Lists that ignore what they are asked for, and news that miss things."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tests.quirky.asking import Answer, Asked, Onward, fault, no_route
from tests.quirky.quirks import Quirks

_BOARD = "/projects/{board}"
_TASK = _BOARD + "/tasks/{task}"
_BOARD_PAGE, _ACTIVITY_PAGE, _COMMENT_PAGE = "100", "40", "10"
_STAMP = "%Y-%m-%d %H:%M:%S"
_LONG_AGO = "2000-01-01 00:00:00"
_INVISIBLE = ("/labels", "/add-members", "/remove", "/make-", "/remove-manager")


@dataclass(slots=True)
class Reading:
    """Answers reads; remembers when a change was made to a board that the news see."""

    quirks: Quirks
    _last_seen: dict[int, str] = field(default_factory=dict)

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        if asked.is_writing:
            return await self._write(asked, onward)
        if self.quirks.negative_page_fails and asked.query.get("per_page", "").startswith("-"):
            return fault("SQLSTATE[42000]: Syntax error near '-1'")
        if asked.path == "/projects":
            return await self._boards(asked, onward)
        if asked.ids("GET", _BOARD + "/has-data-changed"):
            return await self._news(asked, onward)
        return await self._list(self._filtered(asked), onward)

    async def _boards(self, asked: Asked, onward: Onward) -> Answer:
        if self.quirks.boards_unfiltered:
            size = asked.query.get("per_page", _BOARD_PAGE)
            asked = asked.looking(
                search=None, type=None, order_by=None, order_type=None, per_page=size
            )
        if self.quirks.roadmaps_unlisted:
            asked = asked.looking(type="to-do")
        return await onward(asked)

    def _filtered(self, asked: Asked) -> Asked:
        """What is left of a query."""
        if self.quirks.comments_unfiltered and asked.ids("GET", _TASK + "/comments"):
            kept = {name: asked.query[name] for name in ("page", "filter") if name in asked.query}
            return Asked("GET", asked.path, {"per_page": _COMMENT_PAGE, **kept}, asked.headers)
        if self.quirks.long_activity_pages and asked.ids("GET", _BOARD + "/activities"):
            return asked.looking(per_page=asked.query.get("per_page", _ACTIVITY_PAGE))
        return asked

    async def _list(self, asked: Asked, onward: Onward) -> Answer:
        answer = await onward(asked)
        if not answer.is_success or not isinstance(answer.body, dict):
            return answer
        ids = asked.ids("GET", _BOARD + "/tasks")
        if ids and self.quirks.tasks_in_any_order:
            answer.body["tasks"].sort(key=lambda task: (task["id"] * 37 % 101, task["id"]))
        ids = asked.ids("GET", _BOARD + "/assignees")
        if ids and self.quirks.few_assignees:
            busy = await _busy(asked.instead("GET", f"/projects/{ids['board']}/tasks"), onward)
            answer.body["data"] = [user for user in answer.body["data"] if user["ID"] in busy]
        if self.quirks.own_places and "available_positions" in answer.body.get("data", ()):
            answer.body = {"availablePositions": answer.body["data"]["available_positions"]}
        if self.quirks.coarse_news and asked.ids("GET", _BOARD):
            answer.body["synced_at"] = answer.body["synced_at"].partition(".")[0]
        return answer

    async def _news(self, asked: Asked, onward: Onward) -> Answer:
        if self.quirks.no_news:
            return no_route()
        answer = await onward(asked)
        if not self.quirks.coarse_news:
            return answer
        ids = asked.ids("GET", _BOARD + "/has-data-changed") or {}
        now = await self._now(asked, ids["board"], onward)
        since = asked.query.get("since", "")
        if now is None or not _is_fresh(since, now):
            return fault("Illegal operator and value combination.")
        changed = self._last_seen.get(ids["board"], "") >= since
        return Answer(200, {"has_changes": changed, "synced_at": now, "sync_reset": False})

    async def _write(self, asked: Asked, onward: Onward) -> Answer:
        answer = await onward(asked)
        head, _, rest = asked.path.removeprefix("/projects/").partition("/")
        is_unseen = asked.method == "DELETE" or any(part in "/" + rest for part in _INVISIBLE)
        has_news = self.quirks.coarse_news and not self.quirks.no_news
        if has_news and head.isdigit() and not is_unseen and answer.is_success:
            self._last_seen[int(head)] = await self._now(asked, int(head), onward) or ""
        return answer

    async def _now(self, asked: Asked, board_id: int, onward: Onward) -> str | None:
        """The service's own time; None if the board is not to be seen."""
        asked = asked.instead("GET", f"/projects/{board_id}/has-data-changed")
        answer = await onward(asked.looking(since=_LONG_AGO))
        return str(answer.body["synced_at"])[:19] if answer.is_success else None


def _is_fresh(since: str, now: str) -> bool:
    """Whether a time is well-formed, not yet to come and not older than a day."""
    try:
        given = datetime.strptime(since, _STAMP)  # noqa: DTZ007 - both are the site's own time
    except ValueError:
        return False
    today = datetime.strptime(now, _STAMP)  # noqa: DTZ007 - as above
    return today - timedelta(days=1) <= given <= today


async def _busy(asked: Asked, onward: Onward) -> set[Any]:
    """Who has a task on a board."""
    tasks = (await onward(asked)).body["tasks"]
    return {person["ID"] for task in tasks for person in task["assignees"]}
