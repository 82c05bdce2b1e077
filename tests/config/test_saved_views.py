"""The saved views in the preferences: what is stored is read, and what is no view is not lost."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.model.test_saved_views import VALUES, VIEWS
from tui.config.preferences import Preferences
from tui.config.saved_views import StoredViews, ViewStore, in_toml
from tui.model.work.saved_view import FIRST_VIEWS, NotAView, SavedView, ViewSort, views_in


@given(st.lists(VIEWS, max_size=3, unique_by=lambda view: view.name.casefold()), st.lists(VALUES))
def test_what_is_no_view_stays_as_it_is(views: list[SavedView], broken: list[Any]) -> None:
    tables = [*(view.table() for view in views), *broken]
    stored = StoredViews.of(tables)
    assert stored.views == tuple(views)
    assert stored.tables == tables
    assert bool(stored.problem) == bool(broken)


@given(st.lists(VIEWS, max_size=3, unique_by=lambda view: view.name.casefold()))
def test_views_written_as_toml_are_read_as_the_same(views: list[SavedView]) -> None:
    titles = {board_id: "Ops # “1”" for view in views for board_id in view.boards}
    assert views_in("\n".join(in_toml(views, titles))) == tuple(views)


def test_the_first_views_are_there_until_others_are_stored(tmp_path: Path) -> None:
    preferences = Preferences(tmp_path / "preferences.json")
    preferences.read()
    store = ViewStore(preferences)
    assert store.read().views == FIRST_VIEWS
    bugs = store.put(SavedView(" Bugs ", "label:bug", boards=(-5,)))
    assert [view.name for view in store.read().views] == ["My work", "Due this week", "Bugs"]
    # Another program adds one, and a board gets its id.
    other = Preferences(tmp_path / "preferences.json")
    other.read()
    ViewStore(other).add([SavedView("Docs")])
    preferences.renamed({-5: 12})
    store.put(bugs.sorted_by(ViewSort.TITLE), "Bugs")
    store.remove("My work")
    assert [view.name for view in store.read().views] == ["Due this week", "Bugs", "Docs"]
    with pytest.raises(NotAView, match="already"):
        store.put(SavedView("docs"), "Bugs")
    written = json.loads((tmp_path / "preferences.json").read_text())
    assert written["0"]["views"][1]["sort"] == "title"


def test_all_views_may_be_removed() -> None:
    store = ViewStore(Preferences())
    for view in FIRST_VIEWS:
        store.remove(view.name)
    assert store.read().views == ()
