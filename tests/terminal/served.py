"""A service that a person works with from the terminal, which comes and goes as networks do."""

import asyncio
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from tests.drivers.program import program
from tests.drivers.terminal import Terminal
from tests.server.launched import PASSWORD, launched, listening, ran
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.client.http.credentials import Credentials, Secret
from tui.client.http.session import HttpSession

T = TypeVar("T")
LOGIN, COLLEAGUE = "ann", "ben"
PROFILE = "team"
BOARD, CARDS = "Faults", 8
COMMENTS = "select description from comment"


class Served:
    """A service with two accounts; it has the same address each time it is there."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._port = 0
        self.address = ""
        home.mkdir()
        for login, name in ((LOGIN, "Ann Miller"), (COLLEAGUE, "Ben Cook")):
            told = f"{PASSWORD}\n"
            done = ran(home, "user", "add", login, "--display-name", name, told=told)
            assert done.returncode == 0, done.stderr

    @contextmanager
    def there(self) -> Iterator[None]:
        """The service answers until this is left."""
        with launched(self.home, "--port", str(self._port)) as server:
            self.address, self._port = server.address, server.port
            yield
            code = server.stop()
            assert code == 0, f"the service ended with {code}: {server.lines[-5:]}"

    def asked(self, question: Callable[[Client], Awaitable[T]]) -> T:
        """What the service answers the person without the program in between."""

        async def ask() -> T:
            session = HttpSession(self.address, Credentials(LOGIN, Secret(PASSWORD)))
            async with client_for(session) as client:
                return await question(client)

        return asyncio.run(ask())

    def program(self, home: Path) -> Terminal:
        """The program on this service, just started by a person whose home this is."""
        settings = home / "config" / "config.toml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        profile = f'[profiles.{PROFILE}]\nurl = "{self.address}"\nlogin = "{LOGIN}"\n'
        settings.write_text(profile, "utf-8")
        return program(home, "-p", PROFILE, CALLBOARD_PASSWORD=PASSWORD)


class KeptService:
    """`callboard serve` on a port that it keeps, with one account; it can be killed."""

    def __init__(self, home: Path) -> None:
        self._served = Served(home)
        self.home = home
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Listen, and wait until it does."""
        self._process, address = listening(self.home, "--port", str(self.port))
        self._served.address, self.port = address, urlsplit(address).port or 0

    def kill(self) -> None:
        """Kill it, now."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @property
    def address(self) -> str:
        """Where it listens, or did last."""
        return self._served.address

    @property
    def is_there(self) -> bool:
        """Whether it listens."""
        return self._process is not None

    def furnish(self) -> None:
        """Make a board with cards in its first two stages, in the place of any other."""

        async def made(client: Client) -> None:
            for old in await client.list_boards():
                await client.delete_board(old["id"])
            board = await client.create_board(BOARD, "", "to-do")
            stages = (await client.board(board["id"]))["stages"]
            for number in range(CARDS):
                await client.create_task(board["id"], stages[number % 2]["id"], f"first {number}")

        self._served.asked(made)

    def comments(self) -> Counter[str]:
        """How often it has each comment."""
        with closing(sqlite3.connect(self.home / "data" / "boards.sqlite3", timeout=10)) as boards:
            return Counter(text for (text,) in boards.execute(COMMENTS))
