"""Profiles in memory, for tests of screens."""

from collections.abc import Sequence
from pathlib import Path

from tui.config.profiles import EMBEDDED, Profile
from tui.errors import CallboardError
from tui.profiles.protocol import KnownProfile, Login, ProfileChange

LOST = ("move “Fix login” to “Done”", "comment on “Empty state”", "1 text being written")
TEAM = Profile(
    "team",
    url="https://boards.example.org/api/team/v2",
    login="ann",
    password_file=Path("/passwords/team"),
)
CLIENT = Profile(
    "client",
    url="https://a-long-name-of-a-client.example.com:8443/v2",
    login="a.very.long.login.name@people.example.com",
    password_command="pass show client",
    timezone="Asia/Dhaka",
)


class FakeProfiles:
    """A service in use, another one, and the embedded one; remembers what it was asked."""

    def __init__(self, *texts: str) -> None:
        """`texts` are login names instead."""
        self.rows = [
            KnownProfile(TEAM, boards=12, pending=3, is_default=True),
            KnownProfile(CLIENT, boards=1, is_current=True),
            KnownProfile(Profile(EMBEDDED), boards=2),
        ]
        self.rows[:0] = [
            KnownProfile(TEAM._replace(name=f"p{number}", login=text))
            for number, text in enumerate(texts)
        ]
        self.lost: Sequence[str] = LOST
        self.asked: list[object] = []
        self.problem: CallboardError | None = None

    async def known(self) -> Sequence[KnownProfile]:
        self.asked.append("known")
        return self.rows

    async def log_in(self, login: Login) -> str:
        self._ask(login)
        self.rows.insert(0, KnownProfile(Profile("new", login.url, login.login)))
        return "new"

    async def change(self, name: str, change: ProfileChange) -> None:
        self._ask((name, change))

    async def left_behind(self, name: str) -> Sequence[str]:
        return self.lost if name == "team" else ()

    async def log_out(self, name: str, *, keeps_changes: bool) -> str:
        self._ask((name, keeps_changes))
        self.rows = [row for row in self.rows if row.profile.name != name]
        return ""

    async def check(self, name: str) -> None:
        self._ask(name)

    def _ask(self, what: object) -> None:
        if self.problem is not None:
            raise self.problem
        self.asked.append(what)
