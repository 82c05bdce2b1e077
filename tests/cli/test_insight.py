"""`callboard insight`: printed as text and for programs, with and without a service."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from tui.cli.main import main
from tui.config.paths import HOME_VARIABLE, Places
from tui.screens.lists.insight_rows import day_of
from tui.text.dates import wall_clock
from tui.workspace import Workspace

_PROFILE = '[profiles.work]\nurl = "https://example.org/x/v2"\nlogin = "me"\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with the board Website, on which a card of two was closed."""
    monkeypatch.setenv("LOGNAME", "me")
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    monkeypatch.delenv("CALLBOARD_PROFILE", raising=False)
    asyncio.run(_make(Places.find({HOME_VARIABLE: str(tmp_path)})))
    return tmp_path


async def _make(places: Places) -> None:
    places.make()
    (places.data / "tour").write_text("made", encoding="utf-8")
    workspace = Workspace.open(places)
    await workspace.connect()
    remote = await workspace.store.service()
    board = await remote.create_board("Website", "", "to-do")
    number, stages = board["id"], [stage["id"] for stage in board["stages"]]
    card = await remote.create_task(number, stages[0], "One", "high")
    await remote.create_task(number, stages[0], "Two", "high")
    await remote.move_task(number, card["id"], stages[2], 1)
    await workspace.aclose()


def test_figures_are_printed_as_text_and_for_programs(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["--ascii", "insight", "--board", "web", "--weeks", "2"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    lines = told.out.splitlines()
    assert lines[0] == "Website, 2 weeks, all is known"
    assert lines[2:4] == [
        f"1 closed per week  since {day_of(wall_clock().date())}",
        "- median cycle time  fewer than 5 closed cards",
    ]
    assert lines[4].split() == ["1", "open", "1", "of", "them", "in", "Open"]
    area = lines.index("Cards in each stage") + 1
    assert [line.split()[-3:] for line in lines[area : area + 3]] == [
        ["Open", "1", "+1"], ["Progress", "0", "."], ["Completed", "1", "+1"],
    ]  # fmt: skip
    ages = lines.index("Age of open cards") + 2
    assert lines[ages].split()[:2] == ["Open", "1"]
    week = lines.index("Closed each week, from Monday") + 1
    assert [line.split()[-1] for line in lines[week : week + 2]] == ["1", "0"]
    assert told.out.isascii()

    assert main(["insight", "--json", "--weeks", "2"]) == 0
    (board,) = json.loads(capsys.readouterr().out)["boards"]
    assert board["board"]["title"] == "Website"
    assert [one["cards"][-1] for one in board["stages"]] == [1, 0, 1]
    assert [one["cards"] for one in board["closed"]] == [0, 1]
    assert [one["is_known"] for one in board["closed"]] == [True, True]
    assert board["is_complete"] is True

    assert main(["insight", "--board", "nowhere"]) == 1
    assert "no board is called “nowhere”" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["insight", "--weeks", "0"])
    assert "a number from 1 to 57" in capsys.readouterr().err

    (home / "config").mkdir()
    (home / "config" / "config.toml").write_text(_PROFILE, encoding="utf-8")
    assert main(["-p", "work", "insight"]) == 1
    assert "no password for the profile work" in capsys.readouterr().err
    for folder in ("cache", "data"):
        for file in (home / folder / "embedded").glob("*.sqlite3*"):
            shutil.copy(file, home / folder / "work")
    assert main(["-p", "work", "insight", "--weeks", "1"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("Website, 1 week, all is known")
    assert "As of " in told.err
