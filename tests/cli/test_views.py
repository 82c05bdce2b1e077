"""Saved views on the command line: listed, printed as TOML, and added from such a text."""

import json
from pathlib import Path

from tests.cli.conftest import Said
from tui.model.work.saved_view import FIRST_VIEWS, views_in

VIEWS = """
[[views]]
name = "By name"
query = "is:open"
group = "none"
sort = "title"
reversed = true

[[views]]
name = "Platform"
boards = [3, 99]
"""


def test_views_are_printed_added_and_listed(said: Said, tmp_path: Path) -> None:
    code, printed, _ = said("settings", "views")
    assert code == 0
    assert views_in(printed) == FIRST_VIEWS
    (tmp_path / "team.toml").write_text(VIEWS, "utf-8")
    code, printed, _ = said("settings", "views", str(tmp_path / "team.toml"))
    assert (code, printed) == (0, "added the views: By name, Platform\n")
    assert [view.name for view in views_in(said("settings", "views")[1])] == [
        *("My work", "Due this week", "By name", "Platform"),
    ]
    titles = [card["title"] for card in json.loads(said("tasks", "--view", "by", "--json")[1])]
    assert titles == sorted(titles, key=str.lower, reverse=True)
    assert len(titles) > 1
    # Words beside a view narrow it, and a view of one board has its cards alone.
    assert said("tasks", "--view", "by", "#6", "-q")[1] == "6\n"
    _, all_of_board, _ = said("tasks", "--board", "platform", "-q")
    assert sorted(said("tasks", "--view", "platform", "-q")[1]) == sorted(all_of_board)


def test_what_is_no_view_is_said_and_changes_nothing(said: Said, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[[views]]\nname = 'x'\nsort = 'size'\n", "utf-8")
    code, _, told = said("settings", "views", str(tmp_path / "bad.toml"))
    assert code == 1
    assert "View “x”: sort must be one of due, priority, age, updated, title, not “size”" in told
    assert views_in(said("settings", "views")[1]) == FIRST_VIEWS
    code, _, told = said("tasks", "--view", "bugs")
    assert code == 1
    assert "no view “bugs”" in told
    assert "My work, Due this week" in told
    assert said("settings", "settings", "x.toml")[0] == 2
