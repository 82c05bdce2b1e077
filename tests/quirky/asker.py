"""Asks a quirky service over a detailed world, with nothing between but httpx."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.quirky.application import QuirkyService, base_url
from tests.quirky.breaking import Breaking
from tests.quirky.people import PASSWORD
from tests.quirky.quirks import Quirks
from tests.service.world import ZONE, FrozenClock, memory_database
from tui.service.application import create_application
from tui.service.attachments import Attachments


@dataclass(frozen=True)
class Asker:
    """A way to a service; ann asks unless somebody else is named."""

    client: httpx.AsyncClient
    base: httpx.URL
    clock: FrozenClock
    breaking: Breaking

    async def reply(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        who: str = "ann",
        query: Mapping[str, str] | None = None,
        **more: Any,
    ) -> httpx.Response:
        """Send a request and take what comes back."""
        route = self.base.params.get("rest_route")
        if route is None:
            address = self.base.copy_with(path=self.base.path + path)
        else:
            address = self.base.copy_set_param("rest_route", route + path)
        address = address.copy_merge_params(dict(query or {}))
        sent = more if body is None else {"json": body, **more}
        return await self.client.request(method, address, auth=(who, PASSWORD), **sent)

    async def ask(self, method: str, path: str, body: object = None, **more: Any) -> Any:
        """The JSON of a reply."""
        return (await self.reply(method, path, body, **more)).json()

    async def status(self, method: str, path: str, body: object = None, **more: Any) -> int:
        """The status of a reply."""
        return (await self.reply(method, path, body, **more)).status_code

    async def order(self, stage_id: int, board_id: int = 1) -> list[int]:
        """The tasks of a stage as they stand."""
        tasks = (await self.ask("GET", f"/projects/{board_id}/tasks"))["tasks"]
        tasks.sort(key=lambda task: (float(task["position"]), task["id"]))
        return [task["id"] for task in tasks if int(task["stage_id"]) == stage_id]

    async def set(self, name: str, value: object, task_id: int = 1, **more: Any) -> Any:
        """Set a property of a task of board 1."""
        body = {"property": name, "value": value}
        return await self.ask("PUT", f"/projects/1/tasks/{task_id}", body, **more)

    async def make(self, title: str, stage_id: int) -> Any:
        """Make a task on board 1."""
        task = {"title": title, "board_id": 1, "stage_id": stage_id}
        return await self.ask("POST", "/projects/1/tasks", {"task": task})


@asynccontextmanager
async def asking(
    content: bytes, folder: Path, quirks: Quirks, *, every: int = 1_000_000
) -> AsyncIterator[Asker]:
    """A service over a copy of a database, as `peopled_content`; uploads go to `folder`."""
    database = memory_database(content)
    clock = FrozenClock()
    application = create_application(
        database, clock=clock, zone=ZONE, attachments=Attachments(folder)
    )
    service = QuirkyService(application, quirks, every=every)
    transport = httpx.ASGITransport(app=service)
    async with httpx.AsyncClient(
        transport=transport, headers={"Accept": "application/json"}
    ) as client:
        yield Asker(client, httpx.URL(base_url(quirks)), clock, service.breaking)
    database.close()
