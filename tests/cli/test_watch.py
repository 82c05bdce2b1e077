"""`callboard watch`: what is new, as lines, until it is interrupted or the output is closed."""

import json
import os
import queue
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.cli.conftest import Said
from tests.cli.watching import Watching
from tests.fakes.boards import ANN, JON, MIRA, small
from tests.fakes.store import FakeStore
from tui.cli.scripts.opened import How, Opened
from tui.cli.scripts.watch import WatchEntry, Watcher, WatchOptions
from tui.config.paths import HOME_VARIABLE
from tui.errors import CallboardError
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.people import Account
from tui.model.work.news import CardDifference, News, Reason
from tui.notifications.reader import Batch, Change
from tui.store.events import StatusChanged, SyncStatus

pytestmark = pytest.mark.long

BOARD = replace(small(), people=(ANN, MIRA, JON))
CARD = BOARD.in_stage(1)[0]
MINE = replace(CARD, assignees=(ANN,), comments_count=1)
_PATIENCE = 30


def watcher(
    wanted: WatchOptions = WatchOptions(),  # noqa: B008  frozen
    *,
    is_connected: bool = True,
) -> tuple[Watcher, FakeStore]:
    store = FakeStore(BOARD)
    store.me = Account("ann")
    workspace = SimpleNamespace(store=SimpleNamespace(is_connected=is_connected))
    opened = SimpleNamespace(store=store, problems=[], workspace=workspace, how=How())
    return Watcher(cast("Opened", opened), wanted, lambda: [1]), store


def lines(watching: Watcher) -> list[str]:
    """What is to be printed, without its time."""
    entries = []
    while not watching.queue.empty():
        entry = watching.queue.get_nowait()
        assert isinstance(entry, WatchEntry)
        entries.append(entry.in_words.partition(" ")[2] if entry.at else entry.in_words)
    return entries


def change(
    *kinds: ChangeKind, who: str = "Mira", is_own: bool = False, is_mine: bool = True
) -> Change:
    return Change(CardDifference(MINE if is_mine else CARD, CARD, kinds), who, is_own)


MENTION = News(Reason.MENTIONED, MINE, "Small", "mentioned-1", "Mira", "look?")
EVERYTHING = Batch(
    BOARD,
    (
        change(ChangeKind.MOVED, ChangeKind.COMMENTED),
        change(ChangeKind.RENAMED, who="", is_own=True),
        change(ChangeKind.NEW, is_mine=False),
    ),
    (MENTION,),
)


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (
            WatchOptions(),
            [
                "Small: #11 “a”: Mira mentioned you: look?",
                "Small: Mira moved #11 to “To do” · a",
                "Small: You renamed #11 to “a”",
                "Small: Mira added #11 “a”",
            ],
        ),
        (
            WatchOptions(only_others=True, only_mine=True),
            [
                "Small: #11 “a”: Mira mentioned you: look?",
                "Small: Mira moved #11 to “To do” · a",
            ],
        ),
    ],
)
def test_changes_are_told_once_each_as_far_as_they_are_wanted(
    wanted: WatchOptions, told: list[str]
) -> None:
    watching, _ = watcher(wanted)
    watching.add(EVERYTHING)
    assert lines(watching) == told


def test_it_begins_with_what_was_unseen() -> None:
    watching, store = watcher()
    store.marks = {11: RemoteChange(11, ChangeKind.MOVED, "“To do”", "Mira")}
    watching.add_unseen(BOARD)
    assert lines(watching) == ["unseen Small: Mira moved #11 to “To do” · a"]
    watching, store = watcher(WatchOptions(only_mine=True))
    store.marks = {11: RemoteChange(11, ChangeKind.MOVED, "“To do”", "Mira")}
    watching.add_unseen(BOARD)
    assert lines(watching) == []


def test_a_lost_connection_is_said_once_and_that_it_is_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    watching, store = watcher()
    for problem in ("", "It is away.", "It is away.", "", ""):
        store.now = SyncStatus(problem=problem)
        watching.hear(StatusChanged(1))
    assert capsys.readouterr().err == (
        "callboard: It is away. Retrying.\ncallboard: connected again.\n"
    )


def test_a_rejected_password_ends_it() -> None:
    watching, store = watcher(is_connected=False)
    store.now = SyncStatus(problem="The password is wrong.", remedy="Log in again.")
    watching.hear(StatusChanged(1))
    error = watching.queue.get_nowait()
    assert isinstance(error, CallboardError)
    assert (error.message, error.hint) == ("The password is wrong.", "Log in again.")


def test_it_does_not_notify_where_that_is_off(said: Said) -> None:
    code, _, beside = said("watch", "--notify")
    assert (code, "notifications are off" in beside, "notify =" in beside) == (2, True, True)
    assert said("watch", "--board", "zzz")[0] == 1


def until_told(said: Said, watching: Watching, title: str) -> str:
    """Rename a card until it is told of; the line that tells of it."""
    for number in range(_PATIENCE):
        assert said("edit", "6", "--title", f"{title} {number}", "--board", "platform")[0] == 0
        with suppress(queue.Empty):
            return watching.output.get(timeout=1)
    raise AssertionError("it told of nothing")


def test_another_program_on_the_profile_is_told_of_and_ctrl_c_ends_it(
    said: Said, home: Path
) -> None:
    with Watching(home, "watch", "--json", "--from-now") as watching:
        told: dict[str, Any] = json.loads(until_told(said, watching, "Yours"))
        board = {"id": 3, "title": "Platform"}
        assert (told["event"], told["card"], told["board"]) == ("renamed", 6, board)
        assert (told["is_own"], told["is_for_you"], told["by"]) == (True, False, "")
        assert told["text"].startswith("You renamed #6 to “Yours ")
        watching.process.send_signal(signal.SIGINT)
        assert watching.ended(_PATIENCE) == (130, [])


def test_sigterm_ends_it(said: Said, home: Path) -> None:
    with Watching(home, "watch", "--board", "platform", "--from-now") as watching:
        assert "You renamed #6" in until_told(said, watching, "Ours")
        watching.process.send_signal(signal.SIGTERM)
        assert watching.ended(_PATIENCE) == (0, [])


def test_a_closed_output_ends_it_silently_though_nothing_happens(said: Said, home: Path) -> None:
    said("boards")
    reading, writing = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-m", "tui", "watch"],
        env={**os.environ, HOME_VARIABLE: str(home)},
        stdout=writing,
        stderr=subprocess.PIPE,
    ) as process:
        os.close(writing)
        os.close(reading)
        try:
            beside = process.communicate(timeout=_PATIENCE)[1]
        finally:
            process.kill()
    assert (process.returncode, beside) == (1, b"")
