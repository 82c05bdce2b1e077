"""Eight people move the tasks of one board at once.

What happened in what order is told by the activities, which are written with each move. Done again
one after the other on plain lists, the moves must lead to every order that anybody was shown.
"""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
import pytest

from tests.service.world import FrozenClock
from tui.service.accounts.accounts import create_account
from tui.service.accounts.auth import LocalSession
from tui.service.application import create_application
from tui.service.database.base import Database
from tui.service.database.sqlite import open_database
from tui.service.times import SiteClock

PEOPLE, MOVES, TASKS, STAGES = 8, 25, 12, (1, 2, 3)

Order = tuple[tuple[int, ...], ...]
"""The tasks of each stage."""


@dataclass(frozen=True)
class Move:
    """A task is put at a place, from 1, in a stage."""

    task: int
    stage: int
    index: int


@dataclass
class Person:
    """Somebody who moves tasks at random and looks at the board after each move."""

    name: str
    database: Database
    random: Random
    moves: list[Move] = field(default_factory=list)
    seen: list[Order] = field(default_factory=list)

    def client(self) -> httpx.AsyncClient:
        session = LocalSession(self.name)
        application = create_application(self.database, session=session, clock=FrozenClock())
        return httpx.AsyncClient(
            transport=httpx.ASGITransport(app=application),
            base_url="http://embedded/v2",
            auth=(session.login, session.password),
        )

    def work(self) -> None:
        asyncio.run(self._work())

    async def _work(self) -> None:
        async with self.client() as client:
            for _ in range(MOVES):
                move = Move(
                    self.random.randint(1, TASKS),
                    self.random.choice(STAGES),
                    self.random.randint(1, TASKS),
                )
                reply = await client.put(
                    f"/projects/1/tasks/{move.task}/move-task",
                    json={"newStageId": move.stage, "newIndex": move.index},
                )
                assert reply.status_code == 200, reply.text
                assert move.task in {task["id"] for task in reply.json()["updatedTasks"]}
                self.moves.append(move)
                self.seen.append(_order((await client.get("/projects/1/tasks")).json()["tasks"]))


@pytest.fixture
def people(tmp_path: Path) -> Iterator[list[Person]]:
    """Administrators of a board with twelve tasks in its first stage."""
    database = open_database(tmp_path / "b")
    people = [Person(f"p{number}", database, Random(number)) for number in range(PEOPLE)]  # noqa: S311 (chance, not secrecy)
    with database.transaction(writing=True) as db:
        for person in people:
            made = create_account(db, SiteClock(), login=person.name, display_name=person.name)
            db.run("update account set is_administrator = 1 where id = :id", id=made.id)
    asyncio.run(_make_board(people[0]))
    yield people
    database.close()


async def _make_board(person: Person) -> None:
    async with person.client() as client:
        await client.post("/projects", json={"board": {"title": "B", "type": "to-do"}})
        for _ in range(TASKS):
            task = {"title": "x", "board_id": 1, "stage_id": 1}
            assert (await client.post("/projects/1/tasks", json={"task": task})).is_success


def _order(tasks: list[dict[str, int]]) -> Order:
    """The listed tasks by stage; nobody may share a position."""
    places = [(task["stage_id"], task["position"]) for task in tasks]
    assert len(set(places)) == len(places)
    ordered = sorted(tasks, key=lambda task: (task["position"], task["id"]))
    return tuple(
        tuple(task["id"] for task in ordered if task["stage_id"] == stage) for stage in STAGES
    )


def _replayed(people: list[Person]) -> tuple[list[Order], dict[str, list[int]]]:
    """The order after each move of anybody, and which of them were whose."""
    with people[0].database.transaction(writing=False) as db:
        told = db.all(
            """select account.login, activity.task_id from activity
            join account on account.id = activity.created_by
            where activity.action = 'moved' order by activity.id"""
        )
    lanes = {stage: list(range(1, TASKS + 1)) if stage == 1 else [] for stage in STAGES}
    left = {person.name: iter(person.moves) for person in people}
    orders, whose = [], {person.name: list[int]() for person in people}
    for number, row in enumerate(told):
        move = next(left[row["login"]])
        assert move.task == row["task_id"]
        next(lane for lane in lanes.values() if move.task in lane).remove(move.task)
        lanes[move.stage].insert(move.index - 1, move.task)
        orders.append(tuple(tuple(lanes[stage]) for stage in STAGES))
        whose[row["login"]].append(number)
    return orders, whose


@pytest.mark.long
def test_every_order_that_was_shown_was_true_and_none_is_lost(people: list[Person]) -> None:
    with ThreadPoolExecutor(PEOPLE) as pool:
        for done in [pool.submit(person.work) for person in people]:
            done.result()
    orders, whose = _replayed(people)
    assert len(orders) == PEOPLE * MOVES
    for person in people:
        assert len(whose[person.name]) == MOVES
        at_least = 0
        for own, seen in zip(whose[person.name], person.seen, strict=True):
            at_least = max(at_least, own)
            at_least = orders.index(seen, at_least)
    assert orders[-1] in {person.seen[-1] for person in people}
