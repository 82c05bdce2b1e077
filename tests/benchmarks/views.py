"""Measures what a view over 100 boards of 200 cards costs: processor time, and memory.

Run `python -m tests.benchmarks.views`. The store is opened on a seeded cache, and the screen is run
without a terminal. Processor time is that of all threads of the program, the embedded service among
them, the median of several rounds, also as a multiple of a sum of 100,000 numbers. A view is opened
first with nothing read, then again; a step is a row down.
"""

import argparse
import asyncio
import gc
import os
import sys
import tempfile
import tracemalloc
from pathlib import Path
from statistics import median
from time import process_time

from tests.benchmarks.driven import Driven
from tests.benchmarks.seed import FIRST_TITLE, LOGIN, seed
from tui.app import CallboardApp
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.preferences import Preferences
from tui.config.profiles import EMBEDDED
from tui.config.saved_views import ViewStore
from tui.context import Context
from tui.model.people import Account
from tui.model.work.saved_view import SavedView
from tui.runtime.idle import freeze_old_objects
from tui.runtime.input_priority import SWITCH_SECONDS
from tui.screens.lists.views import ViewsScreen
from tui.screens.views.results import ViewResults
from tui.store.store import LocalStore
from tui.text.dates import wall_clock

VIEWS = (
    SavedView("Bugs", "label:bug is:open"),
    SavedView("Overdue", "due:overdue"),
    SavedView("By name", "login is:open"),
    SavedView("All open", "is:open"),
)
_STEPS = 40
_ROUNDS = 7
_NUMBERS = 100_000


def main() -> int:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.views", description=__doc__)
    parser.add_argument("--cards", type=int, default=20_000, help="cards in all")
    parser.add_argument("--boards", type=int, default=100, help="boards they are on")
    asked = parser.parse_args()
    sys.setswitchinterval(SWITCH_SECONDS)
    with tempfile.TemporaryDirectory(prefix="callboard-") as folder:
        home = Path(folder)
        asyncio.run(seed(home, asked.cards, asked.boards, own_every=25))
        load = os.getloadavg()[0]
        _say(f"{asked.cards:,} cards, {asked.boards} boards, load {load:.1f}")
        asyncio.run(_measure(home))
        _say_peaks(home)
    return 0


async def _measure(home: Path) -> None:
    places = Places.find({HOME_VARIABLE: str(home)})
    store = LocalStore.open(places.cache, places.data, EMBEDDED)
    store.set_account(Account(LOGIN))
    preferences = Preferences()
    ViewStore(preferences).add(VIEWS)
    app = CallboardApp(Context(store, preferences=preferences), connect=_nothing, board_id=None)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("g", "b")
        gc.collect()
        freeze_old_objects()  # as the program does once it is up
        spent = process_time()
        await pilot.press("g", "v")
        screen = app.screen
        if not isinstance(screen, ViewsScreen):
            raise TypeError(screen)
        await _until_found(screen)
        _say(f"the screen and the counts of {len(screen.views)} tabs: {_since(spent):.0f} ms")
        for view in screen.views:
            for what in ("first", "again"):
                await _say_opening(screen, store, view, what)
        for view in (screen.views[2], screen.views[-1]):
            screen.open_view(view)
            await _until_found(screen)
            await pilot.press("home")
            spent = process_time()
            for _ in range(_STEPS):
                await pilot.press("j")
            step = _since(spent) / _STEPS
            _say(f"a step among {len(screen.known):,} cards: {step:.1f} ms, with the test's own")
    await _say_memory(store)
    await store.aclose()


async def _say_opening(screen: ViewsScreen, store: LocalStore, view: SavedView, what: str) -> None:
    """Find the cards of a view and lay out its rows, as when its tab is opened."""
    screen.current = view
    times, references, count = list[float](), list[float](), 0
    for _ in range(_ROUNDS):
        screen.results.keep(())
        if what == "first":
            await _forget_frames(store)
        references.append(_reference())
        spent = process_time()
        await screen.results.look(view, wall_clock())
        screen.show_rows()
        times.append(_since(spent))
        count = len(screen.known)
    took, reference = median(times), median(references)
    _say(
        f"  {view.name:14} {view.query:28} {count:6,} cards, {what}: {took:6.1f} ms,"
        f" {took / reference:5.1f} x {reference:.1f} ms"
    )


def _reference() -> float:
    # How fast the machine is now, for it may have other work.
    spent = process_time()
    sum(range(_NUMBERS))
    return _since(spent)


async def _forget_frames(store: LocalStore) -> None:
    store._parts.card_search._frames.clear()
    await asyncio.sleep(0)


async def _until_found(screen: ViewsScreen) -> None:
    results = screen.results
    while results.is_due(screen.current) or any(  # noqa: ASYNC110
        map(results.is_uncounted, screen.views)
    ):
        await asyncio.sleep(0.01)


async def _say_memory(store: LocalStore) -> None:
    tracemalloc.start()
    results = ViewResults(store)
    for view in (VIEWS[0], VIEWS[-1]):
        held = tracemalloc.get_traced_memory()[0]
        await results.look(view, wall_clock())
        rows = len(results.rows(view, wall_clock()))
        more = tracemalloc.get_traced_memory()[0] - held
        _say(f"{view.name}: {rows:,} rows hold {more / 1e6:.1f} MB")
    tracemalloc.stop()


def _say_peaks(home: Path) -> None:
    """How much memory the program had at most: with one board, with a view, with the largest."""
    places = Places.find({HOME_VARIABLE: str(home)})
    ViewStore(Preferences(places.data / "preferences.json")).add(VIEWS)
    environment = {"PATH": os.defpath, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    environment |= {"LANG": "C.UTF-8", "HOME": str(home), "CALLBOARD_HOME": str(home)}
    if "PYTHONPATH" in os.environ:
        environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
    program = Driven([sys.executable, "-m", "tui"], environment)
    try:
        program.until_shown(FIRST_TITLE, 60.0)
        program.until_idle(60.0)
        _say(f"memory with one board open: at most {program.peak_megabytes():.1f} MB")
        for what, keys in (("the first view", "gv"), ("all open cards", "6")):
            for key in keys:
                program.press(key)
            program.until_idle(60.0)
            _say(f"memory with {what}: at most {program.peak_megabytes():.1f} MB")
    finally:
        program.close()


async def _nothing() -> int | None:
    return None


def _since(spent: float) -> float:
    return 1000 * (process_time() - spent)


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
