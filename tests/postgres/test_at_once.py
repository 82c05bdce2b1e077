"""Many clients and several processes on one database: nothing is lost and every order holds."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.claims.services import on_databases
from tests.postgres.clients import run_clients
from tests.postgres.server import Server
from tests.postgres.worlds import Worlds
from tests.service.world import World

pytestmark = pytest.mark.long

CLIENTS, TURNS = 8, 12
_TASKS = 6


def _with_tasks(world: World) -> list[int]:
    """Tasks in stage 1 of board 1, more than the furnished two."""
    for number in range(_TASKS):
        task = {"title": f"T{number}", "board_id": 1, "stage_id": 1}
        world.done("ann", "POST", "/projects/1/tasks", {"task": task})
    return world.tasks_in(1)


def _changes(world: World, board_id: int = 1) -> int:
    with world.database.transaction(writing=False) as db:
        return int(db.value("select change_count from board where id = :id", id=board_id))


def _shared_positions(world: World) -> list[tuple[object, ...]]:
    """Places of an order at which there is more than one active task."""
    with world.database.transaction(writing=False) as db:
        rows = db.tuples(
            """select stage_id, position from task where archived_at is null
            and parent_id is null group by stage_id, position having count(*) > 1"""
        )
        return list(rows)


def test_clients_move_in_one_stage_at_once(world: World) -> None:
    tasks, before = _with_tasks(world), _changes(world)

    def move(client: World, number: int) -> None:
        chance = random.Random(number)  # noqa: S311 - not for secrets
        for _ in range(TURNS):
            body = {"newStageId": 1, "newIndex": chance.choice((1, 1, 2, 3))}
            path = f"/projects/1/tasks/{chance.choice(tasks)}/move-task"
            client.done("bob", "PUT", path, body)

    run_clients(world.database, CLIENTS, move)
    assert sorted(world.tasks_in(1)) == sorted(tasks)
    assert _shared_positions(world) == []
    assert _changes(world) - before == CLIENTS * TURNS


def test_clients_comment_on_one_task_at_once(world: World) -> None:
    def comment(client: World, _number: int) -> None:
        for _ in range(TURNS // 2):
            body = {"comment": "x", "comment_type": "comment"}
            client.done("bob", "POST", "/projects/1/tasks/1/comments", body)

    run_clients(world.database, CLIENTS, comment)
    made = CLIENTS * (TURNS // 2)
    assert world.done("vic", "GET", "/projects/1/tasks/1").at("task.comments_count") == made + 1


def test_clients_move_between_boards_at_once(world: World) -> None:
    tasks = _with_tasks(world)
    stages = {1: 1, 2: 4}

    def move(client: World, number: int) -> None:
        chance = random.Random(number)  # noqa: S311 - not for secrets
        for _ in range(TURNS // 2):
            task, target = chance.choice(tasks), chance.choice((1, 2))
            body = {"newBoardId": target, "newStageId": stages[target], "newIndex": 1}
            paths = (f"/projects/{board}/tasks/{task}/move-task" for board in (1, 2))
            statuses = {client.ask("root", "PUT", path, body).status for path in paths}
            assert statuses <= {200, 404}

    run_clients(world.database, CLIENTS, move)
    assert sorted(world.tasks_in(1) + world.tasks_in(4, 2)) == sorted(tasks)
    assert _shared_positions(world) == []


def test_the_last_admin_of_a_board_stays(world: World) -> None:
    world.done("ann", "POST", "/projects/1/user/3/make-manager")
    admins = {0: ("ann", 3), 1: ("bob", 2)}

    def dismiss(client: World, number: int) -> None:
        who, other = admins[number]
        answer = client.ask(who, "POST", f"/projects/1/user/{other}/remove-manager")
        assert answer.status in (200, 403, 409)

    run_clients(world.database, len(admins), dismiss)
    members = world.done("root", "GET", "/projects/1/users").body["users"]
    assert [member for member in members if member["role"] == "admin"]


_MOVER = """
import random, sys
from tests.service.world import World
from tui.service.database.postgres import open_postgres

world = World(open_postgres(sys.argv[1]))
tasks = world.tasks_in(1)
sys.stdout.write("ready\\n")
sys.stdout.flush()
sys.stdin.readline()
for turn in range(int(sys.argv[2])):
    body = {"newStageId": 1, "newIndex": random.choice((1, 2))}
    world.done("bob", "PUT", f"/projects/1/tasks/{random.choice(tasks)}/move-task", body)
world.close()
"""


def test_two_server_processes_move_in_one_stage(worlds: Worlds, server: Server) -> None:
    name, turns = worlds.database(), 40
    world = worlds.world(name=name)
    tasks, before = _with_tasks(world), _changes(world)
    processes = [
        subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", _MOVER, server.url(name), str(turns)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert sorted(world.tasks_in(1)) == sorted(tasks)
    assert _shared_positions(world) == []
    assert _changes(world) - before == 2 * turns


async def test_agents_of_several_processes_claim_each_card_once(worlds: Worlds) -> None:
    address = worlds.server.url(worlds.server.create())
    found = await on_databases([address] * 3, CLIENTS, 10)
    assert (len(found.claims), found.doubles) == (10, 0)
