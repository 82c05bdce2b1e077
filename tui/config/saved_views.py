"""The saved views of a profile, in its preferences, and as TOML that a team can copy."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tui.config.preferences import ALL_BOARDS, Preferences
from tui.config.settings_writing import literal
from tui.model.work.saved_view import FIRST_VIEWS, NotAView, SavedView, checked, joined, views_of

_VIEWS = "views"
"""The name of the saved views, for all boards."""


class StoredViews(NamedTuple):
    """The views of a profile; `broken` are what is stored among them and is no view, as it is."""

    views: tuple[SavedView, ...]
    broken: tuple[Any, ...] = ()
    problem: str = ""

    @classmethod
    def of(cls, tables: Sequence[Any] | None) -> "StoredViews":
        """The views in what was stored; the first ones if nothing was."""
        if tables is None:
            return cls(FIRST_VIEWS)
        views: list[SavedView] = []
        broken, problem = list[Any](), ""
        for table in tables:
            try:
                (view,) = views_of([table])
                views.append(checked(view, [other.name for other in views]))
            except NotAView as error:
                broken.append(table)
                problem = problem or error.message
        return cls(tuple(views), tuple(broken), problem)

    @property
    def tables(self) -> list[Any]:
        """What to store: what is no view stays as it is, so that it can be mended by hand."""
        return [*(view.table() for view in self.views), *self.broken]


class ViewStore:
    """Reads and changes the saved views; other programs may do so too."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences

    def read(self) -> StoredViews:
        """The views as they are stored now, perhaps by another program."""
        self._preferences.read()
        return StoredViews.of(self._preferences.tables(ALL_BOARDS, _VIEWS))

    def put(self, view: SavedView, previous: str = "") -> SavedView:
        """Store a view in the place of the one of a previous name, or as the last one.

        Raises `NotAView` and `NotAQuery` if that cannot be.
        """
        view = checked(view, [other.name for other in self.read().views if other.name != previous])

        def change(views: tuple[SavedView, ...]) -> tuple[SavedView, ...]:
            if any(other.name == previous for other in views):
                return tuple(view if other.name == previous else other for other in views)
            return joined(views, [view])

        self._change(change)
        return view

    def add(self, views: Sequence[SavedView]) -> None:
        """Store views, each in place of the one of its name. Raises `NotAView` if too many."""
        self._change(lambda stored: joined(stored, views))

    def remove(self, name: str) -> None:
        """Remove the view of this name."""
        self._change(lambda views: tuple(view for view in views if view.name != name))

    def _change(self, change: Callable[[tuple[SavedView, ...]], tuple[SavedView, ...]]) -> None:
        stored = self.read()
        changed = stored._replace(views=change(stored.views))
        self._preferences.keep(ALL_BOARDS, **{_VIEWS: changed.tables})


def in_toml(views: Sequence[SavedView], titles: Mapping[int, str]) -> Iterator[str]:
    """The lines of a file with these views; the titles of boards are comments."""
    for view in views:
        yield "[[views]]"
        for name, value in view.table().items():
            comment = ""
            if name == "boards":
                named = ", ".join(
                    titles[board_id] for board_id in view.boards if board_id in titles
                )
                comment = f"  # {named}" if named else "" if view.boards else "  # all boards"
            yield f"{name} = {literal(value)}{comment}"
        yield ""
