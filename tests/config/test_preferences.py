"""What a person has set while using the program: kept, and never needed."""

import os
from pathlib import Path

import pytest

from tui.config.preferences import ALL_BOARDS, RECENT_BOARDS, STANDUP_BOARDS, Preferences


def test_what_is_kept_is_there_the_next_time(tmp_path: Path) -> None:
    file = tmp_path / "data" / "preferences.json"
    Preferences(file).keep(3, density=2, filter="label:bug", collapsed=frozenset({4, 5}))
    again = Preferences(file)
    assert again.number(3, "density", 1) == 2
    assert again.text(3, "filter") == "label:bug"
    assert again.numbers(3, "collapsed") == {4, 5}
    assert again.number(9, "density", 1) == 1


def test_numbers_by_id_are_kept_and_what_is_damaged_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    Preferences(file).keep(3, limits={7: 4, -2: 5})
    assert Preferences(file).numbers_by_id(3, "limits") == {7: 4, -2: 5}
    file.write_text('{"3": {"limits": {"7": "x", "y": 2, "8": 1}, "other": 5}}', encoding="utf-8")
    assert Preferences(file).numbers_by_id(3, "limits") == {8: 1}
    assert Preferences(file).numbers_by_id(3, "other") == {}


def test_one_value_is_put_beside_those_of_other_programs(tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    kept, others = Preferences(file), Preferences(file)
    others.put(3, "limits", -2, 5)
    others.put(3, "filters", "theirs", "@bob")
    kept.put(3, "limits", 7, 4)
    kept.put(3, "filters", "mine", "@ann")
    others.put(3, "filters", "theirs", None)
    others.put(3, "filters", "never saved", None)
    again = Preferences(file)
    assert again.numbers_by_id(3, "limits") == {-2: 5, 7: 4}
    assert again.texts_by_name(3, "filters") == {"mine": "@ann"}


def test_the_latest_choices_are_kept_in_their_order(tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    kept = Preferences(file)
    for chosen in (["1"], ["2", "3"], ["1"], ["4", "5", "6"]):
        kept.used(3, "labels", chosen)
    assert Preferences(file).recent(3, "labels") == ["4", "5", "6", "1", "2"]
    assert Preferences(file).recent(3, "people") == Preferences(file).recent(9, "labels") == []
    file.write_text('{"3": {"recent-labels": [1, "2", null]}}', encoding="utf-8")
    assert Preferences(file).recent(3, "labels") == ["2"]


def test_a_board_made_here_stays_pinned_and_recent_under_its_assigned_id() -> None:
    kept = Preferences()
    kept.keep(ALL_BOARDS, pinned=frozenset({-5, 3}))
    kept.keep(ALL_BOARDS, **{STANDUP_BOARDS: frozenset({-6, 4})})
    kept.used(ALL_BOARDS, RECENT_BOARDS, ["-5", "4"])
    kept.renamed({-5: 9, -6: 10, 3: 12})
    assert kept.numbers(ALL_BOARDS, "pinned") == {9, 3}
    assert kept.recent(ALL_BOARDS, RECENT_BOARDS) == ["9", "4"]
    assert kept.numbers(ALL_BOARDS, STANDUP_BOARDS) == {10, 4}


def test_what_is_kept_of_a_board_made_here_follows_its_assigned_id(tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    kept = Preferences(file)
    kept.keep(-5, filter="is:open -label:bug", filters={"mine": "@ann"}, collapsed=frozenset({-7}))
    kept.keep(-5, limits={-7: 3, 8: 2})
    kept.used(ALL_BOARDS, "opened", ["board -5", "card 4"])
    kept.renamed({-5: 9, -7: 11})
    again = Preferences(file)
    assert again.text(9, "filter") == "is:open -label:bug"
    assert again.texts_by_name(9, "filters") == {"mine": "@ann"}
    assert again.numbers(9, "collapsed") == {11}
    assert again.numbers_by_id(9, "limits") == {11: 3, 8: 2}
    assert again.recent(ALL_BOARDS, "opened") == ["board 9", "card 4"]
    assert again.text(-5, "filter") == ""


def test_what_another_program_keeps_meanwhile_stays(tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    first, second = Preferences(file), Preferences(file)
    first.keep(3, filters={"mine": "@ann"})
    second.keep(4, filters={"late": "is:late"})
    second.keep(3, density=2)
    first.used(ALL_BOARDS, RECENT_BOARDS, ["3"])
    second.used(ALL_BOARDS, RECENT_BOARDS, ["4"])
    first.renamed({-5: 9})
    again = Preferences(file)
    assert again.texts_by_name(3, "filters") == {"mine": "@ann"}
    assert again.texts_by_name(4, "filters") == {"late": "is:late"}
    assert again.number(3, "density", 1) == 2
    assert again.recent(ALL_BOARDS, RECENT_BOARDS) == ["4", "3"]


def test_what_could_not_be_written_is_written_with_the_next_change(tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    kept = Preferences(file)
    kept.keep(3, density=1)
    in_the_way = tmp_path / f".preferences.json.{os.getpid()}"
    in_the_way.mkdir()
    kept.keep(3, density=2)
    assert Preferences(file).number(3, "density", 0) == 1
    in_the_way.rmdir()
    kept.keep(3, filter="is:late")
    assert Preferences(file).number(3, "density", 0) == kept.number(3, "density", 0) == 2


@pytest.mark.parametrize("text", ["", "{", "[]", '{"3": 4}', '{"3": {"density": "x"}}', "\x00"])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / "preferences.json"
    file.write_text(text, encoding="utf-8")
    kept = Preferences(file)
    assert kept.number(3, "density", 1) == 1
    kept.keep(3, density=2)
    assert Preferences(file).number(3, "density", 1) == 2


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file", encoding="utf-8")
    kept = Preferences(tmp_path / "data" / "preferences.json")
    kept.keep(3, density=2)
    assert kept.number(3, "density", 1) == 2
