"""Lists of boards and cards, from the cache alone where the embedded service's file confirms it."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Said, ran_alone
from tui.cli.scripts.lists import current_boards
from tui.config.paths import HOME_VARIABLE, Places
from tui.store.operations.setters import set_title
from tui.workspace import Workspace

_HEAVY = (
    *("asyncio", "httpx", "pydantic", "starlette", "textual", "zoneinfo"),
    *("tui.workspace", "tui.store.core", "tui.client", "tui.service.embedded"),
)
_MOST_MODULES = 75
"""Of the program; 71 are needed."""


def at_home(home: Path, work: Callable[[Workspace], Awaitable[object]]) -> None:
    """Work on the profile of a home beside its commands."""

    async def run() -> None:
        workspace = Workspace.open(Places.find({HOME_VARIABLE: str(home)}))
        await work(workspace)
        await workspace.aclose()

    asyncio.run(run())


def is_current() -> bool:
    """Whether the boards are read from the cache alone."""
    return current_boards("", lambda boards: boards) is not None


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (["boards", "-q"], "1"),
        (["tasks", "is:closed"], "#1  ✓ Card of Website   In Progress  Website   high"),
        (["tasks", "--json", "#6", "--board", "platform"], "]"),
    ],
)
def test_a_current_list_needs_neither_store_nor_service(
    command: list[str], line: str, said: Said, home: Path
) -> None:
    assert said("tasks")[0] == 0
    script = f"""
import sys
sys.argv[1:] = {command!r}
from tui.__main__ import main
main()
print(*(name for name in {_HEAVY!r} if name in sys.modules), file=sys.stderr)
print(sum(name.startswith("tui.") for name in sys.modules), file=sys.stderr)
"""
    ran = ran_alone(script, home)
    heavy, count = ran.stderr.splitlines()
    assert (ran.stdout.splitlines()[-1], heavy) == (line, "")
    assert int(count) <= _MOST_MODULES


@pytest.mark.long
def test_a_list_from_the_cache_is_that_of_the_store(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = (
        *(("boards",), ("boards", "--json"), ("tasks",), ("tasks", "--json")),
        *(("tasks", "@me", "--board", "plat"), ("tasks", "changed:no", "-q"), ("tasks", "gone")),
        *(("tasks", "label:bgu"), ("tasks", "--board", "web"), ("tasks", "--board", "none")),
    )
    of_store = [said(*command) for command in commands]
    assert is_current()
    of_cache = [said(*command) for command in commands]
    monkeypatch.setattr("tui.cli.scripts.lists.current_boards", lambda *_: None)
    assert of_store == of_cache == [said(*command) for command in commands]


@pytest.mark.long
def test_news_of_the_service_are_listed(said: Said, home: Path) -> None:
    assert said("tasks", "-q", "--board", "platform") == (0, "5\n6\n", "")

    async def rename(workspace: Workspace) -> None:
        await workspace.connect()
        remote = await workspace.store.service()
        await remote.set_task(3, 6, "title", "Renamed")
        await remote.create_board("New", "", "to-do")

    at_home(home, rename)
    assert not is_current()
    assert said("tasks", "-q", "renamed") == (0, "6\n", "")
    assert said("boards", "-q") == (0, "4\n3\n2\n1\n", "")


def test_pending_changes_are_listed_as_they_will_be(said: Said, home: Path) -> None:
    assert said("tasks", "-q")[0] == 0

    async def rename(workspace: Workspace) -> None:
        view = await workspace.store.load_board(3)
        assert view is not None
        task = view.task(6)
        assert task is not None
        await workspace.store.submit(set_title(task, "Pending"))

    at_home(home, rename)
    assert not is_current()
    assert said("tasks", "-q", "pending") == (0, "6\n", "")


@pytest.mark.long
def test_after_a_change_of_its_own_a_list_is_current(said: Said) -> None:
    assert said("tasks", "-q")[0] == 0
    assert said("done", "-q", "6") == (0, "", "")
    assert is_current()
    assert said("tasks", "-q", "is:closed", "@me") == (0, "6\n", "")
    assert said("add", "-q", "Another", "--board", "web shop")[0] == 0
    assert is_current()


@pytest.mark.long
def test_only_boards_that_are_listed_have_to_be_current(said: Said) -> None:
    assert said("tasks", "-q", "--board", "platform")[0] == 0
    assert current_boards("", lambda boards: boards[:1]) is not None
    assert not is_current()
    assert said("tasks", "-q", "--board", "website") == (0, "1\n2\n", "")
    assert [len(json.loads(said("tasks", "--json")[1])), is_current()] == [6, True]


def test_a_file_that_cannot_be_read_is_left_to_the_store(said: Said, home: Path) -> None:
    assert said("tasks", "-q")[0] == 0
    for file in ("cache/embedded/cache.sqlite3", "data/embedded/outbox.sqlite3"):
        for journal in (home / file).parent.glob("*-[sw][ha][ml]"):
            journal.unlink()
        (home / file).write_bytes(b"nonsense" * 1_000)
        assert not is_current()
        code, text, beside = said("tasks", "-q", "--board", "platform")
        assert (code, text) == (0, "5\n6\n")
        assert "damaged" in beside
    (home / "data" / "boards.sqlite3").unlink()
    code, text, beside = said("boards")
    assert (code, text) == (1, "")
    assert "is missing" in beside
