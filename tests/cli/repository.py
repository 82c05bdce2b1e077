"""A git repository that commands are run in."""

import os
import subprocess
from pathlib import Path

import pytest


def git(folder: Path, *arguments: str, code: int = 0) -> str:
    ran = subprocess.run(  # noqa: S603
        ["git", "-C", str(folder), *arguments],  # noqa: S607
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == code, ran.stderr
    return ran.stdout.strip()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a repository with a commit on main, and nobody's settings of git."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "me")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "me@example.org")
    folder = tmp_path / "place"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    commit(folder, "one")
    monkeypatch.chdir(folder)
    return folder


def commit(folder: Path, text: str) -> None:
    (folder / "file").write_text(text, encoding="utf-8")
    git(folder, "add", "file")
    git(folder, "commit", "--quiet", "--message", text)
