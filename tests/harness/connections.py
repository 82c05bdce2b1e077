"""Lets a test fail that leaves a connection to SQLite open, its own or one of the program's.

Python itself says so from 3.13 on, but only when the connection is collected, to whatever test runs
at that moment.
"""

import sqlite3
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

_ROOT = str(Path(__file__).parents[2])
_Opened = tuple[sqlite3.Connection, str]


class Connections:
    """A plugin of pytest that holds what is opened, so that none is collected before it is found.

    It is no part of `conftest.py`, which hears nothing of the fixtures of a session.
    """

    def __init__(self) -> None:
        self._opened: list[_Opened] = []
        self._lasting: dict[object, list[_Opened]] = {}
        connect = sqlite3.connect

        @wraps(connect)
        def connect_and_note(*arguments: Any, **named: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*arguments, **named)
            self._opened.append((connection, _own_callers(sys._getframe(1))))
            return connection

        # A hook of `sys.addaudithook` would hear every `id()` as well, which Textual calls to find
        # the style of a widget: a tenth of what tests of screens take.
        sqlite3.connect = connect_and_note  # type: ignore[assignment]  # it is no overload

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object]
    ) -> Generator[None, object, object]:
        """Let a fixture of several tests keep its connections until it ends."""
        if fixturedef.scope == "function":
            return (yield)
        with self.kept_for(fixturedef):
            return (yield)

    @contextmanager
    def kept_for(self, fixture: object) -> Iterator[None]:
        """Look at what is opened meanwhile when the fixture has ended."""
        earlier, self._opened = self._opened, []
        try:
            yield
        finally:
            self._lasting[fixture], self._opened = self._opened, earlier

    def pytest_fixture_post_finalizer(self, fixturedef: pytest.FixtureDef[object]) -> None:
        """Let the test after which a fixture ends answer for what that has left open."""
        self.end(fixturedef)

    def end(self, fixture: object) -> None:
        """The fixture has ended."""
        self._opened += self._lasting.pop(fixture, [])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self) -> Iterator[None]:
        """Look when a test has ended, with its fixtures."""
        yield
        if left := self.close_open():
            pytest.fail("connections to SQLite left open:\n\n" + "\n\n".join(left), pytrace=False)

    def close_open(self) -> list[str]:
        """Close what is open; of each, the calls that opened it."""
        opened, self._opened = self._opened, []
        left = [(connection, callers) for connection, callers in opened if _is_open(connection)]
        for connection, _ in left:
            with suppress(sqlite3.ProgrammingError):  # its own thread alone may close it
                connection.close()
        return [callers for _, callers in left]


def _is_open(connection: sqlite3.Connection) -> bool:
    try:
        _ = connection.in_transaction  # any thread may ask
    except sqlite3.ProgrammingError:
        return False
    return True


def _own_callers(frame: FrameType | None) -> str:
    # Those of the program and its tests, the innermost first.
    callers = []
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(_ROOT):
            callers.append(f"{code.co_filename}:{frame.f_lineno} in {code.co_name}")
        frame = frame.f_back
    return "\n  ".join(callers)
