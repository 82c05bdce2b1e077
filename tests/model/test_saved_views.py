"""Saved views: a table that was written is read as the same view; nothing else is one."""

import json
import tomllib
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import example, given, strategies as st

from tui.errors import CallboardError
from tui.model.work.saved_view import (
    FIRST_VIEWS,
    LONGEST_NAME,
    MOST_VIEWS,
    NotAView,
    SavedView,
    ViewColumn,
    ViewGroup,
    ViewSort,
    checked,
    joined,
    view_named,
    view_of,
    views_in,
    views_of,
)
from tui.text import clean

NAMES = st.text("abcÄß 1“\"'\\", min_size=1, max_size=LONGEST_NAME).filter(str.strip)
QUERIES = st.sampled_from(["", "@me is:open", 'label:"a b" -stage:Done', "due:week", "#12 ü"])
VIEWS = st.builds(
    SavedView,
    NAMES,
    QUERIES,
    st.lists(st.integers(-(2**53), 2**53), unique=True, max_size=4).map(tuple),
    st.sampled_from(ViewGroup),
    st.sampled_from(ViewSort),
    st.booleans(),
    st.lists(st.sampled_from(ViewColumn), unique=True).map(tuple),
).map(checked)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


T = TypeVar("T")


def _read(read: Callable[[], T]) -> tuple[T | None, str]:
    """What was read, or why nothing was."""
    try:
        return read(), ""
    except NotAView as error:
        return None, error.message


@given(VIEWS)
def test_a_view_that_was_written_is_read_as_the_same(view: SavedView) -> None:
    assert view_of(json.loads(json.dumps(view.table()))) == view


@given(st.lists(VIEWS, max_size=4, unique_by=lambda view: view.name.casefold()))
def test_several_views_keep_their_order(views: list[SavedView]) -> None:
    assert views_of([view.table() for view in views]) == tuple(views)
    assert joined(views, views) == tuple(views)


@example("\U0001239a")  # a letter of a later Unicode than Python's
@given(st.dictionaries(st.sampled_from([*FIRST_VIEWS[0].table(), "other"]), VALUES) | VALUES)
def test_any_other_table_is_refused_in_words(table: object) -> None:
    view, why = _read(lambda: view_of(table))
    assert clean.line(why) == why
    assert bool(why) != (view is not None and view_of(view.table()) == view)


@given(st.text() | st.sampled_from(["[[views]]", "views = 3", "[[views]]\nname = 'a'\nsort = 'x'"]))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    views, why = _read(lambda: views_in(text))
    assert clean.line(why) == why
    assert bool(why) != (
        views is not None and len(views) == len(tomllib.loads(text).get("views", []))
    )


@pytest.mark.parametrize(
    ("view", "why"),
    [
        (SavedView("  "), "Name is required"),
        (SavedView("x" * 41), "Too long"),
        (SavedView("my  WORK"), "already"),
        (SavedView("a", "due:never"), "due: must be one of"),
        (SavedView("a\x1b[1m"), "control characters"),
    ],
)
def test_what_a_form_refuses(view: SavedView, why: str) -> None:
    with pytest.raises(CallboardError) as caught:
        checked(view, ["My work"])
    assert why in caught.value.message


def test_there_is_a_limit() -> None:
    views = [SavedView(f"v{number}") for number in range(MOST_VIEWS)]
    with pytest.raises(NotAView, match="Too many"):
        joined(views, [SavedView("one more")])


def test_a_view_is_named_by_the_begin_of_its_name() -> None:
    views = (*FIRST_VIEWS, SavedView("Due"), SavedView("Bugs"))
    assert view_named(views, "due").name == "Due"
    assert view_named(views, " my ").name == "My work"
    with pytest.raises(NotAView, match="no view") as caught:
        view_named(views, "bog")
    assert caught.value.hint == "Views: My work, Due this week, Due, Bugs."
    with pytest.raises(NotAView, match="several"):
        view_named((SavedView("ab"), SavedView("ac")), "a")


def test_sorting_by_the_same_again_reverses() -> None:
    by_title = FIRST_VIEWS[0].sorted_by(ViewSort.TITLE)
    assert (by_title.sort, by_title.is_reversed) == (ViewSort.TITLE, False)
    assert by_title.sorted_by(ViewSort.TITLE).is_reversed
    assert not by_title.sorted_by(ViewSort.TITLE).sorted_by(ViewSort.DUE).is_reversed
