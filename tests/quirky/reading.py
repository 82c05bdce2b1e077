"""Lists that ignore what they are asked for, and reads that tell less."""

from dataclasses import dataclass
from typing import Any

from tests.quirky.asking import Answer, Asked, Onward, breakdown
from tests.quirky.quirks import Quirks

_BOARD = "/projects/{board}"
_TASK = _BOARD + "/tasks/{task}"
_BOARD_PAGE, _ACTIVITY_PAGE, _COMMENT_PAGE = "100", "40", "10"
_ARCHIVE_PAGE = 20
_NO_LOGIN = ("user_login", "user_nicename", "user_email", "user_url", "user_registered")


@dataclass(frozen=True, slots=True)
class Reading:
    """Answers reads."""

    quirks: Quirks

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        if asked.is_writing:
            return await onward(asked)
        if self.quirks.negative_page_fails and asked.query.get("per_page", "").startswith("-"):
            return breakdown("SQLSTATE[42000]: Syntax error near '-1'")
        if asked.path == "/projects":
            return await self._boards(asked, onward)
        archive = asked.ids("GET", _BOARD + "/archived-tasks")
        if archive and self.quirks.archived_tasks_listed:
            return await self._archive(asked, archive["board"], onward)
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

    async def _archive(self, asked: Asked, board_id: int, onward: Onward) -> Answer:
        path = f"/projects/{board_id}/tasks"
        answer = await onward(asked.instead("GET", path).looking(archived="yes"))
        if not answer.is_success:
            return answer
        tasks = [task for task in answer.body["tasks"] if task["archived_at"]]
        number = int(asked.query.get("page", "1"))
        begin = (number - 1) * _ARCHIVE_PAGE
        envelope = {
            "current_page": number,
            "data": tasks[begin : begin + _ARCHIVE_PAGE],
            "last_page": max(1, -(-len(tasks) // _ARCHIVE_PAGE)),
            "per_page": _ARCHIVE_PAGE,
            "total": len(tasks),
        }
        return Answer(200, {"tasks": envelope})

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
        if self.quirks.search_finds_members and asked.path == "/search-service-users":
            if answer.is_success:
                answer.body = [user for user in answer.body if user["which_boards"]]
            return answer
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
        if self.quirks.no_user_logins:
            _take_logins(answer.body)
        return answer


def _take_logins(body: dict[str, Any]) -> None:
    """Leave of members what an old edition tells of them."""
    boards = body.get("boards")
    listed = boards.get("data", []) if isinstance(boards, dict) else []
    for holder in (body, body.get("board"), *listed):
        for member in holder.get("users") or () if isinstance(holder, dict) else ():
            member["email"] = member.get("user_email")
            for name in _NO_LOGIN:
                member.pop(name, None)


async def _busy(asked: Asked, onward: Onward) -> set[Any]:
    """Who has a task on a board."""
    tasks = (await onward(asked)).body["tasks"]
    return {person["ID"] for task in tasks for person in task["assignees"]}
