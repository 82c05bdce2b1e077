"""A program in which eight writers use the service in process until it is killed; run by a test.

Each line on standard output is JSON: `[writer, "will", step]` before a request, `[writer, "did",
id]` after its reply. A step is `[what, ...]` in the words of `kills.Kept`.
"""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import httpx

from tui.service.embedded import BASE_URL, Embedded, open_embedded

WRITERS = 8
BOARD, STAGES = 1, (1, 2)

_TASKS = f"/projects/{BOARD}/tasks"
_MOST_TASKS = 6


class Writer:
    """Works on tasks of its own, whose titles it begins with its number."""

    def __init__(self, number: int, seed: int) -> None:
        self.number = number
        self.random = Random(seed * WRITERS + number)  # noqa: S311 - chance, not secrecy
        self.tasks: list[int] = []

    async def work(self, client: httpx.AsyncClient) -> None:
        """Make one change after the other, for ever."""
        for step, method, path, body in self._steps():
            self._say("will", step)
            reply = await client.request(method, path, json=body)
            if not reply.is_success:
                raise SystemExit(reply.text)
            made = reply.json().get(step[0])
            self._say("did", made["id"] if step[0] in ("task", "comment") else None)
            if step[0] == "task":
                self.tasks.append(made["id"])

    def _steps(self) -> Iterator[tuple[list[Any], str, str, Any]]:
        number = 0
        while True:
            number += 1
            words = f"{self.number}: {number}"
            task = self.random.choice(self.tasks) if self.tasks else None
            kinds = ("task", "comment", "title", "title", "move", "move", "delete")
            kind = "task" if task is None else self.random.choice(kinds)
            if kind == "task" or task is None:
                stage = self.random.choice(STAGES)
                new = {"title": words, "board_id": BOARD, "stage_id": stage}
                yield ["task", words, stage], "POST", _TASKS, {"task": new}
            elif kind == "comment":
                body = {"comment": words, "comment_type": "comment"}
                yield ["comment", task, words], "POST", f"{_TASKS}/{task}/comments", body
            elif kind == "title":
                body = {"property": "title", "value": words}
                yield ["title", task, words], "PUT", f"{_TASKS}/{task}", body
            elif kind == "move":
                stage = self.random.choice(STAGES)
                place = {"newStageId": stage, "newIndex": self.random.randint(1, 5)}
                yield ["move", task, stage], "PUT", f"{_TASKS}/{task}/move-task", place
            elif len(self.tasks) > _MOST_TASKS:
                self.tasks.remove(task)
                yield ["delete", task], "DELETE", f"{_TASKS}/{task}", None

    def _say(self, word: str, what: object) -> None:
        """Write a line at once and whole, whatever the others write."""
        os.write(1, (json.dumps([self.number, word, what]) + "\n").encode())


def main(path: Path, seed: int) -> None:
    """Open the service at `path` and let the writers write."""
    service = open_embedded(path, login="ann", display_name="Ann")
    asyncio.run(_make_board(service))
    threads = [
        Thread(target=lambda number=number: asyncio.run(_write(service, number, seed)))
        for number in range(WRITERS)
    ]
    for thread in threads:
        thread.start()


def _client(service: Embedded) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app=service.application),
        base_url=BASE_URL,
        auth=(service.login, service.password),
    )


async def _make_board(service: Embedded) -> None:
    async with _client(service) as client:
        if not (await client.get("/projects")).json()["boards"]["data"]:
            await client.post("/projects", json={"board": {"title": "B", "type": "to-do"}})


async def _write(service: Embedded, number: int, seed: int) -> None:
    async with _client(service) as client:
        await Writer(number, seed).work(client)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
