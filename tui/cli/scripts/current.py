"""The boards of the embedded service from the cache alone, where its file says they are current.

A list of boards or cards then needs neither the store nor the service, whose modules take several
times as long as the rows.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import NamedTuple

from tui.config.paths import Places, system_login
from tui.config.settings import chosen_name, load_settings
from tui.model.board import Board, BoardView
from tui.model.people import Account
from tui.service.database.change_counts import ChangeCounts, count_of
from tui.store.cache.current import current_cache
from tui.store.files.waiting_changes import is_settled
from tui.text.dates import customs


class CurrentBoards(NamedTuple):
    """The boards that are not archived, newest first, and the contents of the wanted ones."""

    me: Account
    boards: Sequence[Board]
    views: Sequence[BoardView]


def current_boards(
    profile: str, wanted: Callable[[Sequence[Board]], Sequence[Board]]
) -> CurrentBoards | None:
    """The boards of a profile, the default one without a name, and of those the wanted ones whole.

    None if the store has to be opened for them: to send changes, to ask another service than the
    embedded one, because some of it is not in the cache or has changed since, or to say what is
    wrong with the files. Raises what `load_settings` and `wanted` raise.
    """
    places = Places.find()
    settings = load_settings(places.settings)
    customs.set(settings.customs)
    named = settings.profile(chosen_name(profile, settings))
    if not (named.is_embedded and is_settled(places.data, named.name)):
        return None
    login = system_login()
    counts = ChangeCounts.open(places.boards, login)
    if counts is None:
        return None
    try:
        # The counters are read after the cache, so that what they confirm is in it.
        with closing(counts), current_cache(places.cache / named.name / "cache.sqlite3") as cache:
            version = counts.of_all()
            if cache is None or not version or version != cache.list_version():
                return None
            boards = cache.boards()
            views = []
            for board in wanted(boards):
                count, view = count_of(cache.synced_at(board.id)), cache.view(board.id)
                if view is None or count is None or count != counts.of_board(board.id):
                    return None
                views.append(view)
            return CurrentBoards(Account(login), boards, views) if boards else None
    except sqlite3.Error:
        return None
