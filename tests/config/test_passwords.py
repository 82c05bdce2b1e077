"""The password of a profile: where it comes from, what is refused, and that nobody sees it."""

import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fakes.keyring import PASSWORD, FakeKeyring
from tui.client.http.credentials import Secret
from tui.config.passwords import (
    PasswordUnknown,
    answer_of,
    find_password,
    forget_in_keyring,
    keep_in_file,
    keep_in_keyring,
    needs_shell,
    password_in_environment,
)
from tui.config.profiles import Profile
from tui.errors import CallboardError

PROFILE = Profile("my-work", url="https://example.org/v2", login="ann")


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("CALLBOARD_PASSWORD")]:
        monkeypatch.delenv(name)


def private(path: Path, content: str, mode: int = 0o600) -> Path:
    path.write_text(content, "utf-8")
    path.chmod(mode)
    return path


def telling(code: str) -> tuple[str, ...]:
    """A command that runs a line of Python."""
    return (sys.executable, "-c", code)


def test_the_sources_are_asked_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring = FakeKeyring()
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    keep_in_keyring(PROFILE, Secret("of the keyring"))
    profile = PROFILE._replace(keyring=True)
    found = [find_password(profile).reveal()]
    profile = profile._replace(password_file=private(tmp_path / "p", "of the file\r\nmore"))
    found.append(find_password(profile).reveal())
    profile = profile._replace(password_command=telling("print('of the command\\nmore')"))
    found.append(find_password(profile).reveal())
    monkeypatch.setenv("CALLBOARD_PASSWORD", "of all")
    found.append(find_password(profile).reveal())
    monkeypatch.setenv("CALLBOARD_PASSWORD_MY_WORK", "of this one")
    found.append(find_password(profile).reveal())
    assert found == ["of the keyring", "of the file", "of the command", "of all", "of this one"]


def test_where_there_is_none_it_is_said_how_to_be_asked() -> None:
    with pytest.raises(PasswordUnknown) as problem:
        find_password(PROFILE)
    assert problem.value.message == "there is no password for the profile my-work."
    assert "callboard login my-work --force" in problem.value.hint
    assert not password_in_environment("my-work")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o620])
def test_a_file_that_others_can_use_is_refused_with_what_to_type(tmp_path: Path, mode: int) -> None:
    path = private(tmp_path / "p", PASSWORD, mode)
    with pytest.raises(PasswordUnknown) as problem:
        find_password(PROFILE._replace(password_file=path))
    assert problem.value.hint == f"Type: chmod 600 '{path}'"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: path, "cannot be read: no such file"),
        (lambda path: path.mkdir(mode=0o700), "is not a file|is a directory"),
        (lambda path: os.mkfifo(path, 0o600), "is not a file"),
        (lambda path: private(path, ""), "is empty"),
        (lambda path: private(path, "\nsecond"), "is empty"),
    ],
)
def test_a_file_without_a_password_is_told(
    tmp_path: Path, make: Callable[[Path], object], words: str
) -> None:
    make(tmp_path / "p")
    with pytest.raises(PasswordUnknown, match=words):
        find_password(PROFILE._replace(password_file=tmp_path / "p"))


def test_what_is_kept_in_a_file_comes_back_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "passwords" / "work"
    for password in (PASSWORD, " blanks, ü and 日本 ", "\udcff not UTF-8"):
        keep_in_file(path, Secret(password))
        assert path.stat().st_mode & 0o777 == 0o600
        assert find_password(PROFILE._replace(password_file=path)).reveal() == password
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [each.name for each in path.parent.iterdir()] == ["work"]


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "passwords").write_text("in the way")
    with pytest.raises(CallboardError) as problem:
        keep_in_file(tmp_path / "passwords" / "work", Secret(PASSWORD))
    assert_unseen(problem.value)


def test_a_folder_in_the_place_of_a_file_is_told_and_left(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    with pytest.raises(CallboardError, match=r"cannot be written to .*: is a directory") as problem:
        keep_in_file(tmp_path / "work", Secret(PASSWORD))
    assert_unseen(problem.value)
    assert [each.name for each in tmp_path.iterdir()] == ["work"]


@pytest.mark.parametrize(
    ("command", "shell"),
    [
        ("pass show work", False),
        ("pass show 'a | b; $c'", False),
        ('pass show "a | b; (c)"', False),
        (r"pass show a\|b", False),
        ("pass show work | head -1", True),
        ("pass show $ITEM", True),
        ('pass show "$ITEM"', True),
        ("cat ~/secret", True),
        ("STORE=/x pass show work", True),
        ("pass show `whoami`", True),
    ],
)
def test_a_shell_is_used_only_for_what_needs_one(command: str, shell: bool) -> None:
    assert needs_shell(command) is shell


def test_a_line_for_a_shell_is_run_by_one() -> None:
    assert answer_of("echo one two | tr a-z A-Z").reveal() == "ONE TWO"
    assert answer_of("echo 'one | two'").reveal() == "one | two"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (telling("import sys; print(x := 'xyzzy' + ' plugh'); sys.exit(x)"), "exit code 1"),
        (telling("pass"), "printed nothing"),
        ("/nonexistent/pass show x", "pass cannot be run: no such file"),
        ("pass 'show", "a quote is not closed"),
        ("pass\0x", "cannot be run"),
    ],
)
def test_a_command_that_fails_is_told_without_what_it_was_told(
    command: str | tuple[str, ...], words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(PasswordUnknown, match=words) as problem:
        answer_of(command)
    assert problem.value.hint
    assert "show" not in problem.value.message
    assert_unseen(problem.value)
    said = capfd.readouterr()
    assert said.out + said.err == ""


@pytest.mark.parametrize(
    "command", [telling("import time; time.sleep(600)"), "sleep 600 | sleep 600"]
)
def test_a_command_that_does_not_end_is_given_up(command: str | tuple[str, ...]) -> None:
    with pytest.raises(PasswordUnknown, match=r"did not finish within 0\.3 seconds") as problem:
        answer_of(command, patience=0.3)
    assert problem.value.hint


def test_a_command_is_kept_away_from_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPG_TTY", "/dev/tty")
    code = "import os, sys; print(os.environ.get('GPG_TTY'), repr(sys.stdin.read()), os.getsid(0))"
    told = answer_of(telling(code)).reveal().split()
    assert told[:2] == ["None", "''"]
    assert int(told[2]) != os.getsid(0)


def test_a_keyring_that_is_locked_or_empty_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    profile = PROFILE._replace(keyring=True)
    monkeypatch.setitem(sys.modules, "keyring", FakeKeyring(is_locked=True))
    with pytest.raises(PasswordUnknown, match=r"does not respond \(RuntimeError\)") as problem:
        find_password(profile)
    assert_unseen(problem.value)
    with pytest.raises(PasswordUnknown, match="does not respond") as problem:
        keep_in_keyring(profile, Secret(PASSWORD))
    assert_unseen(problem.value)
    monkeypatch.setitem(sys.modules, "keyring", FakeKeyring())
    with pytest.raises(PasswordUnknown, match="holds no password for the profile my-work"):
        find_password(profile)


def test_what_is_forgotten_in_the_keyring_is_gone_and_what_is_not_there_is_no_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keyring = FakeKeyring()
    profile = PROFILE._replace(keyring=True)
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    keep_in_keyring(profile, Secret(PASSWORD))
    assert find_password(profile) == Secret(PASSWORD)
    for _ in range(2):
        forget_in_keyring(profile)
        assert keyring.kept == {}
    keyring.is_locked = True
    with pytest.raises(PasswordUnknown, match="does not respond") as problem:
        forget_in_keyring(profile)
    assert_unseen(problem.value)


def assert_unseen(error: CallboardError) -> None:
    """The password is in nothing that anybody prints of an error, local variables included."""
    told = traceback.TracebackException.from_exception(error, capture_locals=True)
    ours = [line for line in told.format() if "tests/config/test_passwords.py" not in line]
    assert PASSWORD not in f"{error!r}{error}{error.hint}{''.join(ours)}"
