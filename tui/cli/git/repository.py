"""The git repository of this folder: the card of its branch, and switching to the branch of a card.

git is never run by a shell, and no text from a card is an argument of it but the name of a branch,
which git has checked.
"""

import os
import re
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tui.errors import CallboardError
from tui.model.task import Task
from tui.model.work.branch import branch_of, card_of
from tui.text import clean
from tui.text.clean import quoted

_SECONDS = 5
"""How long git may take to read; switching takes as long as it takes."""
_LONGEST_MESSAGE = 300
_HEADS, _REMOTES = "refs/heads/", "refs/remotes/"
_BEGUN = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}
"""The files in a repository that tell what was begun and not ended there."""
_LEVEL = re.compile(r"^(?:fatal|error|warning|hint): ", re.MULTILINE)


class Branch(NamedTuple):
    """A branch, and the folder of the working tree that has it checked out, if any does."""

    name: str
    folder: str = ""


class Repository(NamedTuple):
    """The checked out branch, empty if there is none, and the branches that there are.

    `branches` are its own, those with the newest commits first; `remote` are the names of those of
    its remotes, with the name of the remote before them.
    """

    branch: str
    branches: Sequence[Branch]
    remote: Sequence[str] = ()


class Switch(NamedTuple):
    """How to come to a branch: the arguments of git, none if it is checked out, and what to say."""

    branch: str
    arguments: tuple[str, ...]
    done: str


def switch_to_branch_of(task: Task, pattern: str, repository: Repository) -> Switch:
    """How to come to the branch of a card: that which is named after it, else a new one.

    Raises `CallboardError` if another working tree has it checked out.
    """
    name = branch_of(task, pattern)
    if card_of(repository.branch, pattern) == task.id:
        return Switch(repository.branch, (), f"already on the branch {repository.branch}")
    matching = [
        branch
        for branch in repository.branches
        # git would read a name that begins with a dash as an option.
        if card_of(branch.name, pattern) == task.id and not branch.name.startswith("-")
    ]
    exact = [branch for branch in matching if branch.name == name]
    if branch := next(iter(exact or matching), None):
        if branch.folder:
            raise CallboardError(
                f"the branch {branch.name} is checked out in {clean.line(branch.folder)}.",
                hint="Nothing was done: run callboard start there.",
            )
        return Switch(branch.name, ("switch", branch.name), f"switched to {branch.name}")
    if any(branch_name.endswith(f"/{name}") for branch_name in repository.remote):
        return Switch(name, ("switch", "--guess", name), f"switched to {name}, from a remote")
    return Switch(name, ("switch", "--no-track", "--create", name), f"created the branch {name}")


def read_repository() -> Repository:
    """The repository of this folder, in which nothing is begun and there are no conflicts.

    Raises `CallboardError` otherwise.
    """
    check_repository()
    form = "--format=%(refname)%00%(worktreepath)"
    refs = _read("for-each-ref", "--sort=-committerdate", form, _HEADS, _REMOTES)
    rows = [line.split("\0", 1) for line in refs.splitlines() if "\0" in line]
    return Repository(
        _head(),
        [
            Branch(name.removeprefix(_HEADS), folder)
            for name, folder in rows
            if name.startswith(_HEADS)
        ],
        [name.removeprefix(_REMOTES) for name, _ in rows if name.startswith(_REMOTES)],
    )


def check_repository() -> None:
    """Raise `CallboardError` outside of a working tree, or if something is begun or in conflict."""
    if _read("rev-parse", "--is-inside-work-tree").strip() != "true":
        raise CallboardError("this folder is in no working tree of its git repository.")
    if names := begun(*_BEGUN):
        raise CallboardError(
            f"a {_BEGUN[names[0]]} is in progress in this repository: nothing was done.",
            hint="git status says how to continue or abort it.",
        )
    if _read("ls-files", "--unmerged", "--", ":/"):
        raise CallboardError(
            "there are conflicts in this repository: nothing was done.",
            hint="git status lists them.",
        )


def begun(*names: str) -> list[str]:
    """Those of the files in the repository that there are."""
    paths = _paths(*names)
    return [name for name, path in paths.items() if path.exists()]


def card_at_branch(pattern: str) -> int:
    """The number of the card of the current branch, or of the one that is being rebased.

    Raises `CallboardError`.
    """
    branch = _head() or _rebased()
    if not branch:
        raise CallboardError("no branch is checked out in this repository.")
    number = card_of(branch, pattern)
    if not number:
        raise CallboardError(
            f"the branch {quoted(clean.line(branch))} is not named after a card.",
            hint=f"Such names are {pattern}; y b on a card copies its own.",
        )
    return number


def carry_out(switch: Switch) -> None:
    """Come to a branch. Raises `CallboardError` with what git says if it refuses."""
    if switch.arguments:
        # The pattern of the settings may make names that git does not allow.
        _output(_run("check-ref-format", "--branch", switch.branch))
        _output(_run(*switch.arguments, seconds=None))


def setting(name: str) -> str:
    """A setting of git; empty if it is not set."""
    return _text(_run("config", "--get", name).stdout).strip()


def path_setting(name: str) -> str:
    """A setting of git that is a path; empty if it is not set."""
    return os.fsdecode(_run("config", "--type=path", "--get", name).stdout.removesuffix(b"\n"))


def last_setting(names: str) -> str:
    """The last one of the settings whose names match; empty if none is set."""
    lines = _text(_run("config", "--get-regexp", f"^{names}$").stdout).splitlines()
    return lines[-1].partition(" ")[2] if lines else ""


def filtered(text: bytes, *arguments: str) -> bytes:
    """A text as a command of git rewrites it. Raises `CallboardError`."""
    return _output(_run(*arguments, text=text))


def _head() -> str:
    ran = _run("symbolic-ref", "--quiet", "HEAD")
    # With --quiet an exit code of 1 means that no branch is checked out.
    return "" if ran.returncode == 1 else _text(_output(ran)).strip().removeprefix(_HEADS)


def _rebased() -> str:
    # A rebase has no branch checked out, and notes the one that it is about.
    for path in _paths("rebase-merge/head-name", "rebase-apply/head-name").values():
        with suppress(OSError, ValueError):
            return path.read_text("utf-8").strip().removeprefix(_HEADS)
    return ""


def _paths(*names: str) -> dict[str, Path]:
    # git is asked for the paths: each working tree has some of these files in a folder of its own.
    words = [word for name in names for word in ("--git-path", name)]
    paths = os.fsdecode(_output(_run("rev-parse", *words))).split("\n")
    return dict(zip(names, map(Path, paths), strict=False))


def _read(*arguments: str) -> str:
    return _text(_output(_run(*arguments)))


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")


def _run(
    *arguments: str, seconds: int | None = _SECONDS, text: bytes = b""
) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(  # noqa: S603 (arguments of ours, and a name that git checks)
            ["git", *arguments],  # noqa: S607
            input=text,
            capture_output=True,
            timeout=seconds,
            check=False,
            # Errors are recognised by their English words.
            env=os.environ | {"LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CallboardError("git cannot be run here.") from error


def _output(ran: "subprocess.CompletedProcess[bytes]") -> bytes:
    if not ran.returncode:
        return ran.stdout
    complaint = _text(ran.stderr)
    if "not a git repository" in complaint:
        raise CallboardError("this folder is not in a git repository.")
    from tui.text.cells import cut

    reason = " ".join(clean.line(_LEVEL.sub("", complaint)).split())
    raise CallboardError(f"git: {cut(reason, _LONGEST_MESSAGE) or 'it failed without a message.'}")
