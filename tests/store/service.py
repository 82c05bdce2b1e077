"""The embedded service in memory: a board, what tests put on it, and ways to it for people."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode

import httpx
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.quirky.application import QuirkyService, base_url
from tests.quirky.people import PASSWORD, give_passwords
from tests.quirky.quirks import Quirks
from tests.quirky.routes import PATH_WORD
from tests.service.world import BASE_URL, memory_database
from tests.store.faults import FaultyRemote
from tests.store.in_loop import InLoop, at_once
from tui.client.capabilities import UNKNOWN, Capabilities
from tui.client.client import Client
from tui.client.documents import Document
from tui.client.editions.client import client_for
from tui.client.http.credentials import Credentials
from tui.client.http.session import HttpSession
from tui.service.accounts.accounts import create_account
from tui.service.application import create_application
from tui.service.attachments import Attachments
from tui.service.database.base import Row
from tui.service.times import SiteClock, utc_now

BOARD = 1
OPEN, DOING, DONE = 1, 2, 3
ME, ANN, BEN = 1, 2, 3
NAMES = {"me": "Me Myself", "ann": "Ann Miller", "ben": "Ben Cook"}
LOGINS = {ME: "me", ANN: "ann", BEN: "ben"}
_ZONE = timezone(timedelta(hours=1))
_TASKS = f"/projects/{BOARD}/tasks"


class Service:
    """A service whose board everybody of `NAMES` is on, with one stage that closes what enters.

    `keeps_replies` says whether it does that, `quirks` what it does wrong. A page has no more than
    `page_size` on it.
    """

    def __init__(
        self,
        content: bytes,
        folder: Path,
        *,
        clock: Callable[[], datetime] = utc_now,
        keeps_replies: bool = False,
        quirks: Quirks | None = None,
    ) -> None:
        self.database = memory_database(content)
        self._application = create_application(
            self.database, clock=clock, zone=_ZONE, attachments=Attachments(folder)
        )
        self._clients: list[Client] = []
        self.page_size = 100
        self._keeps_replies = keeps_replies
        self._quirks = quirks
        self._seen: ASGIApp = self._application
        if quirks is not None:
            self._seen = QuirkyService(self._application, quirks, every=7)

    def client(self, login: str = "me") -> Client:
        """The client of a person's program."""
        quirks = self._quirks or Quirks.none()
        session = HttpSession(
            BASE_URL if self._quirks is None else base_url(quirks),
            Credentials(login, PASSWORD),
            transport=InLoop(self._answer, keeps_replies=self._keeps_replies),
            allow_plaintext=True,
        )
        return client_for(
            session,
            capabilities=Capabilities.embedded() if self._quirks is None else UNKNOWN,
            path_word=PATH_WORD if quirks.own_path_word else "service",
        )

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = parse_qs(scope["query_string"])
        if int(asked.get(b"per_page", [b"0"])[0]) > self.page_size:
            asked[b"per_page"] = [str(self.page_size).encode()]
            scope["query_string"] = urlencode(asked, doseq=True).encode()
        await self._seen(scope, receive, send)

    def ask(
        self, method: str, path: str, body: object = None, *, files: Any = None, who: str = "me"
    ) -> Any:
        """What the service answers somebody, who does it past every client."""
        headers = _basic(who)
        request = httpx.Request(method, BASE_URL + path, json=body, files=files, headers=headers)
        transport = InLoop(self._application, keeps_replies=True)
        response = at_once(transport.handle_async_request(request))
        assert response.is_success, (method, path, response.text)
        return response.json()

    def remote(self) -> Client:
        """A way to the service for one more program."""
        client = self.client()
        self._clients.append(client)
        return client

    def connection(self) -> FaultyRemote:
        """The same, but calls go wrong on it as they are told."""
        return FaultyRemote(self.remote())

    def add(self, title: str, stage_id: int = OPEN, board_id: int = BOARD) -> Document:
        """Make a task at the end of a stage."""
        task = {"title": title, "board_id": board_id, "stage_id": stage_id}
        made: Document = self.ask("POST", f"/projects/{board_id}/tasks", {"task": task})["task"]
        return made

    def change_count(self, board_id: int) -> int:
        """How often a board has changed."""
        with self.database.transaction(writing=False) as db:
            (board,) = db.all("select change_count from board where id = :id", id=board_id)
        return int(board["change_count"])

    def add_many(self, count: int, stage_id: int) -> None:
        """Put copies of the newest task, called by their numbers, below it; made quickly."""
        with self.database.transaction(writing=True) as db:
            (model,) = db.all("select * from task order by id desc limit 1")
            del model["id"]
            names = ", ".join(model)
            values = ", ".join(f":{name}" for name in model)
            copies = [
                model | {"title": f"Task {number}", "stage_id": stage_id, "position": number + 10.0}
                for number in range(count)
            ]
            db.many(f"insert into task ({names}) values ({values})", copies)  # noqa: S608 - ours
            made = db.tuples("select id from task order by id desc limit :count", count=count)
            touched = json.dumps({"tasks": [task_id for (task_id,) in made], "board": False})
            db.run("update board set change_count = change_count + 1 where id = :id", id=BOARD)
            db.run(
                """insert into board_change (board_id, number, touched)
                select id, change_count, :touched from board where id = :id""",
                id=BOARD,
                touched=touched,
            )

    def set(self, task_id: int, name: str, value: object, *, by: int = ME) -> None:
        """Somebody sets a property of a task."""
        body = {"property": name, "value": value}
        self.ask("PUT", f"{_TASKS}/{task_id}", body, who=LOGINS[by])

    def move(self, task_id: int, stage_id: int, index: int, *, by: int = ME) -> None:
        """Somebody moves a task to a place in a stage, counted from 1."""
        body = {"newStageId": stage_id, "newIndex": index}
        self.ask("PUT", f"{_TASKS}/{task_id}/move-task", body, who=LOGINS[by])

    def delete(self, task_id: int) -> None:
        """Delete a task."""
        self.ask("DELETE", f"{_TASKS}/{task_id}")

    def task(self, task_id: int) -> Document:
        """A task as it is."""
        (row,) = self._rows("select board_id from task where id = :id", id=task_id)
        task: Document = self.ask("GET", f"/projects/{row['board_id']}/tasks/{task_id}")["task"]
        return task

    def tasks_made(self) -> int:
        """How many tasks were ever made."""
        (row,) = self._rows("select seq from sqlite_sequence where name = 'task'")
        return int(row["seq"])

    def tasks(self, board_id: int = BOARD) -> list[Document]:
        """The active tasks of a board."""
        tasks: list[Document] = self.ask("GET", f"/projects/{board_id}/tasks")["tasks"]
        return tasks

    def archived(self) -> list[tuple[str, str]]:
        """The titles of the archived tasks, and whether they are open or closed."""
        rows = self._rows("select title, status from task where archived_at is not null")
        return [(row["title"], row["status"]) for row in rows]

    def lane(self, stage_id: int) -> list[Document]:
        """The active tasks of a stage, in order."""
        (row,) = self._rows("select board_id from stage where id = :id", id=stage_id)
        in_stage = (task for task in self.tasks(row["board_id"]) if task["stage_id"] == stage_id)
        return sorted(in_stage, key=lambda task: (task["position"], task["id"]))

    def titles(self, stage_id: int) -> list[str]:
        return [task["title"] for task in self.lane(stage_id)]

    def add_comment(
        self,
        task_id: int,
        text: str,
        *,
        by: int = ME,
        parent_id: int | None = None,
        images: Sequence[int] = (),
    ) -> Document:
        """Somebody writes a comment, or a reply to one."""
        kind = "comment" if parent_id is None else "reply"
        body: Document = {"comment": text, "comment_type": kind, "images": list(images)}
        if parent_id is not None:
            body["parent_id"] = parent_id
        path = f"{_TASKS}/{task_id}/comments"
        comment: Document = self.ask("POST", path, body, who=LOGINS[by])["comment"]
        return comment

    def edit_comment(self, task_id: int, comment_id: int, text: str) -> None:
        """Say something else in a comment."""
        self.ask("PUT", f"{_TASKS}/{task_id}/comments/{comment_id}", {"comment": text})

    def remove_comment(self, comment_id: int, *, by: int = ME) -> None:
        """Delete a comment, which only its author may."""
        path = f"/projects/{BOARD}/tasks/comments/{comment_id}"
        self.ask("DELETE", path, who=LOGINS[by])

    def comments(self, task_id: int) -> list[Document]:
        """The comments and replies of a task, oldest first."""
        path = f"{_TASKS}/{task_id}/comments?per_page=100&include_images=true"
        threads = self.ask("GET", path)["comments"]["data"]
        both = [one for thread in threads for one in (thread, *thread["replies"])]
        return sorted(both, key=lambda one: one["id"])

    def said(self, task_id: int) -> list[str]:
        """The texts of a task's comments, oldest first."""
        return [one["settings"]["raw_description"] for one in self.comments(task_id)]

    def activities(self, task_id: int) -> list[int]:
        """The ids of what was done to a task, newest first."""
        path = f"{_TASKS}/{task_id}/activities?per_page=100&filter=newest"
        return [one["id"] for one in self.ask("GET", path)["activities"]["data"]]

    def forget_log(self) -> None:
        """Remove all activities."""
        with self.database.transaction(writing=True) as db:
            db.run("delete from activity")

    def add_picture(self, task_id: int, content: bytes, *, by: int = ME) -> int:
        """Somebody uploads a picture for a comment; returns its id."""
        form = {"file": ("plan.png", content, "image/png")}
        path = f"{_TASKS}/{task_id}/comment-image-upload"
        return int(self.ask("POST", path, files=form, who=LOGINS[by])["imageAttachment"]["id"])

    def add_group(self, task_id: int, title: str) -> Document:
        """Make a group of subtasks."""
        path = f"{_TASKS}/{task_id}/subtask-group"
        group: Document = self.ask("POST", path, {"title": title})["subtaskGroup"]
        return group

    def add_subtask(self, task_id: int, group_id: int, title: str) -> Document:
        """Make a subtask at the end of a group."""
        body = {"title": title, "group_id": group_id}
        subtask: Document = self.ask("POST", f"{_TASKS}/{task_id}/subtasks", body)["subtask"]
        return subtask

    def groups(self, task_id: int) -> list[Document]:
        """The groups of a task, with their subtasks."""
        groups: list[Document] = self.ask("GET", f"{_TASKS}/{task_id}/subtasks")["subtaskGroups"]
        return groups

    def line(self, group_id: int) -> list[Document]:
        """The subtasks of a group, in order."""
        (row,) = self._rows("select task_id from subtask_group where id = :id", id=group_id)
        (group,) = (one for one in self.groups(row["task_id"]) if one["id"] == group_id)
        return sorted(group["subtasks"], key=lambda one: (one["position"], one["id"]))

    def add_label(self, title: str, color: str = "#ff0000") -> Document:
        """Make a label of the board."""
        body = {"label": title, "color": "#ffffff", "bg_color": color}
        label: Document = self.ask("POST", f"/projects/{BOARD}/labels", body)["label"]
        return label

    def attach_label(self, task_id: int, label_id: int) -> None:
        """Put a label on a task."""
        body = {"taskId": task_id, "labelId": label_id}
        self.ask("POST", f"/projects/{BOARD}/labels/task", body)

    def rename_label(self, label_id: int, title: str) -> None:
        """Give a label another title."""
        body = {"label": title, "bg_color": "#ff0000"}
        self.ask("PUT", f"/projects/{BOARD}/labels/{label_id}", body)

    def delete_label(self, label_id: int) -> None:
        """Delete a label of the board."""
        self.ask("DELETE", f"/projects/{BOARD}/labels/{label_id}")

    def labels(self) -> list[Document]:
        """The labels of the board."""
        labels: list[Document] = self.ask("GET", f"/projects/{BOARD}/labels")["labels"]
        return labels

    def assign(self, task_id: int, people: list[int]) -> None:
        """Put people on a task, and nobody else."""
        self.set(task_id, "assignees", people)

    def add_field(self, title: str) -> None:
        """Give the board a custom field of text."""
        body = {"customField": {"title": title, "type": "text"}}
        self.ask("POST", f"/projects/{BOARD}/custom-field", body)

    def fields(self) -> list[tuple[str, str, list[str] | None]]:
        """The titles, types and options of the board's custom fields."""
        listed = self.ask("GET", f"/projects/{BOARD}/custom-fields")["customFields"]
        return [
            (one["title"], *map(one["settings"].get, ("custom_field_type", "select_options")))
            for one in listed
        ]

    def set_value(self, task_id: int, field_id: int, value: str) -> None:
        """Set a custom field of a task."""
        body = {"custom_field_id": field_id, "value": value}
        self.ask("POST", f"{_TASKS}/{task_id}/custom-fields", body)

    def values(self, task_id: int) -> dict[int, object]:
        """The values of a task's custom fields, by the ids of these."""
        values = self.ask("GET", f"{_TASKS}/{task_id}/custom-fields")["customFields"]
        return {one["foreign_id"]: one["settings"]["value"] for one in values}

    def add_board(self, title: str) -> Document:
        """Make another board."""
        body = {"board": {"title": title, "type": "to-do"}}
        board: Document = self.ask("POST", "/projects", body)["board"]
        return board

    def board(self, board_id: int = BOARD) -> Document:
        """A board with its stages, also when it is archived."""
        board: Document = self.ask("GET", f"/projects/{board_id}")["board"]
        return board

    def boards(self) -> dict[str, int]:
        """The ids of the active boards by their titles."""
        return {one["title"]: one["id"] for one in self.ask("GET", "/projects")["boards"]["data"]}

    def roles(self) -> dict[str, str]:
        """The roles of the members of the board by their logins."""
        users = self.ask("GET", f"/projects/{BOARD}/users")["users"]
        return {one["user_login"]: one["role"] for one in users}

    def stages(self, board_id: int = BOARD) -> dict[str, int]:
        """The ids of the active stages of a board by their titles, in order."""
        stages = sorted(self.board(board_id)["stages"], key=lambda stage: stage["position"])
        return {one["title"]: one["id"] for one in stages if not one["archived_at"]}

    def rename_board(self, title: str) -> None:
        """Give the board another title."""
        self.ask("PUT", f"/projects/{BOARD}", {"title": title})

    def _rows(self, question: str, **values: object) -> list[Row]:
        with self.database.transaction(writing=False) as db:
            return list(db.all(question, **values))

    def content(self) -> bytes:
        """What the database holds, for others to begin with."""
        return self.database._link.serialize()

    async def aclose(self) -> None:
        """Close the connections, and the service."""
        for client in self._clients:
            await client.aclose()
        self.close()

    def close(self) -> None:
        """Nobody asks any more."""
        self.database.close()


@cache
def four_tasks() -> bytes:
    """The database of a service with four tasks on its board."""
    service = Service(one_board(), Path())
    for title in ("Alpha", "Beta", "Gamma"):
        service.add(title, OPEN)
    service.add("Delta", DOING)
    content = service.content()
    service.close()
    return content


@cache
def one_board() -> bytes:
    """The database of a service with one board of three stages, and nothing else on it."""
    database = memory_database()
    with database.transaction(writing=True) as db:
        for login, name in NAMES.items():
            create_account(db, SiteClock(utc_now, _ZONE), login=login, display_name=name)
    give_passwords(database, *NAMES)
    service = Service(database._link.serialize(), Path())
    service.ask("POST", "/projects", {"board": {"title": "Relaunch", "type": "to-do"}})
    for stage_id, title in ((DOING, "Doing"), (DONE, "Done")):
        service.ask("PUT", f"/projects/{BOARD}/update-stage/{stage_id}", {"title": title})
    for member in range(2, len(NAMES) + 1):
        service.ask("POST", f"/projects/{BOARD}/add-members", {"memberId": member})
    for label in service.labels():
        service.delete_label(label["id"])
    content = service.content()
    service.close()
    database.close()
    return content


def _basic(login: str) -> dict[str, str]:
    return {"authorization": httpx.BasicAuth(login, PASSWORD)._auth_header}
