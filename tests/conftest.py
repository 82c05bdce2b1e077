"""How the tests are spread, and how much is made up for each property.

By default every run tries the same examples of a property, so that a test fails for who broke what
it proves. `--hypothesis-profile new` makes up others each time, as `.ci/run` does, `deep` many.
"""

import gc
import os
import re
import signal
from asyncio import AbstractEventLoop
from collections.abc import Callable, Generator, Mapping
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from tests.drivers.loops import loop_of_the_program
from tests.drivers.quiet import (
    leave_unpainted,
    let_pilots_wait,
    let_screens_be_unpainted,
    paint_at_once,
)
from tests.harness.bytecode import compile_all
from tests.harness.connections import Connections
from tests.harness.parsed_styles import share_parsed_styles
from tests.terminal.first_minute.pythons import VARIABLE, pythons
from tui.text.dates import Customs, customs

settings.register_profile("few", max_examples=12, deadline=None, derandomize=True)
settings.register_profile("new", max_examples=50, deadline=None)
settings.register_profile("deep", max_examples=500, deadline=None)
settings.load_profile("few")


_IN_MEMORY = Path("/dev/shm")  # noqa: S108  pytest makes a folder of its own in it
_ROOM = 2**30
_NUMBERS = count()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option with which nothing of Textual is replaced or called but by itself."""
    parser.addoption(
        "--as-people-run",
        action="store_true",
        help="read styles for each application, and paint all that changes when Textual does",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Keep the folders of the tests in memory, where there is room: nothing waits for a disk."""
    _heed_signals()
    let_pilots_wait()
    if not config.getoption("as_people_run"):
        share_parsed_styles()
        let_screens_be_unpainted()
    config.pluginmanager.register(Connections(), "connections")
    if os.access(_IN_MEMORY, os.W_OK | os.X_OK):
        found = os.statvfs(_IN_MEMORY)
        can_run = not found.f_flag & getattr(os, "ST_NOEXEC", 0)  # some tests write programs
        if can_run and found.f_bavail * found.f_frsize > _ROOM:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_IN_MEMORY))


def _heed_signals() -> None:
    # Programs that tests start would ignore what ends them where the tests run in the background,
    # or after `nohup`.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], AbstractEventLoop]]:
    """Run every test as Textual runs the program: with eager tasks from Python 3.12 on."""
    del config, item
    return {"as the program": loop_of_the_program}


@pytest.hookimpl(wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Run one worker more than there are processors, as tests wait for timers and threads."""
    return (yield) + 1


def pytest_sessionstart(session: pytest.Session) -> None:
    """Collect garbage rarely: thousands of small applications are made and thrown away."""
    if session.config.getoption("numprocesses", None):  # it only starts workers
        compile_all(session.config)
    _collect_rarely()
    gc.freeze()


def _collect_rarely() -> None:
    # `tui.cli.program` disables it on import, until it runs: without it, a test would look through
    # the tasks of all that ran earlier when it closes its loop.
    gc.enable()
    gc.set_threshold(100_000, 20, 100)


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the test's own; pytest would look through those of all others to number it."""
    words = re.sub(r"\W", "_", request.node.name)[:30]
    folder = tmp_path_factory.getbasetemp() / f"{words}{next(_NUMBERS)}"
    folder.mkdir(mode=0o700)
    return folder


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Write dates as the default is, and paint by the option and the marks `walk` and `painted`.

    Programs that a test ran in this process have set others, and when garbage is looked for.
    """
    customs.set(Customs())
    _collect_rarely()
    is_walk = item.get_closest_marker("walk") is not None
    as_people_run = item.config.getoption("as_people_run")
    paint_at_once(is_walk or not as_people_run)
    leave_unpainted(not as_people_run and item.get_closest_marker("painted") is None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a mark `long` that `pytest_ignore_collect` would not see."""
    for item in items:
        if item.get_closest_marker("long") and _is_short(item.path):
            raise pytest.UsageError(f"{item.nodeid}: write its mark `long` where it would be found")


def pytest_collection_finish() -> None:
    """Leave alone what stays to the end anyway: the tests, and the modules that they are in."""
    gc.freeze()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no module of whose tests none will run, by the marks that are written in it."""
    has_none = {"not long": _is_long, "long": _is_short, "long and not exhaustive": _is_short}
    if config.option.markexpr not in has_none:
        return None
    path, is_folder = collection_path, collection_path.is_dir()
    files = sorted(path.rglob("test_*.py")) if is_folder else [path]
    return (bool(files) and all(map(has_none[config.option.markexpr], files))) or None


def _is_long(file: Path) -> bool:
    return "\npytestmark = pytest.mark.long\n" in _source(file)


def _is_short(file: Path) -> bool:
    # Fixtures of the folder may have marks, too.
    return not any(
        mark in _source(each)
        for mark in ("pytest.mark.long", "mostly_long")
        for each in (file, file.with_name("conftest.py"))
        if each != Path(__file__)
    )


@cache
def _source(file: Path) -> str:
    return file.read_text("utf-8") if file.exists() else ""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say if the first minute was tried on one Python alone."""
    reports = terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
    if len(pythons()) == 1 and any("/first_minute/" in each.nodeid for each in reports):
        (version,) = pythons()
        alone = f"the first minute was tried on Python {version} alone: {VARIABLE} names others"
        terminalreporter.write_line(alone)


def pytest_sessionfinish() -> None:
    """Look for garbage once; pytest does so five times over, unless nothing is left to look at."""
    gc.collect()
    gc.freeze()
