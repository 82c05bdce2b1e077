"""What screens may do with profiles."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tui.config.profiles import Profile

if TYPE_CHECKING:
    from tui.client.http.credentials import Secret  # not loaded before the first paint


class KnownProfile(NamedTuple):
    """A profile and what is kept of it: cached boards, pending changes."""

    profile: Profile
    boards: int = 0
    pending: int = 0
    is_default: bool = False
    is_current: bool = False


class Login(NamedTuple):
    """A login to check and to store; empty values are asked for, or have a default.

    `ca_file` has the certificate of a private authority; with `force` an existing profile of that
    name may be replaced.
    """

    url: str = ""
    login: str = ""
    password: "Secret | None" = None
    name: str = ""
    in_keyring: bool = False
    ca_file: Path | None = None
    is_default: bool = False
    path_word: str | None = None
    timezone: str | None = None
    force: bool = False


class ProfileChange(NamedTuple):
    """The changed values of a profile.

    `source` is that of the password: `file`, `keyring`, `command` or `environment`; `password` is a
    new one, empty if it stays.
    """

    source: str
    command: str
    password: "Secret"
    timezone: str
    is_default: bool


class Profiles(Protocol):
    """The profiles of the user. All methods may raise `CallboardError`."""

    async def known(self) -> Sequence[KnownProfile]:
        """Every profile, the embedded one last."""

    async def log_in(self, login: Login) -> str:
        """Check a login and store it; returns the profile's name."""

    async def change(self, name: str, change: ProfileChange) -> None:
        """Change a profile; a new password, or its new source, is tried out first."""

    async def left_behind(self, name: str) -> Sequence[str]:
        """What logging out of a profile would lose, in words: pending changes, drafts."""

    async def log_out(self, name: str, *, keeps_changes: bool) -> str:
        """Forget the password and the cache of a profile; without `keeps_changes` everything.

        Returns what is left, in words.
        """

    async def check(self, name: str) -> None:
        """Raise `CallboardError` if a profile cannot be opened."""
