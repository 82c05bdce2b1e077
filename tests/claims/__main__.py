"""How many claims too many there are: `python -m tests.claims`, or on some services alone.

On SQLite, PostgreSQL, two programs on one profile, and the emulations of deployed editions.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.claims.contest import Contest
from tests.claims.programs import on_profile
from tests.claims.services import DEPLOYED, on_databases, on_edition
from tests.postgres.server import Server, programs

_SECONDS = 0.02
"""The most that a request, and its response, takes beside the work of the service."""
_PROCESSES = 4


def _sqlite(folder: Path, agents: int, cards: int, _: float) -> Contest:
    settings = [str(folder / "boards.sqlite3")] * 2
    return asyncio.run(on_databases(settings, agents, cards, seconds=_SECONDS))


def _postgres(_: Path, agents: int, cards: int, __: float) -> Contest | None:
    bin_folder = programs()
    if bin_folder is None:
        return None
    server = Server(bin_folder)
    try:
        settings = [server.url(server.create())] * _PROCESSES
        return asyncio.run(on_databases(settings, agents, cards, seconds=_SECONDS))
    finally:
        server.remove()


def _profile(folder: Path, agents: int, cards: int, _: float) -> Contest:
    return on_profile(folder, agents, cards)


def _edition(name: str) -> Callable[[Path, int, int, float], Contest]:
    def run(folder: Path, agents: int, cards: int, pause: float) -> Contest:
        return asyncio.run(on_edition(name, folder, agents, cards, seconds=_SECONDS, pause=pause))

    return run


SERVICES: dict[str, Callable[[Path, int, int, float], Contest | None]] = {
    "sqlite": _sqlite,
    "postgres": _postgres,
    "profile": _profile,
    **{name: _edition(name) for name in DEPLOYED},
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the contests; 1 if a card was claimed twice or not at all."""
    parser = argparse.ArgumentParser(prog="python -m tests.claims", description=__doc__)
    parser.add_argument("services", nargs="*", default=[*SERVICES], metavar="SERVICE")
    parser.add_argument("--agents", type=int, default=40)
    parser.add_argument("--cards", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds until editions read back")
    chosen = parser.parse_args(arguments)
    is_exact = True
    for name in chosen.services:
        for _ in range(chosen.runs):
            started = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                found = SERVICES[name](Path(folder), chosen.agents, chosen.cards, chosen.pause)
            seconds = time.monotonic() - started
            if found is None:
                sys.stdout.write(f"{name}: not at hand\n")
                break
            claimed = len(found.claims)
            is_exact = is_exact and not found.doubles and claimed == chosen.cards
            sys.stdout.write(
                f"{name}: {chosen.agents} agents, {claimed} of {chosen.cards} cards claimed,"
                f" {found.doubles} twice, {found.lost} claims lost, {seconds:.1f} s\n"
            )
            sys.stdout.flush()
    return int(not is_exact)


if __name__ == "__main__":
    sys.exit(main())
