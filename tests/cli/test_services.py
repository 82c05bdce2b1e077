"""`callboard login`, `profiles` and `check`, against a service on this machine."""

import asyncio
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.drivers.program import program
from tests.server.launched import PASSWORD, Launched, launched, ran
from tests.store.party import new_board, until
from tests.texts.plain import raw_names
from tui.cli.main import main
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.profiles import Profile
from tui.config.settings import load_settings
from tui.store.operations import CreateTask
from tui.workspace import Workspace

Captured = pytest.CaptureFixture[str]
Command = Callable[..., int]

KEPT = ["config/config.toml", "config/passwords/team", "data/team/service.json"]
"""The files below a home after a service called team was added."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Launched]]:
    """The home of a service with one account, and the service."""
    home = tmp_path_factory.mktemp("served")
    assert ran(home, "user", "add", "ann", told=f"{PASSWORD}\n").returncode == 0
    with launched(home) as server:
        yield home, server


@pytest.fixture
def address(served: tuple[Path, Launched]) -> str:
    return served[1].address


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """A home of one's own, with nothing said in the environment."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    for name in ("CALLBOARD_PASSWORD", "CALLBOARD_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    return Places.find()


@pytest.fixture
def log_in(places: Places, address: str, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs `callboard login` with a password to read; returns its exit code."""
    del places

    def run(*arguments: str, url: str = address, told: str = PASSWORD) -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{told}\n"))
        return main(["login", *arguments, "--url", url, "--login", "ann"])

    return run


def kept(places: Places) -> list[str]:
    """Every file below a home."""
    return sorted(str(each.relative_to(places.config.parent)) for each in files(places))


def files(places: Places) -> list[Path]:
    return [each for each in places.config.parent.rglob("*") if each.is_file()]


def test_a_service_from_its_adding_to_its_use(
    log_in: Command, places: Places, address: str, capsys: Captured
) -> None:
    assert log_in("team", url=f"{address}/projects/1?x=2") == 0
    said = capsys.readouterr()
    assert "ok      credentials  accepted" in said.out
    assert "note    you          unknown until there is a board" in said.out
    assert "note    clock        unknown until there is a board" in said.out
    (edition,) = (line for line in said.out.splitlines() if " edition " in line)
    assert "offers subtasks, " in edition
    assert raw_names(edition) == []
    assert " task" not in edition
    assert f"The password is kept in {places.config}/passwords/team" in said.out
    assert "Open it with: callboard -p team" in said.out
    assert PASSWORD not in said.out + said.err
    assert kept(places) == KEPT
    assert all(each.stat().st_mode & 0o077 == 0 for each in files(places))
    assert PASSWORD not in places.settings.read_text()
    assert load_settings(places.settings).profiles["team"].url == address

    assert main(["profiles"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"  team      {address}  ann  password: file",
        "* embedded  the boards on this machine",
    ]
    assert main(["check", "team", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], found["boards"], found["features"]["subtasks"]) == (True, 0, True)
    learnt = json.loads((places.data / "team" / "service.json").read_text())
    assert learnt["url"] == address
    assert "subtasks" in learnt["capabilities"]["offered"]


def test_the_default_and_the_environment_say_which_is_meant(
    log_in: Command, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert log_in("team", "--default") == 0
    capsys.readouterr()
    assert main(["profiles", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["name"], row["is_default"]) for row in rows] == [
        ("team", True),
        ("embedded", False),
    ]
    assert main(["check"]) == 0
    assert "ok      boards" in capsys.readouterr().out
    monkeypatch.setenv("CALLBOARD_PROFILE", "embedded")
    assert main(["check"]) == 0
    assert "on this machine" in capsys.readouterr().out
    monkeypatch.setenv("CALLBOARD_PROFILE", "taem")
    assert main(["check"]) == 2
    assert "Did you mean “team”?" in capsys.readouterr().err


def test_one_that_is_there_is_replaced_only_on_demand(
    log_in: Command, places: Places, capsys: Captured
) -> None:
    assert log_in("team", "--timezone", "+06:00") == 0
    assert log_in("team", told="Skipped") == 2
    assert "callboard login team --force" in capsys.readouterr().err
    assert log_in("team", "--force", told="wrong horse") == 1
    said = capsys.readouterr().err
    assert "the profile team was not saved" in said
    assert "callboard login team --url http" in said
    assert (places.config / "passwords" / "team").read_text() == f"{PASSWORD}\n"
    assert log_in("team", "--force") == 0
    assert load_settings(places.settings).profiles["team"].timezone == "+06:00"


@pytest.mark.parametrize(
    "case",
    [
        ("{home}/v2", "wrong horse", 1, "failed  credentials  The service does not accept"),
        ("{home}/v2", "", 2, "no password was given"),
        ("http://127.0.0.1:9/v2", PASSWORD, 1, "failed  reached      127.0.0.1 cannot be reached"),
        ("{tls}/v2", PASSWORD, 1, "failed  encryption"),
        ("http://example.org/v2", PASSWORD, 1, "failed  address"),
        ("ftp://example.org", PASSWORD, 2, "not a web address"),
    ],
)
def test_what_fails_is_told_and_nothing_is_kept(
    log_in: Command, places: Places, address: str, capsys: Captured, case: tuple[str, str, int, str]
) -> None:
    url, told, code, words = case
    home = address.removesuffix("/v2")
    url = url.format(home=home, tls=home.replace("http", "https"))
    assert log_in("team", url=url, told=told) == code
    said = capsys.readouterr()
    assert words in said.out + said.err
    assert PASSWORD not in said.out + said.err
    assert kept(places) == []


def test_a_file_of_certificates_that_cannot_be_read_is_told_before_anybody_is_asked(
    log_in: Command, places: Places, capsys: Captured
) -> None:
    assert log_in("team", "--ca-file", str(places.config / "none.pem")) == 1
    said = capsys.readouterr().out
    assert "failed  encryption" in said
    assert "none.pem" in said
    assert "reached" not in said


@pytest.mark.long
def test_what_nobody_reads_is_no_mistake(places: Places) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(
        [sys.executable, "-m", "tui", "profiles"],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
        env={**os.environ, HOME_VARIABLE: str(places.config.parent)},
    )
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (1, b"")


@pytest.mark.long
@pytest.mark.parametrize("command", ["boards", "add Card"])
def test_output_that_cannot_be_written_is_said(places: Places, command: str) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        ran = subprocess.run(  # noqa: S603 (fixed commands)
            [sys.executable, "-m", "tui", *command.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, HOME_VARIABLE: str(places.config.parent)},
        )
    said = "callboard: the output cannot be written: no space left on device.\n"
    assert (ran.returncode, ran.stderr.decode()) == (1, said)


def test_a_check_says_where_the_password_is_missing(
    log_in: Command, places: Places, capsys: Captured
) -> None:
    assert log_in("team") == 0
    (places.config / "passwords" / "team").chmod(0o644)
    capsys.readouterr()
    assert main(["check", "team"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("failed  password")
    assert "chmod 600" in said


def with_a_wrong_password(log_in: Command, places: Places, capsys: Captured) -> int:
    """Log in, make a board with the card First, then write a wrong password; the board's id."""
    assert log_in("team") == 0
    board_id = asyncio.run(_made_board(places))
    assert main(["-p", "team", "add", "--board", str(board_id), "First"]) == 0
    (places.config / "passwords" / "team").write_text("wrong horse\n")
    capsys.readouterr()
    return board_id


def test_with_a_wrong_password_nothing_is_kept_to_be_sent(
    log_in: Command, places: Places, capsys: Captured
) -> None:
    board_id = with_a_wrong_password(log_in, places, capsys)
    assert main(["-p", "team", "add", "--board", str(board_id), "Second"]) == 1
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 2)
    assert told.err.startswith("callboard: The service does not accept")
    (places.config / "passwords" / "team").write_text(f"{PASSWORD}\n")
    assert main(["-p", "team", "sync"]) == 0
    assert capsys.readouterr().out.startswith("sent 0 changes, read ")


def test_what_is_cached_is_printed_with_a_wrong_password_and_said_to_be_old(
    log_in: Command, places: Places, capsys: Captured
) -> None:
    with_a_wrong_password(log_in, places, capsys)
    commands = ("boards", "tasks", "show First", "standup --plain", "standup --json", "insight")
    for command in (*commands, "tasks -q"):
        assert main(["-p", "team", *command.split()]) == 1, command
        told = capsys.readouterr()
        assert told.out, command
        assert "callboard: The service does not accept this login name and password." in told.err
        assert "As of " in told.err or "Showing cached data." in told.err, command
        assert "callboard login NAME --force" in told.err


def test_a_tour_that_the_service_rejects_has_failed(
    log_in: Command, places: Places, capsys: Captured
) -> None:
    assert log_in("team") == 0
    (places.config / "passwords" / "team").write_text("wrong horse\n")
    assert main(["-p", "team", "tour"]) == 1
    assert "does not accept" in capsys.readouterr().err


async def _made_board(places: Places) -> int:
    """A board at the service of the profile team."""
    workspace = Workspace.open(places, load_settings(places.settings).profiles["team"])
    await workspace.connect()
    board = await new_board(workspace.store, "Wrong password")
    await workspace.aclose()
    return board


def test_what_was_not_said_cannot_be_asked_for_without_a_terminal(
    places: Places, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["login"]) == 2
    assert "--url" in capsys.readouterr().err
    assert main(["login", "embedded"]) == 2
    assert kept(places) == []


@pytest.mark.long
def test_on_a_terminal_everything_is_asked_for(
    tmp_path: Path, places: Places, address: str
) -> None:
    with program(tmp_path, "login") as terminal:
        for question, answer in (
            ("Address of the site: ", "127.0.0.1:9"),
            ("cannot be reached", None),
            ("Check the address http://127.0.0.1:9", None),
            ("Address of the site [127.0.0.1:9]: ", address.removesuffix("/v2")),
            ("Name here [local]: ", "bad name"),
            ("Name here [local]: ", ""),
            ("Login name there: ", "anne"),
            ("Password of anne: ", "wrong horse"),
            ("does not accept", None),
            ("Login name there [anne]: ", "ann"),
            ("Password of ann: ", PASSWORD),
        ):
            terminal.writes(question)
            if answer is not None:
                terminal.press(*answer, "enter")
        terminal.writes("Open it with: callboard -p local")
        assert terminal.exit_code() == 0
        assert PASSWORD.encode() not in terminal.written
    assert kept(places) == [name.replace("team", "local") for name in KEPT]


@pytest.mark.long
def test_what_helps_loads_neither_the_program_nor_the_client() -> None:
    heavy = {"textual", "httpx", "sqlite3", "pydantic", "tui.connecting", "tui.store"}
    code = (
        "import sys\nfrom tui.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        f"print('loaded:', *({heavy!r} & set(sys.modules)))"
    )
    done = subprocess.run(  # noqa: S603 (our own program)
        [sys.executable, "-c", code, "login", "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "loaded:"


@pytest.mark.long
async def test_what_is_done_while_the_service_is_away_arrives_later(
    places: Places, served: tuple[Path, Launched], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALLBOARD_PASSWORD", PASSWORD)
    home = served[0]
    with launched(home) as server:
        workspace = Workspace.open(places, Profile("team", url=server.address, login="ann"))
        store = workspace.store
        assert await workspace.connect() is None
        board_id = await new_board(store, "Launch")
        await store.open_board(board_id)
        view = store.board(board_id)
        assert view is not None
        assert server.stop() == 0
    await store.submit(CreateTask.new(board_id, view.stages[0].id, "Written offline"))
    await until(store, lambda: "cannot be reached" in store.status(board_id).problem)
    assert store.status(board_id).pending == 1
    with launched(home, "--port", str(server.port)):
        await store.refresh(board_id)
        await until(store, lambda: not store.pending())
        assert store.status(board_id).problem == ""
        await workspace.aclose()
    assert kept(places) == [
        "cache/team/cache.sqlite3",
        "data/team/outbox.sqlite3",
        "data/team/sender.lock",
        "data/team/service.json",
    ]
