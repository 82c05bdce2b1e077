"""`callboard logout`: forgets a profile; asks before something that was not sent is lost."""

import sys
from collections.abc import Sequence

from tui.cli.output import say
from tui.config.paths import Places
from tui.errors import CallboardError, CannotGoOn
from tui.profiles.logout import left_behind, log_out, profile_to_leave
from tui.text.clean import counted

_SHOWN = 20


def run(name: str, *, keeps_changes: bool, says_yes: bool) -> int:
    """Log out of a profile. Raises `CallboardError`."""
    places = Places.find()
    profile_to_leave(places, name)
    lost = () if keeps_changes else left_behind(places, name)
    if lost and not says_yes:
        keeps_changes = _keeps(name, lost)
    left = log_out(places, name, keeps_changes=keeps_changes)
    if keeps_changes:
        say(f"The password and the cache of {name} are removed; what was not sent is kept.")
        say(f"It is sent after: callboard login {name} --force")
    else:
        say(f"The profile {name} is removed, with its password and its cache.")
    if left:
        say(f"{left[:1].upper()}{left[1:]}.")
    return 0


def _keeps(name: str, lost: Sequence[str]) -> bool:
    """Ask whether what was not sent is kept. Raises `CallboardError` without a decision."""
    things = counted(len(lost), "thing")
    say(f"{things} of {name} did not reach the service:")
    for words in lost[:_SHOWN]:
        say(f"  {words}")
    if len(lost) > _SHOWN:
        say(f"  … and {len(lost) - _SHOWN} more")
    if not sys.stdin.isatty():
        raise CallboardError(
            f"{things} would be lost; nothing was changed.",
            hint="Use --keep-changes to keep them, or --yes to discard them.",
        )
    try:
        answer = input("Keep them, discard them, or cancel? [k/d/C] ").strip().lower()
    except (KeyboardInterrupt, EOFError):
        answer = ""
    if answer not in ("k", "keep", "d", "discard"):
        raise CannotGoOn("cancelled; nothing was changed.")
    return answer.startswith("k")
