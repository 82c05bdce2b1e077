"""A service that a person works with from the terminal, which comes and goes as networks do."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from tests.server.launched import PASSWORD, launched, ran
from tests.terminal.program import program
from tests.terminal.terminal import Terminal
from tui.api.client import Client
from tui.api.credentials import Credentials, Secret
from tui.api.session import Session

T = TypeVar("T")
LOGIN, COLLEAGUE = "ann", "ben"
PROFILE = "team"


class Served:
    """A service with two accounts; it has the same address each time it is there."""

    def __init__(self, home: Path) -> None:
        self._home = home
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
        with launched(self._home, "--port", str(self._port)) as server:
            self.address, self._port = server.address, server.port
            yield
            assert server.stop() == 0

    def asked(self, question: Callable[[Client], Awaitable[T]]) -> T:
        """What the service answers the person without the program in between."""

        async def ask() -> T:
            session = Session(self.address, Credentials(LOGIN, Secret(PASSWORD)))
            async with Client(session) as client:
                return await question(client)

        return asyncio.run(ask())

    def program(self, home: Path) -> Terminal:
        """The program on this service, just started by a person whose home this is."""
        settings = home / "config" / "config.toml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        profile = f'[profiles.{PROFILE}]\nurl = "{self.address}"\nlogin = "{LOGIN}"\n'
        settings.write_text(profile, "utf-8")
        return program(home, "-p", PROFILE, CALLBOARD_PASSWORD=PASSWORD)
