"""`callboard logout`: forgets a profile, and asks before something that was not sent is lost."""

import io
import os
import sys
from pathlib import Path

import pytest

from tests.fakes.keyring import FakeKeyring
from tui.cli.main import main
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.profiles import Profile
from tui.config.settings import load_settings
from tui.profiles.local import known_profiles
from tui.store.operations import CreateBoard
from tui.workspace import Workspace

Captured = pytest.CaptureFixture[str]
Kept = tuple[bool, bool, bool, bool]
"""Whether settings, password, cache and outbox of the profile are there."""
Case = tuple[tuple[str, ...], str | None, int, Kept]
"""Options, what is typed, the exit code, and what is left."""
SETTINGS = """\
default_profile = "team"
# of the company
[profiles.team]
url = "http://127.0.0.1:9/v2"
login = "ann"
password_file = "passwords/team"
timezone = "+06:00"
# kept

[profiles.other]
url = "https://example.org/v2"
login = "bob"
"""


class Typed(io.StringIO):
    """A terminal at which these lines are typed."""

    def isatty(self) -> bool:
        """Say that somebody is there to ask."""
        return True


@pytest.fixture
async def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """A home with a profile that has a password, a cache, a pending change and a draft."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    places = Places.find()
    passwords = places.config / "passwords"
    passwords.mkdir(parents=True)
    places.settings.write_text(SETTINGS)
    (passwords / "team").write_text("correct horse\n")
    workspace = Workspace.open(places, Profile("team", "http://127.0.0.1:9/v2", "ann"))
    await workspace.store.submit(CreateBoard.new("Launch"))
    await workspace.aclose()
    workspace.drafts.mkdir()
    (workspace.drafts / "comment-1.md").write_text("not finished")
    return places


def is_there(places: Places) -> Kept:
    """Whether settings, password, cache and outbox of the profile are there."""
    return (
        "team" in load_settings(places.settings).profiles,
        (places.config / "passwords" / "team").exists(),
        (places.cache / "team").exists(),
        (places.data / "team" / "outbox.sqlite3").exists(),
    )


@pytest.mark.parametrize(
    "case",
    [
        ((), None, 2, (True, True, True, True)),
        ((), "", 1, (True, True, True, True)),
        ((), "n", 1, (True, True, True, True)),
        ((), "k", 0, (True, False, False, True)),
        ((), "d", 0, (False, False, False, False)),
        (("--keep-changes",), None, 0, (True, False, False, True)),
        (("--yes",), None, 0, (False, False, False, False)),
    ],
)
def test_what_was_not_sent_is_lost_only_on_demand(
    places: Places, monkeypatch: pytest.MonkeyPatch, capsys: Captured, case: Case
) -> None:
    options, typed, code, left = case
    if typed is not None:
        monkeypatch.setattr("sys.stdin", Typed(typed and f"{typed}\n"))
    assert is_there(places) == (True, True, True, True)
    assert main(["logout", "team", *options]) == code
    assert is_there(places) == left
    said = capsys.readouterr()
    if not options:
        assert "2 things of team did not reach the service:" in said.out
        assert "“Launch”" in said.out
        assert "1 text being written" in said.out
    assert ("nothing was changed" in said.err) is bool(code)
    if not left[0]:
        assert places.settings.read_text() == (
            'default_profile = "embedded"\n# of the company\n\n# kept\n'
            '[profiles.other]\nurl = "https://example.org/v2"\nlogin = "bob"\n'
        )


async def test_only_a_profile_that_is_not_in_use_can_be_logged_out_of(
    places: Places, capsys: Captured
) -> None:
    for name, words in (
        ("embedded", "only on this machine"),
        ("taem", "Did you mean “team”?"),
        ("../team", "there is no profile"),
    ):
        assert main(["logout", name, "--yes"]) == 2
        assert words in capsys.readouterr().err
    workspace = Workspace.open(places, Profile("team", "http://127.0.0.1:9/v2", "ann"))
    assert main(["logout", "team", "--yes"]) == 2
    assert "Callboard is open on the profile team" in capsys.readouterr().err
    assert is_there(places) == (True, True, True, True)
    await workspace.aclose()
    assert main(["logout", "team", "--yes"]) == 0
    assert is_there(places) == (False, False, False, False)


def test_a_password_file_that_the_program_did_not_write_is_left(
    places: Places, capsys: Captured
) -> None:
    own = places.config / "secret.txt"
    own.write_text("correct horse\n")
    places.settings.write_text(SETTINGS.replace("passwords/team", "secret.txt"))
    assert main(["logout", "team", "--yes"]) == 0
    assert f"The password file {own} is your own and was kept." in capsys.readouterr().out
    assert own.exists()
    assert is_there(places) == (False, False, False, False)


def test_nothing_is_forgotten_before_the_keyring_has_forgotten_the_password(
    places: Places, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    places.settings.write_text(
        SETTINGS.replace('password_file = "passwords/team"', "keyring = true")
    )
    keyring = FakeKeyring(is_locked=True)
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    keyring.kept["callboard team", "ann"] = "correct horse"
    assert main(["logout", "team", "--yes"]) == 2
    assert "does not respond" in capsys.readouterr().err
    assert is_there(places) == (True, True, True, True)
    keyring.is_locked = False
    assert main(["logout", "team", "--yes"]) == 0
    assert keyring.kept == {}
    assert is_there(places) == (False, False, False, False)


def test_a_list_that_reads_the_profile_meanwhile_is_not_in_the_way(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove = os.unlink

    def read_first(path: str | Path, *, dir_fd: int | None = None) -> None:
        known_profiles(places, "embedded")  # SQLite makes files beside those that it reads
        remove(path, dir_fd=dir_fd)

    monkeypatch.setattr(os, "unlink", read_first)
    assert main(["logout", "team", "--yes"]) == 0
    assert is_there(places) == (False, False, False, False)
    assert [*places.data.iterdir(), *places.cache.iterdir()] == []


def test_what_cannot_be_removed_is_named_and_removed_the_next_time(
    places: Places, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    remove = os.unlink

    def refuse(path: str | Path, *, dir_fd: int | None = None) -> None:
        if "sqlite" in str(path):
            raise PermissionError(13, "Permission denied", path)
        remove(path, dir_fd=dir_fd)

    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", refuse)
        assert main(["logout", "team", "--yes"]) == 2
    message = capsys.readouterr().err
    (left,) = places.cache.iterdir()
    assert f"{left} cannot be removed: permission denied." in message
    assert main(["logout", "team", "--yes"]) == 0
    assert is_there(places) == (False, False, False, False)
    assert [*places.data.iterdir(), *places.cache.iterdir()] == []
