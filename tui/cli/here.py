"""`callboard here` and `hook`: the card of the current git branch, for people, prompts and commits.

What is printed of it without a connection imports little, as prompts and commits wait for it.
"""

import sys
from functools import partial
from pathlib import Path

from tui.cli.cached_profile import CachedProfile
from tui.cli.git import repository
from tui.cli.output import say
from tui.config.paths import Places
from tui.config.settings import load_settings
from tui.errors import CallboardError
from tui.store.files.cached import open_cached

_HOOK = """\
#!/bin/sh
# Adds the card of the branch to the message of a commit, as a trailer such as "Card: #12".
# It is a commit-msg hook: git runs it once the message is written.
case "$0" in
    *prepare-commit-msg*)
        echo "callboard: this hook belongs into the file commit-msg beside $0" >&2
        exit 0 ;;
esac
command -v callboard >/dev/null || exit 0
callboard hook "$1" || :
"""


def here(
    profile: str, stage: str | None, *, shown: str, as_json: bool, is_quiet: bool, is_dry: bool
) -> int:
    """Print the card of the current git branch, or move it to a stage.

    If only its title is to be shown, it is that which is cached, and the trailer needs no card.
    """
    if stage is not None:
        repository.check_repository()
    number = _card_of_branch()
    if shown:
        say(_trailer(number) if shown == "trailer" else _cached_title(profile, number))
        return 0
    from tui.cli.scripts.changing import move
    from tui.cli.scripts.opened import How, run_opened
    from tui.cli.scripts.reading import show
    from tui.cli.scripts.writing import run_plan

    how, card = How(profile, as_json, is_quiet, is_dry), f"#{number}"
    if stage is None:
        return run_opened(how, partial(show, card=card, board=""))
    return run_plan(how, partial(move, card=card, stage=stage, end="", board="", source=""))


def _cached_title(profile: str, number: int) -> str:
    chosen = CachedProfile.find(profile)
    with open_cached(chosen.places.cache, chosen.name) as cached:
        title = cached.title_of(number)
    if title is None:
        raise CallboardError(f"the card #{number} is not cached.", hint="callboard sync reads it.")
    return title


def hook(file: Path | None) -> int:
    """Print a hook for git, or do what it is for: add the card of the branch to a message."""
    if file is None:
        sys.stdout.write(_HOOK)
        return 0
    from tui.cli.git.commit_message import add_trailer

    try:
        number = _card_of_branch()
    except CallboardError:  # most commits are about none, and some branches
        return 0
    add_trailer(file, _trailer(number))
    return 0


def _card_of_branch() -> int:
    return repository.card_at_branch(load_settings(Places.find().settings).branch_name)


def _trailer(number: int) -> str:
    return f"Card: #{number}"
