"""Measures how fast something is found among 10,000 cards on 10 boards, letter by letter.

Run `python -m tests.benchmarks.find`. First without a screen: how long everything is read from the
cache, what that holds the event loop and memory for, and how long each letter takes to rank. Then
in a terminal: from the key to the first byte of its frame, and to the last, which is of the scroll
bar; beside a bare Textual application and the list of actions, which is the same widget.
"""

import argparse
import asyncio
import gc
import os
import sys
import tempfile
import tracemalloc
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from tests.benchmarks import reference
from tests.benchmarks.driven import Driven
from tests.benchmarks.seed import FIRST_TITLE, seed
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.profiles import EMBEDDED
from tui.model.find import FindIndex
from tui.runtime.input_priority import SWITCH_SECONDS
from tui.store.store import LocalStore

QUERIES = ("login redirect 77", "rtsl", "public api limit", "größer", "#512", "zq")
"""Words, scattered letters, several words, accents, a number, and what nothing fits."""
_MOST = 40
_TIMES = 5
_TICK = 0.001


def main() -> int:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.find", description=__doc__)
    parser.add_argument("--cards", type=int, default=10_000, help="cards in all")
    parser.add_argument("--boards", type=int, default=10, help="boards they are on")
    asked = parser.parse_args()
    sys.setswitchinterval(SWITCH_SECONDS)
    with tempfile.TemporaryDirectory(prefix="callboard-") as folder:
        home = Path(folder)
        asyncio.run(seed(home, asked.cards, asked.boards))
        _say(f"{asked.cards:,} cards, {asked.boards} boards, load {os.getloadavg()[0]:.1f}")
        findings = asyncio.run(_read(home))
        for query in QUERIES:
            _say(f"  {query:18} {_letters(findings, query)}")
        _in_a_terminal(home)
    return 0


async def _read(home: Path) -> FindIndex:
    """Read everything as the dialog does, once for the time and once for the memory."""
    gc.freeze()  # as the program does once it is up
    places = Places.find({HOME_VARIABLE: str(home)})
    store = LocalStore.open(places.cache, places.data, EMBEDDED)
    holds: list[float] = []
    ticking = asyncio.create_task(_tick(holds))
    began = perf_counter()
    await _filled(store)
    seconds = perf_counter() - began
    ticking.cancel()
    with suppress(asyncio.CancelledError):
        await ticking
    tracemalloc.start()
    findings = await _filled(store)
    memory = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    await store.aclose()
    held = sorted(holds)[len(holds) * 95 // 100]
    _say(
        f"read {len(findings):,} things in {1000 * seconds:.0f} ms, {memory / 1e6:.1f} MB; the loop"
        f" was held for {1000 * max(holds):.1f} ms at most, p95 {1000 * held:.1f} ms"
    )
    return findings


async def _filled(store: LocalStore) -> FindIndex:
    findings = FindIndex((), datetime.now().astimezone().replace(tzinfo=None))
    async for things in store.everything():
        findings.add(things)
    return findings


async def _tick(holds: list[float]) -> None:
    """Note how much later than due the event loop wakes somebody."""
    while True:
        due = perf_counter() + _TICK
        await asyncio.sleep(_TICK)
        holds.append(perf_counter() - due)


def _letters(findings: FindIndex, query: str) -> str:
    """The processor time that each letter of a query takes."""
    times = []
    for end in range(1, len(query) + 1):
        taken = []
        for _ in range(_TIMES):
            began = process_time()
            findings.find(query[:end], _MOST)
            taken.append(1000 * (process_time() - began))
        times.append(median(taken))
    return f"median {median(times):4.1f} ms, slowest letter {max(times):4.1f} ms"


def _in_a_terminal(home: Path) -> None:
    environment = {"PATH": os.defpath, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    environment |= {"LANG": "C.UTF-8", "HOME": str(home), "CALLBOARD_HOME": str(home)}
    bare = [sys.executable, "-m", "tests.benchmarks.reference"]
    _drive(bare, environment, reference.SHOWN, (), ("j" * 60,))
    ours = [sys.executable, "-m", "tui"]
    _drive(ours, environment, FIRST_TITLE, (":",), "asdfghjkl" * 3)
    _drive(ours, environment, FIRST_TITLE, ("g", "f"), QUERIES)


def _drive(
    command: Sequence[str],
    environment: dict[str, str],
    shown: str,
    before: Sequence[str],
    queries: Sequence[str],
) -> None:
    """Type queries in a program of its own, and print how long a letter takes."""
    program = Driven(command, environment)
    try:
        program.until_shown(shown, 60)
        program.until_idle(60)
        for key in before:
            program.press(key)
        program.until_idle(60)
        answers, worked = [], program.worked()
        for query in queries:
            answers += [program.press(letter) for letter in query]
            program.press("\x15")
        work = 1000 * (program.worked() - worked) / sum(len(query) + 1 for query in queries)
    finally:
        memory = program.peak_megabytes()
        program.close()
    first, last = (
        sorted(1000 * time for time in times)
        for times in zip(*((one.first, one.last) for one in answers if one), strict=True)
    )
    _say(
        f"{' '.join((*command[1:], *before)):34} a key: first {median(first):4.1f} ms,"
        f" p95 {first[len(first) * 95 // 100]:4.1f} ms, last {median(last):4.1f} ms,"
        f" at work {work:.1f} ms; {memory:.0f} MB"
    )


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
