"""`callboard serve user`: what it says, and what it never says."""

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.drivers.program import program
from tui.cli.main import main
from tui.service.accounts.accounts import matches
from tui.service.database.sqlite import open_database

_PASSWORD = "correct horse"


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "boards")


@pytest.fixture
def asked(database: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Runs `callboard serve user` with arguments and what it reads; returns its exit code."""

    def run(*arguments: str, told: str = "") -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO(told))
        return main(["serve", "user", *arguments, "--database", database])

    return run


def _kept(database: str) -> str:
    opened = open_database(Path(database))
    with opened.transaction(writing=False) as db:
        kept: str = db.value("select password_hash from account")
    opened.close()
    return kept


@pytest.mark.parametrize("command", ["list", "remove ann", "password ann"])
def test_a_database_that_does_not_exist_is_said_and_not_made(
    asked: Callable[..., int], database: str, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert asked(*command.split(), told=f"{_PASSWORD}\n") == 2
    assert f"there are no accounts in {database}" in capsys.readouterr().err
    assert not Path(database).exists()


def test_an_account_from_its_making_to_its_end(
    asked: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    told = f"{_PASSWORD}\n"
    assert asked("add", "ann", told=told) == 0
    named = ("--display-name", "Bob B.", "--email", "bob@example.org", "--admin")
    assert asked("add", "bob", *named, told=told) == 0
    assert asked("add", "cid", told=told) == 0
    assert asked("password", "cid", told=told[::-1].strip()) == 0
    assert asked("remove", "cid") == 0
    assert asked("list") == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "ann can now log in and is an administrator.",
        "bob can now log in and is an administrator.",
        "cid can now log in and is not an administrator.",
        "Changed the password of cid.",
        "Removed cid; their content stays.",
        "ann  ann  administrator",
        "bob  Bob B. bob@example.org  administrator",
    ]
    assert said.err == ""


@pytest.mark.parametrize(
    ("arguments", "told", "words"),
    [
        (("add", "ann"), "short\n", "a password has 8 to 1,000 characters"),
        (("add", "ann"), "", "a password has"),
        (("add", "a:b"), f"{_PASSWORD}\n", "no colon"),
        (("password", "cid"), f"{_PASSWORD}\n", "there is no account cid"),
        (("remove", "cid"), "", "there is no account cid"),
    ],
)
def test_what_cannot_be_done_is_told_without_a_traceback(
    asked: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    told: str,
    words: str,
) -> None:
    assert asked("add", "bob", told=f"{_PASSWORD}\n") == 0
    capsys.readouterr()
    assert asked(*arguments, told=told) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err


def test_a_password_is_no_argument(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", "user", "add", "ann", "--password", _PASSWORD])
    assert ended.value.code == 2
    capsys.readouterr()


@pytest.mark.long
@pytest.mark.parametrize(
    ("second", "status", "words"),
    [(_PASSWORD, 0, "can now log in"), ("something else", 2, "the two passwords differ")],
)
def test_on_a_terminal_it_is_asked_for_twice_and_not_shown(
    database: str, tmp_path: Path, second: str, status: int, words: str
) -> None:
    command = ("serve", "user", "add", "ann", "--database", database)
    with program(tmp_path, *command) as terminal:
        for question, answer in (("Password: ", _PASSWORD), ("Again: ", second)):
            terminal.writes(question)
            terminal.press(*answer, "enter")
        terminal.writes(words)
        assert terminal.exit_code() == status
        assert _PASSWORD.encode() not in terminal.written
    if status == 0:
        assert matches(_PASSWORD, _kept(database))


def test_what_helps_loads_neither_the_program_nor_the_server() -> None:
    heavy = {
        "textual",
        "httpx",
        "uvicorn",
        "starlette",
        "sqlite3",
        "tui.service.http",
        "tui.service",
    }
    code = (
        "import sys\nfrom tui.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        f"print('loaded:', *({heavy!r} & set(sys.modules)))"
    )
    for arguments in (["--help"], ["serve", "--help"], ["serve", "user", "add", "--help"]):
        ran = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
        )
        assert ran.stdout.splitlines()[-1] == "loaded:"
