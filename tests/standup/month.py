"""Plays the script at the embedded service, over its interface, and keeps it at some moments."""

from datetime import UTC, datetime
from functools import cache
from typing import Any

import httpx

from tests.service.world import BASE_URL, FrozenClock, memory_database
from tests.standup.script import BOARDS, FOUNDED, TEAM, VIEWER, Happening, month
from tests.store.in_loop import InLoop, at_once
from tui.service.accounts.accounts import create_account
from tui.service.accounts.auth import LocalSession
from tui.service.application import create_application
from tui.service.times import SiteClock

_BLOCKED = {"label": "Blocked", "color": "#1B2533", "bg_color": "#f87168"}
_FIRST = "ann"


@cache
def played(moments: tuple[datetime, ...]) -> dict[datetime, bytes]:
    """The database of the service at each of these moments."""
    service = _Service()
    service.found_boards()
    happenings = month()
    kept = {}
    for moment in sorted(moments):
        while happenings and happenings[0].at <= moment:
            service.play(happenings.pop(0))
        kept[moment] = service.database._link.serialize()
    service.database.close()
    return kept


class _Service:
    """The service, reached by everybody of the team, and the ids of what they made."""

    def __init__(self) -> None:
        self.clock = FrozenClock(FOUNDED)
        self.database = memory_database()
        self._people: dict[str, int] = {}
        self._ways: dict[str, tuple[InLoop, dict[str, str]]] = {}
        self._boards: dict[str, int] = {}
        self._stages: dict[str, int] = {}
        self._labels: dict[int, int] = {}
        self._cards: dict[str, tuple[int, int]] = {}
        self._parts: dict[str, list[int]] = {}
        with self.database.transaction(writing=True) as db:
            for login, name in TEAM.items():
                made = create_account(
                    db, SiteClock(self.clock, UTC), login=login, display_name=name
                )
                self._people[login] = made.id

    def _way(self, login: str) -> tuple[InLoop, dict[str, str]]:
        """A person's way to the service, and their credentials; made once."""
        if login not in self._ways:
            session = LocalSession(login)
            application = create_application(
                self.database, clock=self.clock, zone=UTC, session=session
            )
            header = httpx.BasicAuth(session.login, session.password)._auth_header
            self._ways[login] = InLoop(application, keeps_replies=True), {"authorization": header}
        return self._ways[login]

    def _ask(self, who: str, method: str, path: str, body: object = None) -> Any:
        transport, headers = self._way(who)
        request = httpx.Request(method, BASE_URL + path, json=body, headers=headers)
        answer = at_once(transport.handle_async_request(request))
        assert answer.is_success, (who, method, path, body, answer.text)
        return answer.json()

    def found_boards(self) -> None:
        """The boards as their script begins: with stages and members, and a label for obstacles."""
        for title, stages in BOARDS.items():
            body = {"board": {"title": title, "type": "to-do"}}
            board = self._ask(_FIRST, "POST", "/projects", body)["board"]
            self._boards[title] = board_id = board["id"]
            path = f"/projects/{board_id}"
            first, second, last = (stage["id"] for stage in board["stages"])
            for stage_id, name in zip((first, second, last), (*stages[:2], stages[3]), strict=True):
                self._ask(_FIRST, "PUT", f"{path}/update-stage/{stage_id}", {"title": name})
            third = {"title": stages[2], "position": 2.5}
            made = self._ask(_FIRST, "POST", f"{path}/stage-create", third)["updatedStages"][0]
            ids = (first, second, made["id"], last)
            self._stages |= dict(zip(stages, ids, strict=True))
            label = self._ask(_FIRST, "POST", f"{path}/labels", _BLOCKED)
            self._labels[board_id] = label["label"]["id"]
            for login, person in self._people.items():
                if login != _FIRST:
                    viewer = "yes" if login == VIEWER else "no"
                    member = {"memberId": person, "isViewerOnly": viewer}
                    self._ask(_FIRST, "POST", f"{path}/add-members", member)

    def play(self, one: Happening) -> None:
        """Let something happen, when it is due."""
        self.clock.moment = one.at
        if one.verb == "add":
            board, _, title = one.value.partition(": ")
            self._add(one, board, title)
            return
        board_id, task_id = self._cards[one.card]
        path = f"/projects/{board_id}/tasks/{task_id}"
        match one.verb:
            case "move":
                stage = {"newStageId": self._stages[one.value]}
                self._ask(one.who, "PUT", f"{path}/move-task", stage)
            case "comment":
                comment = {"comment": one.value, "comment_type": "comment"}
                self._ask(one.who, "POST", f"{path}/comments", comment)
            case "label":
                label = {"taskId": task_id, "labelId": self._labels[board_id]}
                self._ask(one.who, "POST", f"/projects/{board_id}/labels/task", label)
            case "unlabel":
                self._ask(one.who, "DELETE", f"{path}/labels/{self._labels[board_id]}")
            case "parts":
                self._divide(one, path)
            case "finish":
                for part in self._parts[one.card][: int(one.value)]:
                    done = {"property": "status", "value": "closed"}
                    self._ask(one.who, "PUT", f"/projects/{board_id}/tasks/{part}", done)
            case _:
                self._ask(one.who, "PUT", path, self._property(one))

    def _add(self, one: Happening, board: str, title: str) -> None:
        board_id, first = self._boards[board], self._stages[BOARDS[board][0]]
        task = {"title": title, "board_id": board_id, "stage_id": first}
        made = self._ask(one.who, "POST", f"/projects/{board_id}/tasks", {"task": task})
        self._cards[one.card] = board_id, made["task"]["id"]

    def _divide(self, one: Happening, path: str) -> None:
        """Make subtasks of a card."""
        group = self._ask(one.who, "POST", f"{path}/subtask-group", {"title": "Parts"})
        for number in range(1, int(one.value) + 1):
            body = {"title": f"Part {number}", "group_id": group["subtaskGroup"]["id"]}
            made = self._ask(one.who, "POST", f"{path}/subtasks", body)
            self._parts.setdefault(one.card, []).append(made["subtask"]["id"])

    def _property(self, one: Happening) -> dict[str, object]:
        match one.verb:
            case "close" | "reopen":
                return {"property": "status", "value": "closed" if one.verb == "close" else "open"}
            case "archive":
                return {"property": "archived_at", "value": True}
            case "due":
                return {"property": "due_at", "value": one.value}
            case "priority":
                return {"property": "priority", "value": one.value}
        assert one.verb == "assign", one
        people = [self._people[login] for login in one.value.split()]
        return {"property": "assignees", "value": people}
