"""`callboard start` and `here`, in real repositories."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Said, cached_for_work
from tests.cli.repository import commit, git, place
from tui.cli.git.repository import Branch, Repository, Switch, switch_to_branch_of
from tui.errors import CallboardError
from tui.model.task import Task

pytestmark = pytest.mark.long

TITLE = "Fix $(touch pwned) `now`; -rf 'é'"
BRANCH = "8-fix-touch-pwned-now-rf-e"
SLUGS = "{id}-{slug}"
__all__ = ["place"]


@pytest.fixture
def card(said: Said) -> str:
    """The number of a card in the backlog of Platform, with a title for shells."""
    assert said("add", "--board", "platform", "--stage", "open", TITLE)[0] == 0
    return "8"


def card_document(said: Said, number: str, *options: str) -> tuple[str, list[str]]:
    """The stage of a card, and the logins of its assignees."""
    document = json.loads(said(*options, "show", number, "--json")[1])
    return document["stage"]["title"], [person["login"] for person in document["assignees"]]


def test_a_card_is_started(said: Said, place: Path, card: str) -> None:
    code, text, beside = said("start", card)
    assert (code, beside) == (0, "")
    title = "“Fix $(touch pwned) `now`; -rf 'é'”"
    assert text == f"created the branch {BRANCH}\nstarted #8 {title} in “In Progress”\n"
    assert git(place, "branch", "--show-current") == BRANCH
    assert card_document(said, card) == ("In Progress", ["me"])
    assert not (place / "pwned").exists()
    assert said("here")[1].startswith(f"#8 {TITLE}\n")
    code, text, beside = said("start", card)
    assert text.splitlines()[0] == f"already on the branch {BRANCH}"
    assert "nothing to change: #8" in text
    git(place, "switch", "--quiet", "main")
    assert said("start", TITLE)[1].startswith(f"switched to {BRANCH}\n")
    assert git(place, "branch", "--show-current") == BRANCH


def test_a_card_that_is_further_is_not_moved_back(said: Said, place: Path, card: str) -> None:
    said("move", card, "completed")
    code, _, beside = said("start", card)
    assert (code, beside) == (0, "callboard: #8 is closed: callboard done 8 --reopen\n")
    assert card_document(said, card) == ("Completed", ["me"])
    assert git(place, "branch", "--show-current") == BRANCH


def test_what_was_changed_in_files_stays(said: Said, place: Path, card: str) -> None:
    (place / "file").write_text("changed", encoding="utf-8")
    assert said("start", card)[0] == 0
    assert (place / "file").read_text("utf-8") == "changed"


def test_if_git_refuses_the_card_is_left_alone(said: Said, place: Path, card: str) -> None:
    git(place, "switch", "--quiet", "--create", BRANCH)
    commit(place, "two")
    git(place, "switch", "--quiet", "main")
    (place / "file").write_text("changed", encoding="utf-8")
    code, text, beside = said("start", card)
    assert (code, text) == (1, "")
    assert beside.startswith("callboard: git: Your local changes to the following files would be")
    assert beside.count("\n") == 1
    assert card_document(said, card) == ("Open", [])


def test_a_name_that_git_refuses_is_none_of_a_branch(
    said: Said, home: Path, place: Path, card: str
) -> None:
    (home / "config").mkdir()
    settings = home / "config" / "config.toml"
    settings.write_text('branch_name = "a.lock/{id}"\n', encoding="utf-8")
    refusal = "callboard: git: 'a.lock/8' is not a valid branch name\n"
    assert said("start", card) == (1, "", refusal)
    assert git(place, "branch", "--show-current") == "main"
    assert card_document(said, card) == ("Open", [])


def test_a_dry_run_changes_neither_card_nor_branch(said: Said, place: Path, card: str) -> None:
    code, text, beside = said("start", card, "--dry-run")
    assert code == 0
    assert text.count("\n") == 2, "the requests of two changes"
    assert beside == f"callboard: git switch --no-track --create {BRANCH}\n"
    assert git(place, "branch", "--show-current") == "main"
    assert card_document(said, card) == ("Open", [])


def test_a_title_on_several_boards_starts_none(said: Said, place: Path, card: str) -> None:
    code, text, beside = said("start", "mine")
    assert (code, text) == (2, "")
    assert "“mine” is in the names of 3 cards" in beside
    assert said("start", card, "--board", "website")[0] == 1
    assert git(place, "branch", "--show-current") == "main"
    assert said("start", card, "--board", "platform")[0] == 0


def test_a_branch_of_a_remote_is_continued(said: Said, place: Path, card: str) -> None:
    git(place, "switch", "--quiet", "--create", BRANCH)
    commit(place, "two")
    git(place, "switch", "--quiet", "main")
    copy = place.with_name("copy")
    git(place, "clone", "--quiet", str(place), str(copy))
    os.chdir(copy)
    assert said("start", card)[1].startswith(f"switched to {BRANCH}, from a remote\n")
    assert git(copy, "rev-parse", "--abbrev-ref", "@{upstream}") == f"origin/{BRANCH}"


def test_another_working_tree_has_the_branch(said: Said, place: Path, card: str) -> None:
    tree = place.with_name("tree")
    git(place, "worktree", "add", "--quiet", "-b", "8-other-words", str(tree))
    code, text, beside = said("start", card)
    assert (code, text) == (1, "")
    assert beside.splitlines() == [
        f"callboard: the branch 8-other-words is checked out in {tree}.",
        "           Nothing was done: run callboard start there.",
    ]
    assert card_document(said, card) == ("Open", [])
    (tree / "deep").mkdir()
    os.chdir(tree / "deep")
    assert said("here", "--title") == (0, f"{TITLE}\n", "")
    assert said("here", "--trailer") == (0, "Card: #8\n", "")
    assert said("start", card)[1].startswith("already on the branch 8-other-words\n")
    assert card_document(said, card) == ("In Progress", ["me"])
    os.chdir(place)
    assert said("here", "--trailer")[0] == 1


def test_no_branch_need_be_checked_out(said: Said, place: Path, card: str) -> None:
    git(place, "switch", "--quiet", "--detach")
    for option in ("--title", "--trailer"):
        assert (
            said("here", option)[2] == "callboard: no branch is checked out in this repository.\n"
        )
    assert said("start", card)[0] == 0
    assert git(place, "branch", "--show-current") == BRANCH


def begin_merge(place: Path, *command: str) -> None:
    git(place, "switch", "--quiet", "--create", "8-theirs")
    commit(place, "theirs")
    git(place, "switch", "--quiet", "main")
    commit(place, "ours")
    git(place, "switch", "--quiet", "--create", "8-ours")
    git(place, *command, "8-theirs", code=1)


def left_alone(said: Said, card: str, reason: str) -> None:
    for command in (["start", card], ["here", "completed"], ["start", card, "--dry-run"]):
        code, text, beside = said(*command)
        assert (code, text) == (1, "")
        assert beside.splitlines()[0] == f"callboard: {reason}"
    assert card_document(said, card) == ("Open", [])


@pytest.mark.parametrize("command", ["merge", "rebase", "cherry-pick"])
def test_nothing_is_done_while_something_is_in_progress(
    command: str, said: Said, place: Path, card: str
) -> None:
    begin_merge(place, command)
    left_alone(said, card, f"a {command} is in progress in this repository: nothing was done.")


def test_nothing_is_done_with_conflicts(said: Said, place: Path, card: str) -> None:
    (place / "file").write_text("stashed", encoding="utf-8")
    git(place, "stash", "--quiet")
    commit(place, "ours")
    git(place, "stash", "pop", code=1)
    (place / "deep").mkdir()
    os.chdir(place / "deep")
    left_alone(said, card, "there are conflicts in this repository: nothing was done.")


def test_nothing_is_done_outside_of_a_working_tree(said: Said, place: Path, card: str) -> None:
    os.chdir(place.parent)
    left_alone(said, card, "this folder is not in a git repository.")
    os.chdir(place / ".git")
    left_alone(said, card, "this folder is in no working tree of its git repository.")


def test_a_card_is_started_without_a_connection(
    said: Said, home: Path, place: Path, card: str
) -> None:
    cached_for_work(home, said)
    code, text, beside = said("-p", "work", "start", card)
    assert code == 0
    assert text.startswith(f"created the branch {BRANCH}\nstarted #8 ")
    assert "Kept; will be sent when online." in beside
    assert git(place, "branch", "--show-current") == BRANCH
    assert card_document(said, card, "-p", "work") == ("In Progress", ["me"])
    said("-p", "work", "add", "--board", "platform", "Not sent")
    code, text, beside = said("-p", "work", "start", "Not sent")
    assert (code, text) == (1, "")
    assert beside.splitlines()[-2:] == [
        "callboard: “Not sent” is not sent yet, so it has no number for a branch.",
        "           callboard sync sends it.",
    ]


def test_the_title_is_the_cached_one(said: Said, place: Path) -> None:
    git(place, "switch", "--quiet", "--create", "me/6-mine")
    assert said("here", "--title")[2] == (
        "callboard: the card #6 is not cached.\n           callboard sync reads it.\n"
    )
    said("sync")
    assert said("here", "--title") == (0, "Mine\n", "")
    code, _, beside = said("here", "open", "--title")
    assert (code, "not allowed with" in beside) == (2, True)


def test_the_branch_of_a_card_is_chosen() -> None:
    task = Task(12, 1, 1, "Fix login")

    def chosen(branch: str, *branches: str, remote: tuple[str, ...] = ()) -> Switch:
        there = Repository(branch, [*map(Branch, branches)], remote)
        return switch_to_branch_of(task, SLUGS, there)

    create = ("switch", "--no-track", "--create", "12-fix-login")
    assert chosen("main", "main", "121-fix-login").arguments == create
    assert chosen("", remote=("origin/12-fix-login-2",)).arguments == create
    assert chosen("me/12-x", "12-fix-login").arguments == ()
    assert chosen("main", "12-x", "12-fix-login").arguments == ("switch", "12-fix-login")
    assert chosen("main", "12-x", "12-y").branch == "12-x", "the one with the newest commit"
    assert chosen("main", "-f/12-x").arguments == create, "never an option"
    guessed = chosen("main", remote=("origin/12-fix-login",))
    assert guessed.arguments == ("switch", "--guess", "12-fix-login")
    elsewhere = Repository("main", [Branch("12-x", "/far\x1b[31m")])
    with pytest.raises(CallboardError, match=r"checked out in /far\.$"):
        switch_to_branch_of(task, SLUGS, elsewhere)
