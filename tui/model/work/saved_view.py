"""A saved view: which cards of which boards, how they are grouped and sorted, and its columns.

Views are kept as tables of plain values, as JSON in the preferences and as TOML for people. A table
that was written here and is read again is the same view.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, TypeVar

from tui.errors import CallboardError
from tui.model.query.language import NotAQuery, check
from tui.record import record
from tui.text.clean import line, quoted

LONGEST_NAME = 40
MOST_VIEWS = 50
_LONGEST_QUERY = 4_000
_LARGEST_ID = 2**63


class ViewGroup(StrEnum):
    """What the cards of a view are grouped by."""

    DUE = "due"
    STAGE = "stage"
    BOARD = "board"
    PERSON = "person"
    LABEL = "label"
    NONE = "none"


class ViewSort(StrEnum):
    """What the cards within a group are sorted by."""

    DUE = "due"
    PRIORITY = "priority"
    AGE = "age"
    UPDATED = "updated"
    TITLE = "title"


class ViewColumn(StrEnum):
    """A column beside the number and the title, which are always shown."""

    BOARD = "board"
    WHO = "who"
    DUE = "due"
    AGE = "age"
    LABELS = "labels"
    START = "start"
    UPDATED = "updated"
    PRIORITY = "priority"


USUAL_COLUMNS = (
    ViewColumn.BOARD,
    ViewColumn.WHO,
    ViewColumn.DUE,
    ViewColumn.AGE,
    ViewColumn.LABELS,
)


class NotAView(CallboardError):
    """A text or table that is no view; the message says what is wrong with it."""


@record
class SavedView:
    """A view by its name; of all boards if it has no `boards`."""

    name: str
    query: str = ""
    boards: tuple[int, ...] = ()
    group: ViewGroup = ViewGroup.DUE
    sort: ViewSort = ViewSort.DUE
    is_reversed: bool = False
    columns: tuple[ViewColumn, ...] = USUAL_COLUMNS

    def sorted_by(self, sort: ViewSort) -> "SavedView":
        """The view sorted by something else; in reverse if it is sorted by that already."""
        if sort is self.sort:
            return replace(self, is_reversed=not self.is_reversed)
        return replace(self, sort=sort, is_reversed=False)

    def table(self) -> dict[str, Any]:
        """The view as plain values, all of them."""
        return {
            "name": self.name,
            "query": self.query,
            "boards": list(self.boards),
            "group": self.group.value,
            "sort": self.sort.value,
            "reversed": self.is_reversed,
            "columns": [column.value for column in self.columns],
        }


FIRST_VIEWS = (
    SavedView("My work", "@me is:open"),
    SavedView("Due this week", "due:overdue due:week is:open"),
)
"""The views that are there before any is saved."""

_KEYS = tuple(FIRST_VIEWS[0].table())
_Choice = TypeVar("_Choice", bound=StrEnum)


def checked(view: SavedView, others: Iterable[str] = ()) -> SavedView:
    """The view with blanks around its texts removed. Raises `NotAView`, `NotAQuery`.

    `others` are the names of the other views.
    """
    name, query = " ".join(view.name.split()), view.query.strip()
    if not name:
        raise NotAView("Name is required.")
    if len(name) > LONGEST_NAME:
        raise NotAView(f"Too long: a name has at most {LONGEST_NAME} characters.")
    if name != line(name):
        raise NotAView("A name cannot have control characters.")
    if name.casefold() in {other.casefold() for other in others}:
        raise NotAView(f"There is a view {quoted(name)} already.")
    if len(query) > _LONGEST_QUERY:
        raise NotAView(f"Too long: a filter has at most {_LONGEST_QUERY} characters.")
    check(query)
    return replace(view, name=name, query=query)


def view_of(table: object) -> SavedView:
    """The view that a table of plain values is. Raises `NotAView`."""
    if not isinstance(table, Mapping):
        raise NotAView(f"A view is a table, not {_short(table)}.")
    name = table.get("name")
    if not isinstance(name, str):
        raise NotAView("A view needs a name, which is a text.")
    where = f"View {quoted(line(name)[:LONGEST_NAME])}"
    if unknown := [key for key in table if key not in _KEYS]:
        raise NotAView(f"{where}: unknown key {_short(unknown[0])}. Keys: {', '.join(_KEYS)}.")
    query, is_reversed = table.get("query", ""), table.get("reversed", False)
    if not isinstance(query, str):
        raise NotAView(f"{where}: query must be a text.")
    if not isinstance(is_reversed, bool):
        raise NotAView(f"{where}: reversed must be true or false.")
    view = SavedView(
        name,
        query,
        _ids(where, table.get("boards", [])),
        _choice(where, "group", ViewGroup, table.get("group", ViewGroup.DUE.value)),
        _choice(where, "sort", ViewSort, table.get("sort", ViewSort.DUE.value)),
        is_reversed,
        _columns(where, table.get("columns", list(USUAL_COLUMNS))),
    )
    try:
        return checked(view)
    except (NotAView, NotAQuery) as error:
        raise NotAView(f"{where}: {error.message.splitlines()[0]}") from error


def views_of(tables: object) -> tuple[SavedView, ...]:
    """The views of a list of tables. Raises `NotAView` for the first one that is none."""
    if not isinstance(tables, list):
        raise NotAView("Views are a list of tables: [[views]].")
    if len(tables) > MOST_VIEWS:
        raise NotAView(f"Too many: {len(tables)} of {MOST_VIEWS} views.")
    views: list[SavedView] = []
    for table in tables:
        view = view_of(table)
        views.append(checked(view, [other.name for other in views]))
    return tuple(views)


def views_in(text: str) -> tuple[SavedView, ...]:
    """The views in a text of TOML, each below [[views]]. Raises `NotAView`."""
    # Imported only here, as few programs read such a text.
    import tomllib

    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotAView(f"This is not TOML: {line(str(error))}.") from error
    if unknown := [key for key in values if key != "views"]:
        raise NotAView(f"Unknown key {_short(unknown[0])}: views are below [[views]].")
    return views_of(values.get("views", []))


def joined(views: Sequence[SavedView], added: Iterable[SavedView]) -> tuple[SavedView, ...]:
    """The views with others that take the place of those of their names, or follow."""
    by_name = {view.name.casefold(): view for view in views}
    by_name.update((view.name.casefold(), view) for view in added)
    if len(by_name) > MOST_VIEWS:
        raise NotAView(f"Too many: {len(by_name)} of {MOST_VIEWS} views.")
    return tuple(by_name.values())


def view_named(views: Sequence[SavedView], typed: str) -> SavedView:
    """The view with this name, else the only one whose name begins with it. Raises `NotAView`."""
    wanted = " ".join(typed.split()).casefold()
    same = [view for view in views if view.name.casefold() == wanted]
    begun = [view for view in views if wanted and view.name.casefold().startswith(wanted)]
    if len(found := same or begun) == 1:
        return found[0]
    names = ", ".join(view.name for view in views)
    problem = "several views begin with" if found else "no view"
    raise NotAView(f"{problem} {quoted(line(typed))}.", hint=f"Views: {names}.")


def _ids(where: str, value: object) -> tuple[int, ...]:
    ids = value if isinstance(value, list) else [None]
    # By its type, as True is an int too.
    if any(type(number) is not int or abs(number) >= _LARGEST_ID for number in ids):
        raise NotAView(f"{where}: boards must be a list of numbers of boards.")
    return tuple(dict.fromkeys(ids))


def _choice(where: str, key: str, choices: type[_Choice], value: object) -> _Choice:
    for choice in choices:
        if value == choice.value:
            return choice
    raise NotAView(f"{where}: {key} must be one of {', '.join(choices)}, not {_short(value)}.")


def _columns(where: str, value: object) -> tuple[ViewColumn, ...]:
    if not isinstance(value, list):
        raise NotAView(f"{where}: columns must be a list.")
    columns = [_choice(where, "a column", ViewColumn, name) for name in value]
    return tuple(dict.fromkeys(columns))


def _short(value: object) -> str:
    return quoted(line(str(value))[:LONGEST_NAME])
