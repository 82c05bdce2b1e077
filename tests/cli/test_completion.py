"""Completion in shells, from the script that the program prints."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Said

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
    assert zsh.splitlines()[0] == "autoload -Uz bashcompinit && bashcompinit"
    assert zsh.split("\n", 1)[1] == said("completion", "bash")[1]
    fish = said("completion", "fish")[1].splitlines()
    assert "complete -c callboard -n '__fish_use_subcommand' -f -a tasks -d 'list cards'" in fish
    seen = "complete -c callboard -n '__fish_seen_subcommand_from"
    assert f"{seen} tasks' -s q -l quiet -d 'print only the ids'" in fish
    assert f"{seen} completion' -f -a zsh" in fish


@pytest.mark.parametrize("shell", ["fish", "zsh"])
def test_the_shell_accepts_its_script(said: Said, tmp_path: Path, shell: str) -> None:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    path = tmp_path / "completion"
    path.write_text(said("completion", shell)[1], encoding="utf-8")
    ran = subprocess.run(  # noqa: S603
        [found, "-n", str(path)], capture_output=True, timeout=20, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_another_shell_is_refused(said: Said) -> None:
    code, text, beside = said("completion", "powershell")
    assert (code, text) == (2, "")
    assert "use one of bash, zsh, fish." in beside
