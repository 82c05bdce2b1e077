"""The hook that `callboard hook` prints, run by git for every way to write a message."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Said
from tests.cli.repository import commit, git, place

__all__ = ["place"]
pytestmark = pytest.mark.long

CARD = "Card: #6"
SUBJECT = "Fix the redirect"
LEFT = "true"
"""An editor that is left without a word."""
Editor = Callable[[str], str]
"""Makes an editor of a script for `sh`, in which `$1` is the file of the message."""


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    def make(script: str) -> str:
        program = tmp_path / f"editor-{len([*tmp_path.iterdir()])}"
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)
        return str(program)

    return make


@pytest.fixture
def hook(said: Said, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The hook in the repository, whose branch is that of the card 6."""
    program = tmp_path / "bin" / "callboard"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m tui "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    git(place, "switch", "--quiet", "--create", "6-mine")
    return install(said, place / ".git" / "hooks" / "commit-msg")


def install(said: Said, hook: Path) -> Path:
    hook.parent.mkdir(parents=True, exist_ok=True)
    hook.write_text(said("hook")[1], encoding="utf-8")
    hook.chmod(0o755)
    return hook


def committed(
    folder: Path, *options: str, editor: str = "false", settings: tuple[str, ...] = ()
) -> str:
    """The message of a new commit."""
    with (folder / "file").open("a", encoding="utf-8") as file:
        file.write("more\n")
    git(folder, "add", "file")
    given = [word for setting in settings for word in ("-c", setting)]
    git(folder, "-c", f"core.editor={editor}", *given, "commit", "--quiet", *options)
    return message(folder)


def is_aborted(folder: Path, *options: str, editor: str, settings: tuple[str, ...] = ()) -> bool:
    """Whether git makes no commit of a change."""
    commits = git(folder, "rev-list", "--count", "HEAD")
    (folder / "file").write_text("changed", encoding="utf-8")
    git(folder, "add", "file")
    given = [word for setting in settings for word in ("-c", setting)]
    git(folder, "-c", f"core.editor={editor}", *given, "commit", "--quiet", *options, code=1)
    return git(folder, "rev-list", "--count", "HEAD") == commits


def message(folder: Path, revision: str = "HEAD") -> str:
    return git(folder, "log", "-1", "--format=%B", revision)


def trailers(folder: Path) -> str:
    return git(folder, "log", "-1", "--format=%(trailers:key=Card)")


TYPED = f"""{{ printf '{SUBJECT}'; cat "$1"; }} > "$1.new" && mv "$1.new" "$1" """
"""Types the subject in the first line."""


@pytest.mark.usefixtures("hook")
def test_a_subject_typed_in_the_editor_stays_a_subject(place: Path, editor: Editor) -> None:
    assert committed(place, editor=editor(TYPED)) == f"{SUBJECT}\n\n{CARD}"
    for settings in (
        ("commit.verbose=true",),
        ("commit.cleanup=scissors",),
        ("core.commentChar=;",),
        ("core.commentChar=auto",),
        ("commit.status=false",),
        ("commit.cleanup=strip",),
    ):
        assert committed(place, editor=editor(TYPED), settings=settings) == (
            f"{SUBJECT}\n\n{CARD}"
        ), settings
    below_a_blank_line = editor(f'sed -i "1s/^/\\nfeat: {SUBJECT}/" "$1"')
    assert committed(place, editor=below_a_blank_line) == f"feat: {SUBJECT}\n\n{CARD}"


@pytest.mark.usefixtures("hook")
def test_an_editor_that_is_left_without_a_word_makes_no_commit(place: Path) -> None:
    for options in ((), ("--verbose",), ("--signoff",), ("--cleanup=scissors",)):
        for name in (LEFT, ":"):
            assert is_aborted(place, *options, editor=name), (options, name)
    for settings in (
        ("core.commentChar=;",),
        ("core.commentChar=auto",),
        ("commit.cleanup=scissors",),
        ("commit.status=false",),
        ("commit.cleanup=strip",),
    ):
        assert is_aborted(place, editor=LEFT, settings=settings), settings


@pytest.mark.usefixtures("hook")
def test_a_template_that_is_left_as_it_is_makes_no_commit(
    place: Path, tmp_path: Path, editor: Editor
) -> None:
    template = tmp_path / "template"
    for text in ("# What and why?\n", "Why:\n\nTested: yes\n", "\nReviewed-by: nobody\n"):
        template.write_text(text, encoding="utf-8")
        settings = (f"commit.template={template}",)
        for options in ((), ("--signoff",), ("--verbose",)):
            assert is_aborted(place, *options, editor=LEFT, settings=settings), text
    typed = committed(place, editor=editor(TYPED), settings=settings)
    assert typed == f"{SUBJECT}\nReviewed-by: nobody\n\n{CARD}"
    template.write_text("# What?\n\n\n# Why?\n\n", encoding="utf-8")
    typed = editor(f'sed -i "s/^# What?/&\\n\\nfeat: {SUBJECT}/" "$1"')
    assert committed(place, editor=typed, settings=settings) == f"feat: {SUBJECT}\n\n{CARD}"


@pytest.mark.usefixtures("hook")
def test_the_trailer_is_last_in_every_message(place: Path) -> None:
    for given, expected in (
        ("One", f"One\n\n{CARD}"),
        ("fix: one", f"fix: one\n\n{CARD}"),
        ("One\n\nSome\n---\nmore", f"One\n\nSome\n---\nmore\n\n{CARD}"),
        ("One\n\n--- a/file\n+++ b/file", f"One\n\n--- a/file\n+++ b/file\n\n{CARD}"),
        ("One\n\nAcked-by: Ann", f"One\n\nAcked-by: Ann\n{CARD}"),
        (f"One\n\n{CARD}", f"One\n\n{CARD}"),
        ("One\n\nCard: #7", "One\n\nCard: #7"),
        ("#12 is done", f"#12 is done\n\n{CARD}"),
        ("One\n\n#12 is done", f"One\n\n#12 is done\n\n{CARD}"),
        (
            "One\n\n# ------------------------ >8 ------------------------\nTwo",
            f"One\n\n# ------------------------ >8 ------------------------\nTwo\n\n{CARD}",
        ),
        ("fixup! One", "fixup! One"),
        ("Größe 猫", f"Größe 猫\n\n{CARD}"),
    ):
        assert committed(place, "--message", given) == expected
        assert trailers(place).startswith("Card: #") or given.startswith(("fixup!", "One\n\n# -"))
    assert committed(place, "--signoff", "-m", "One").endswith(
        f"\n\nSigned-off-by: me <me@example.org>\n{CARD}"
    )


@pytest.mark.usefixtures("hook")
def test_comments_and_the_diff_below_are_left_to_git(place: Path, editor: Editor) -> None:
    typed = editor(
        f"""printf '{SUBJECT}\\n\\nWhy\\n---\\n#12\\n\\nAcked-by: Ann\\n' | cat - "$1" > "$1.new"
        mv "$1.new" "$1" """
    )
    text = f"{SUBJECT}\n\nWhy\n---\n%sAcked-by: Ann\n{CARD}"
    assert committed(place, editor=typed) == text % "\n"
    assert committed(place, "--verbose", editor=typed) == text % "\n"
    kept = text % "#12\n\n"
    assert committed(place, "--verbose", editor=typed, settings=("core.commentChar=;",)) == kept
    assert committed(place, editor=typed, settings=("commit.cleanup=scissors",)) == kept
    chosen = committed(place, "-e", "-m", "#12", editor=LEFT, settings=("core.commentChar=auto",))
    assert chosen == f"#12\n\n{CARD}"


@pytest.mark.usefixtures("hook")
def test_an_amended_commit_has_the_trailer_once(place: Path, editor: Editor) -> None:
    committed(place, "-m", "One")
    for options in (("--no-edit",), ("-m", "Two", "-m", CARD), ()):
        amended = committed(place, "--amend", *options, editor=editor(TYPED))
        assert amended.count(CARD) == 1
        assert amended.endswith(f"\n\n{CARD}")
    git(place, "switch", "--quiet", "--create", "7-other")
    assert committed(place, "--amend", "--no-edit").endswith(f"\n\n{CARD}")
    assert "#7" not in message(place)
    assert is_aborted(place, "--amend", editor=editor('printf "" > "$1"'))


@pytest.mark.usefixtures("hook")
def test_a_rebase_keeps_the_card_of_its_branch(place: Path, editor: Editor) -> None:
    for text in ("One", "Two", "Three"):
        committed(place, "-m", text)
    todo = editor('sed -i "1s/^pick/reword/;3s/^pick/squash/" "$1"')
    rewritten = editor(f'grep -q "^# This is a comb" "$1" || printf "{SUBJECT}\\n" > "$1"')
    rebase = ("-c", f"core.editor={rewritten}", "rebase", "--interactive", "main")
    git(place, "-c", f"sequence.editor={todo}", *rebase)
    assert git(place, "branch", "--show-current") == "6-mine"
    assert message(place, "HEAD~1") == f"{SUBJECT}\n\n{CARD}"
    assert message(place).endswith(f"Three\n\n{CARD}")
    stopped = editor('sed -i "2s/^pick/edit/" "$1"')
    git(place, "-c", f"sequence.editor={stopped}", *rebase)
    assert committed(place, "-m", "Split") == f"Split\n\n{CARD}"
    git(place, "rebase", "--abort")


@pytest.mark.usefixtures("hook")
def test_merges_and_commits_of_no_card_have_none(place: Path) -> None:
    git(place, "switch", "--quiet", "main")
    commit(place, "of no card")
    assert message(place) == "of no card"
    git(place, "switch", "--quiet", "6-mine")
    committed(place, "-m", "Own")
    git(place, "merge", "--quiet", "main", "-X", "ours", "-m", "merged")
    assert message(place) == "merged"
    git(place, "switch", "--quiet", "--detach")
    assert committed(place, "-m", "on no branch") == "on no branch"


def test_every_working_tree_has_its_own_card(said: Said, hook: Path, place: Path) -> None:
    git(place, "switch", "--quiet", "main")
    tree = place.with_name("tree")
    git(place, "worktree", "add", "--quiet", str(tree), "6-mine")
    assert committed(tree, "-m", "Mine") == f"Mine\n\n{CARD}"
    assert committed(place, "-m", "of no card") == "of no card"
    hook.unlink()
    install(said, place / "shared" / "commit-msg")
    git(place, "config", "core.hooksPath", "shared")
    git(place, "switch", "--quiet", "--create", "me/7-other")
    assert committed(place, "-m", "Own") == "Own\n\nCard: #7"


def test_other_hooks_go_on_beside_it(hook: Path, place: Path) -> None:
    prepare = hook.with_name("prepare-commit-msg")
    prepare.write_text('#!/bin/sh\nsed -i "1s/^/JIRA-1: /" "$1"\n', encoding="utf-8")
    prepare.chmod(0o755)
    assert committed(place, "-m", "One") == f"JIRA-1: One\n\n{CARD}"
    prepare.unlink()
    own = 'git interpret-trailers --in-place --trailer "Change-Id: I1" "$1"'
    line = next(line for line in hook.read_text("utf-8").splitlines() if "callboard hook" in line)
    hook.write_text(f"#!/bin/sh\n{own}\n{line}\n", encoding="utf-8")
    assert committed(place, "-m", "One") == f"One\n\nChange-Id: I1\n{CARD}"
    assert committed(place, "-m", "One", "--no-verify") == "One"


@pytest.mark.usefixtures("hook")
def test_a_hook_that_cannot_work_does_not_hold_up_a_commit(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = os.environ["PATH"].split(os.pathsep)
    without = [folder for folder in folders if shutil.which("callboard", path=folder) is None]
    monkeypatch.setenv("PATH", os.pathsep.join(without))
    assert committed(place, "-m", "without the program") == "without the program"


def test_the_hook_says_where_it_belongs(hook: Path, place: Path) -> None:
    old = hook.rename(hook.with_name("prepare-commit-msg"))
    (place / "file").write_text("changed", encoding="utf-8")
    ran = subprocess.run(
        ["git", "commit", "--quiet", "--all", "-m", "One"],  # noqa: S607
        cwd=place,
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    assert "commit-msg" in ran.stderr
    assert old.exists()


def test_a_message_that_cannot_be_read_or_written_is_named(said: Said, place: Path) -> None:
    git(place, "switch", "--quiet", "--create", "6-mine")
    code, text, beside = said("hook", "missing")
    assert (code, text) == (1, "")
    assert beside == "callboard: missing cannot be read: no such file or directory.\n"
