"""Clients that speak to one service at the same time, each on a thread of its own."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from tests.service.world import World
from tui.service.database.base import Database


def run_together(number: int, work: Callable[[int], None]) -> None:
    """Do the same so often at once, counted from 0; raises what any of them raised."""
    start = threading.Barrier(number)

    def run(count: int) -> None:
        start.wait(timeout=60)
        work(count)

    with ThreadPoolExecutor(number) as pool:
        for done in [pool.submit(run, count) for count in range(number)]:
            done.result()


def run_clients(database: Database, number: int, script: Callable[[World, int], None]) -> None:
    """Let so many clients carry out a script at once; see `run_together`."""

    def run(count: int) -> None:
        world = World(database)
        try:
            script(world, count)
        finally:
            world.hang_up()

    run_together(number, run)
