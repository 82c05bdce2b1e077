"""`callboard status`: what is due, mentions and pending changes in a line, from the cache alone.

What was read in the inbox counts no more. The file of the inbox is read as it is: what its modules
import takes several times as long.
"""

import re
import sys
from collections.abc import Collection
from datetime import datetime

from tui.cli.cached_profile import CachedProfile
from tui.cli.output import say, write_json
from tui.store.files.cached import Cached, open_cached
from tui.store.files.waiting_changes import waiting_changes

_PARTS = {
    "due_today": "due today",
    "overdue": "overdue",
    "mentions": "mention",
    "pending": "pending",
    "unread": "unread",
}
"""The numbers and their words, of which “mention” has a plural."""
_PLACE = re.compile(rf"\{{({'|'.join(_PARTS)})(?::([^{{}}]*))?\}}")


def print_status(profile: str, template: str, *, as_json: bool) -> int:
    """Print the numbers of a profile that are not 0; on a terminal say so if all are."""
    chosen = CachedProfile.find(profile)
    entries = chosen.inbox_entries
    read = {entry["comment"] for entry in entries if "read_at" in entry and "comment" in entry}
    with open_cached(chosen.places.cache, chosen.name) as cached:
        numbers = _numbers(cached, chosen, datetime.now().astimezone().replace(tzinfo=None), read)
    numbers["pending"] = waiting_changes(chosen.places.data, chosen.name)
    numbers["unread"] = sum("read_at" not in entry for entry in entries)
    if as_json:
        write_json(numbers)
    elif template:
        say(_PLACE.sub(lambda place: _filled(numbers[place[1]], place[2]), template))
    elif any(numbers.values()):
        say(" · ".join(_in_words(name, count) for name, count in numbers.items() if count))
    elif sys.stdout.isatty():
        say("nothing is due or pending")
    return 0


def _numbers(
    cached: Cached, profile: CachedProfile, now: datetime, read: Collection[object]
) -> dict[str, int]:
    # A card counts as in my work of the program: overdue, or else due today.
    own_ids = cached.own_ids(profile.login, profile.user_id)
    dates = cached.due_dates(own_ids, now.date())
    return {
        "due_today": sum(date >= now and date.date() == now.date() for date in dates),
        "overdue": sum(date < now for date in dates),
        "mentions": cached.mentions(own_ids, read),
    }


def _in_words(name: str, count: int) -> str:
    return f"{count} {_PARTS[name]}{'s' if name == 'mentions' and count > 1 else ''}"


def _filled(number: int, text: str | None) -> str:
    if text is None:
        return str(number)
    return f"{number}{text}" if number else ""
