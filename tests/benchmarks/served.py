"""The service on loopback with one big board in it, as `callboard serve` runs it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from tests.benchmarks.loopback import Target
from tests.server.launched import listening
from tui.service.accounts.accounts import create_account
from tui.service.accounts.auth import LocalSession
from tui.service.application import create_application
from tui.service.database.base import Transaction
from tui.service.databases import open_at
from tui.service.times import SiteClock

LOGIN, PASSWORD = "bench", "a long enough password"
_STAGES = 3
_LABELS = 2
_INSERT = "insert into task ({columns}) values ({marks})"
_LABELLING = """insert into task_label (task_id, label_id, created_at)
    select task.id, label.id, task.created_at from task
    join label on label.board_id = task.board_id and label.position <= :labels
    where task.board_id = :board and task.id % (cast(label.position as integer) + 1) = 0"""


def furnish(setting: str, tasks: int) -> int:
    """Put an administrator and a board of so many tasks into an empty database; the board's id."""
    database = open_at(setting)
    with database.transaction(writing=True) as db:
        create_account(db, SiteClock(), login=LOGIN, display_name="Bench", password=PASSWORD)
    application = create_application(database, session=LocalSession(LOGIN, PASSWORD))
    board_id = asyncio.run(_make_board(application))
    with database.transaction(writing=True) as db:
        _multiply(db, board_id, tasks - 1)
        db.run(_LABELLING, labels=_LABELS, board=board_id)
    database.close()
    return board_id


def _multiply(db: Transaction, board_id: int, count: int) -> None:
    """Copy the board's one task so often, spread over its stages."""
    model = db.select("task", board_id=board_id)[0]
    del model["id"]
    stages = db.all("select id from stage where board_id = :b order by position", b=board_id)
    db.many(
        _INSERT.format(columns=", ".join(model), marks=", ".join(f":{name}" for name in model)),
        [
            model
            | {
                "stage_id": stages[number % _STAGES]["id"],
                "position": float(number // _STAGES + 2),
                "title": f"Write down what number {number} of the many is for",
                "due_at": "2026-05-01 12:00:00" if number % 3 == 0 else None,
            }
            for number in range(count)
        ],
    )


async def _make_board(application: object) -> int:
    """A board with one task and one comment."""
    transport = httpx.ASGITransport(app=application)  # type: ignore[arg-type]  # an ASGI application
    async with httpx.AsyncClient(
        transport=transport, base_url="http://bench/v2", auth=(LOGIN, PASSWORD)
    ) as client:
        reply = await client.post("/projects", json={"board": {"title": "B", "type": "to-do"}})
        board_id = int(reply.json()["board"]["id"])
        board = (await client.get(f"/projects/{board_id}")).json()["board"]
        task = {"title": "First", "board_id": board_id, "stage_id": board["stages"][0]["id"]}
        reply = await client.post(f"/projects/{board_id}/tasks", json={"task": task})
        reply.raise_for_status()
    return board_id


@contextmanager
def served(setting: str, folder: Path) -> Iterator[Target]:
    """The service over a database, in a process of its own; its log goes to `folder`."""
    folder.mkdir(exist_ok=True)
    attachments = str(folder / "attachments")
    process, address = listening(
        folder, "--port", "0", "--database", setting, "--attachments", attachments
    )
    try:
        parts = urlsplit(address)
        assert parts.hostname, f"the service says no host: {address}"
        assert parts.port, f"the service says no port: {address}"
        yield Target(parts.hostname, parts.port, LOGIN, PASSWORD)
    finally:
        process.terminate()
        process.wait(30)
