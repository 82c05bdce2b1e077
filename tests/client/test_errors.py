"""The tree of errors."""

import re
import subprocess
import sys

import pytest

from tests.lint import tables
from tui.client import errors
from tui.client.http.credentials import Credentials
from tui.errors import CallboardError


def _classes() -> list[type[errors.ApiError]]:
    kinds = errors.ApiError.__subclasses__()
    return [*kinds, *(kind for parent in kinds for kind in parent.__subclasses__())]


def test_the_tree_is_drawn_as_it_is() -> None:
    drawn = re.findall(r"[├└]── (\w+) {2}", errors.__doc__ or "")
    kinds = {kind.__name__ for kind in _classes()}
    tables.check(
        tables.missing(
            (f"├── {name}  STATUS: WHAT HAPPENED" for name in kinds - {*drawn}),
            "the tree in the docstring",
            errors.__file__,
        ),
        tables.obsolete({*drawn} - kinds, "the tree in the docstring", errors.__file__),
    )


@pytest.mark.parametrize("kind", _classes())
def test_an_error_says_what_can_be_done(kind: type[errors.ApiError]) -> None:
    error = kind("It failed.", hint="Wait.", details="GET /x", status=500, may_have_happened=True)
    assert isinstance(error, CallboardError)
    assert (str(error), error.message, error.hint) == ("It failed.", "It failed.", "Wait.")
    assert (error.details, error.status, error.may_have_happened) == ("GET /x", 500, True)


def test_only_trouble_on_the_way_is_passing_by_itself() -> None:
    passing = {kind.__name__ for kind in _classes() if kind("").is_passing}
    assert passing == {"Unreachable", "TimedOut"}


def test_errors_and_credentials_load_without_the_libraries() -> None:
    code = (
        "import sys, tui.client.errors, tui.client.http.credentials;"
        "print([name for name in ('httpx', 'pydantic', 'starlette') if name in sys.modules])"
    )
    command = [sys.executable, "-c", code]
    output = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    assert output.stdout.strip() == "[]"


def test_a_password_is_in_no_repr() -> None:
    credentials = Credentials("ann", "hunter22")
    assert "hunter22" not in repr(credentials)
    assert "ann" in repr(credentials)


def test_credentials_are_utf_8() -> None:
    assert Credentials("ännchen", "pässword").authorization() == "Basic w6RubmNoZW46cMOkc3N3b3Jk"


def test_a_colon_in_a_login_name_is_refused() -> None:
    with pytest.raises(errors.WrongCredentials, match="colon"):
        Credentials("ann:x", "secret")


def test_what_is_logged_never_holds_the_password() -> None:
    credentials = Credentials("ann", 'ab "cd ef')
    echo = f'{credentials.authorization()} ab "cd ef ab"cdef "ab \\"cd ef"'
    redacted = credentials.redact(echo)
    assert "cd" not in redacted
    assert credentials.authorization()[6:] not in redacted


def test_a_very_short_password_does_not_riddle_the_log() -> None:
    assert Credentials("ann", "a").redact("a task was refused") == "a task was refused"
