"""Completion in shells, from the script that the program prints."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Said
from tests.terminal.terminal import Terminal

_ASK = """
ask() {
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _callboard; echo "${COMPREPLY[@]}"
}
ask callboard ta
ask callboard tasks --q
ask callboard -p work standup --by
ask callboard serve u
ask callboard serve user pass
ask callboard serve user password --d
ask callboard completion z
ask callboard nonsense --ver
"""


def test_bash_completes_commands_and_options(said: Said, tmp_path: Path) -> None:
    code, script, beside = said("completion", "bash")
    assert (code, beside) == (0, "")
    path = tmp_path / "completion"
    path.write_text(script + _ASK, encoding="utf-8")
    ran = subprocess.run(  # noqa: S603
        [shutil.which("bash") or "bash", "--norc", str(path)],
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    assert ran.stderr == ""
    assert ran.stdout.splitlines() == [
        *("tasks", "--quiet", "--by-person", "user", "password", "--database", "zsh", "--version"),
    ]


def test_zsh_and_fish_have_scripts_of_their_own(said: Said) -> None:
    zsh = said("completion", "zsh")[1]
    assert zsh.endswith("\nbashcompinit\n" + said("completion", "bash")[1])
    fish = said("completion", "fish")[1].splitlines()
    assert "complete -c callboard -n '__fish_use_subcommand' -f -a tasks -d 'list cards'" in fish
    seen = "complete -c callboard -n '__fish_seen_subcommand_from"
    assert f"{seen} tasks' -s q -l quiet -d 'print only the ids'" in fish
    assert f"{seen} completion' -f -a zsh" in fish


def shell_found(shell: str) -> str:
    """The path of a shell; the test is skipped without it."""
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    return found


def test_fish_completes_commands_and_options(said: Said, tmp_path: Path) -> None:
    script = tmp_path / "callboard.fish"
    script.write_text(said("completion", "fish")[1], encoding="utf-8")
    asked = ["ta", "tasks --q", "-p work standup --by", "serve user a", "completion z"]
    asking = "; ".join(f"complete -C 'callboard {words}'" for words in asked)
    ran = subprocess.run(  # noqa: S603
        [shell_found("fish"), "--no-config", "-c", f"source {script}; {asking}"],
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    assert ran.stderr == ""
    completed = [line.partition("\t")[0] for line in ran.stdout.splitlines()]
    assert completed == ["tasks", "--quiet", "--by-person", "add", "zsh"]


@pytest.mark.long
def test_zsh_completes_commands_and_options(said: Said, tmp_path: Path) -> None:
    """In a terminal, as nothing else makes zsh complete; compinit may not have been called."""
    script = tmp_path / ".zshrc"
    script.write_text("PS1='ready> '\n" + said("completion", "zsh")[1], encoding="utf-8")
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "TERM": "xterm-256color"}
    shell = [shell_found("zsh")]
    with Terminal(shell, environment=environment, folder=tmp_path) as terminal:
        terminal.sees("ready>")
        for typed, rest in (("ta", "sks"), ("tasks --q", "uiet"), ("serve user a", "dd")):
            terminal.press("ctrl+u", *f"callboard {typed}", "tab")
            terminal.sees(f"callboard {typed}{rest}")


def test_another_shell_is_refused(said: Said) -> None:
    code, text, beside = said("completion", "powershell")
    assert (code, text) == (2, "")
    assert "use one of bash, zsh, fish." in beside
