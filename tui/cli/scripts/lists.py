"""`boards` and `tasks`: lists of boards and cards, from the cache alone if that is current.

They need neither the store nor the service then, whose modules take several times as long as the
rows.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from tui.cli.output import say_beside, write, write_json
from tui.cli.scripts.chosen import named_boards
from tui.cli.scripts.documents import board_document, card_document
from tui.cli.table import BAD, BOLD, NAME, Cell, Colored, TableColumn, print_table
from tui.config.paths import Places, system_login
from tui.config.settings import chosen_name, load_settings
from tui.model.board import Board, BoardView
from tui.model.ids import numbered
from tui.model.people import Account
from tui.model.query.language import QueryContext, check, name_of_label
from tui.model.query.matching import filtered
from tui.model.query.terms import TermKind
from tui.model.relations import Relations
from tui.model.task import Priority, Task
from tui.service.database.change_counts import ChangeCounts, count_of
from tui.store.cache.current import current_cache
from tui.store.files.waiting_changes import is_settled
from tui.text.dates import customs, relative, wall_clock
from tui.widgets.glyphs import DONE

if TYPE_CHECKING:
    from tui.cli.scripts.opened import Opened

_BOARDS = (
    TableColumn("Id", is_number=True),
    TableColumn("Board", is_wide=True),
    TableColumn("Open", is_number=True),
    TableColumn("Closed", is_number=True),
    TableColumn("Type"),
)
_CARDS = (
    TableColumn("Card", is_number=True),
    TableColumn("Title", is_wide=True),
    *map(TableColumn, ("Stage", "Board", "Due", "Priority", "Assignees", "Labels")),
)
Card = tuple[Task, BoardView]
"""A card with its board."""


class CurrentBoards(NamedTuple):
    """The boards that are not archived, newest first, and the contents of the wanted ones."""

    me: Account
    boards: Sequence[Board]
    views: Sequence[BoardView]
    relations: Relations


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
            return (
                CurrentBoards(Account(login), boards, views, cache.relations()) if boards else None
            )
    except sqlite3.Error:
        return None


def list_boards(profile: str, *, only_ids: bool, as_json: bool) -> int:
    """Print the boards, with `only_ids` nothing else of them."""
    show = partial(_print_boards, only_ids=only_ids, as_json=as_json)
    if current := current_boards(profile, lambda _: ()):
        return show(current.boards)
    from tui.cli.scripts.board_counts import without_templates
    from tui.cli.scripts.opened import How, run_opened

    async def read(opened: "Opened") -> int:
        await opened.connect()
        boards = await without_templates(opened.store, opened.boards())
        opened.say_problem(boards)
        return show(boards)

    return run_opened(How(profile), read)


def _print_boards(boards: Sequence[Board], *, only_ids: bool, as_json: bool) -> int:
    if as_json:
        write_json([*map(board_document, boards)])
    elif only_ids:
        write("".join(f"{board.id}\n" for board in boards))
    else:
        rows = [
            [
                numbered(board.id),
                board.title,
                str(board.tasks_count - board.completed_count),
                str(board.completed_count),
                board.type.value,
            ]
            for board in boards
        ]
        print_table(_BOARDS, rows)
    return 0


def list_tasks(
    profile: str,
    *,
    query: Sequence[str],
    view: str,
    boards: Sequence[str],
    only_ids: bool,
    as_json: bool,
) -> int:
    """Print the cards that a query or a view finds; the exit code is 1 if there are none."""
    words = " ".join(query)
    among: Callable[[Sequence[Board]], Sequence[Board]] = partial(named_boards, boards)
    in_order: Callable[[list[Card], Account], Sequence[Card]] = lambda cards, _: cards  # noqa: E731
    if view:
        # Imported only for a view, as what is not needed makes a list slower.
        from tui.cli.scripts.views import Wanted, stored_views

        words, among, in_order = Wanted.of(stored_views(profile).read(), view, words, boards).parts
    asks_for_changes = any(term.kind is TermKind.CHANGED for term in check(words).terms)
    show = partial(_print_cards, only_ids=only_ids, as_json=as_json)
    current = None if asks_for_changes else current_boards(profile, among)
    if current is not None:
        cards = cards_on(current.views, current.me, words, relations=current.relations)
        return show(in_order(cards, current.me), current.views)
    from tui.cli.scripts.opened import How, run_opened

    async def read(opened: "Opened") -> int:
        await opened.connect()
        views = await opened.views(among(opened.boards()))
        opened.say_problem([view.board for view in views])
        cards = cards_of(opened, views, words)
        return show(in_order(cards, opened.store.me), views)

    return run_opened(How(profile), read)


def cards_of(opened: "Opened", views: Sequence[BoardView], query: str) -> list[Card]:
    """The cards on these boards that a query finds; it may ask for those that others changed."""
    store = opened.store
    changed = {card for view in views for card in store.changed_by_others(view.board.id)}
    return cards_on(views, store.me, query, changed, relations=store.relations())


def cards_on(
    views: Sequence[BoardView],
    me: Account,
    query: str,
    changed: Collection[int] = (),
    *,
    relations: Relations,
) -> list[Card]:
    """The same with the user's account, and the ids of the cards that others changed."""
    about = QueryContext.of(views, me, wall_clock(), changed, relations=relations)
    terms = check(query, about)
    return [(task, view) for view in views for task in filtered(view, terms, about).all_tasks()]


def _print_cards(
    cards: Sequence[Card], views: Sequence[BoardView], *, only_ids: bool, as_json: bool
) -> int:
    if as_json:
        write_json([card_document(task, view) for task, view in cards])
    elif only_ids:
        write("".join(f"{task.id}\n" for task, _ in cards))
    elif cards:
        print_table(_CARDS, [*_rows(cards, views)])
    else:
        say_beside("callboard: no cards found.")
    return int(not cards)


def _rows(cards: Sequence[Card], views: Sequence[BoardView]) -> Iterator[Sequence[Cell]]:
    now, is_one_board = wall_clock(), len(views) == 1
    stages = {stage.id: stage.title for view in views for stage in view.stages}
    for task, view in cards:
        is_closed, due = task.is_closed, task.due_at
        # Most cards have the low priority, which says nothing.
        priority = "" if task.priority is Priority.LOW else task.priority.value
        yield (
            numbered(task.id),
            f"{DONE} {task.title}" if is_closed else task.title,
            stages.get(task.stage_id or 0, ""),
            "" if is_one_board else view.board.title,
            "" if is_closed or not due else Colored(relative(due, now), BAD if due < now else ""),
            Colored(priority, BOLD) if task.priority is Priority.HIGH else priority,
            ", ".join([person.login or person.name for person in task.assignees]),
            Colored(", ".join(map(name_of_label, task.labels)), NAME) if task.labels else "",
        )
