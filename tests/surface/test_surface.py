"""The command that draws the pictures of the design."""

from pathlib import Path

import pytest

from tests.surface.__main__ import PAIRS, main, views


def test_every_picture_of_the_design_is_there() -> None:
    """In both usual sizes where nothing else is asked for."""
    names = set(views())
    both = {name.removesuffix("_120x36") for name in names if name.endswith("_120x36")} & {
        name.removesuffix("_80x24") for name in names if name.endswith("_80x24")
    }
    assert {"board_d3", "board_lift", "find", "insight", "mywork", "state_conflict"} <= both
    assert {"state_offline", "state_refused", "task", "task_comment", "standup_walk"} <= both
    assert {"board_40x15", "standup_walk_200x50", "standup_walk_nocolor_120x36"} <= names
    assert len(names) == 100, "write down here how many pictures there are, if that is right"


def test_a_picture_is_written_below_its_mock_up(tmp_path: Path) -> None:
    (tmp_path / "empty_no_boards_80x24.txt").write_text("as it was drawn\n", "utf-8")
    into = tmp_path / "into"
    assert main(["--into", str(into), "--pairs", str(tmp_path), "empty_no_boards"]) == 0
    text = (into / "empty_no_boards_80x24.txt").read_text("utf-8")
    assert "No boards yet" in text
    assert (into / "empty_no_boards_120x36.svg").read_text("utf-8").startswith("<svg")
    pairs = (into / PAIRS).read_text("utf-8")
    assert f"mock-up\nas it was drawn\n-- empty_no_boards_80x24: program\n{text}" in pairs
    assert "empty_no_boards_120x36: mock-up\n(there is no mock-up)" in pairs


def test_what_nobody_drew_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert "--into" in capsys.readouterr().err
