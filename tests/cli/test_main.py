"""The command: what it says, and how it ends."""

import subprocess
import sys
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

from tests.lint import tables
from tui.cli.arguments import Parser, commands_below
from tui.cli.commands.table import add_commands
from tui.cli.main import INTERRUPTED, _run, main


def test_the_version_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("callboard ")


def test_what_is_not_understood_ends_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--nonsense"])
    assert ended.value.code == 2
    assert "--nonsense" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["tasks", "--baord=x"], "callboard tasks: “--baord” is not valid here.\n"),
        (["boards", "12"], "callboard boards: “12” is not valid here.\n"),
        (
            ["serve", "user", "list", "-x"],
            "callboard serve user list: “-x” is not valid here.\n",
        ),
    ],
)
def test_the_command_says_what_is_not_possible_behind_it(
    arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    line, _, hint = capsys.readouterr().err.partition("\n")
    assert f"{line}\n" == text
    near = "Did you mean “--board”?"
    assert hint.strip() == (near if "baord" in text else f"Run {line.split(':')[0]} --help.")


@pytest.mark.parametrize(
    ("first", "there", "missing"),
    [
        ("tasks", {"/tasks", "/show"}, {"/add", "/serve", "/login"}),
        ("serve", {"/serve/user/add"}, {"/add", "/tasks"}),
        ("help", {"/help", "/add", "/serve", "/tasks"}, set()),
        ("--ascii", {"/help", "/add", "/serve", "/tasks"}, set()),
    ],
)
def test_only_commands_of_the_kind_that_is_run_are_declared(
    first: str, there: set[str], missing: set[str]
) -> None:
    parser = Parser()
    add_commands(parser, first)
    paths = {path for path, _ in commands_below(parser, "")}
    assert there <= paths
    assert paths.isdisjoint(missing)


def test_read_only_is_not_for_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--read-only", "sync"])
    assert "--read-only is for the program" in capsys.readouterr().err


def test_without_a_terminal_one_line_says_so(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tui"],
        env={"CALLBOARD_HOME": str(tmp_path), "PATH": ""},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert len(ran.stderr.splitlines()) == 1
    assert "needs an interactive terminal" in ran.stderr
    assert not any(tmp_path.iterdir())


def test_an_interrupted_command_ends_quietly() -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    assert _run(interrupted) == INTERRUPTED


def test_an_error_of_something_else_writes_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    def failing() -> int:
        raise PermissionError("of something else")

    with pytest.raises(PermissionError):
        _run(failing)
    assert capsys.readouterr().out == ""


def test_each_command_has_the_arguments_that_its_function_takes() -> None:
    parser = Parser()
    add_commands(parser)
    names = {"profile", "ascii_only", "lists_boards", "is_read_only", "program", "opened"}
    lacking = list[str]()
    for path, command in commands_below(parser, ""):
        if run := command.get_default("run"):
            module, _, name = run.partition(":")
            function = getattr(import_module(f"tui.cli.{module}"), name)
            known = names | {action.dest for action in command._actions}
            for parameter in signature(function).parameters.values():
                fields = getattr(parameter.annotation, "__match_args__", ())
                if not known.intersection(fields or (parameter.name,)):
                    lacking.append(f"{path.strip('/')}: {parameter.name}, which {run} takes")
    tables.check(tables.missing(lacking, "the arguments of commands", "tui/cli/commands/*.py"))
