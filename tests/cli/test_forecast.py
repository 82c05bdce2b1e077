"""`callboard insight --forecast`: printed as text and for programs, and why there is none."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from tui.cli.main import main
from tui.config.paths import HOME_VARIABLE, Places
from tui.model.forecast.words import day_words
from tui.text.dates import wall_clock
from tui.workspace import Workspace

_WEEKS = 8
_OPEN = 4


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a board on which two cards were closed in each of eight weeks; four are open.

    Half of each have the label “bug”.
    """
    monkeypatch.setenv("LOGNAME", "me")
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    monkeypatch.delenv("CALLBOARD_PROFILE", raising=False)
    places = Places.find({HOME_VARIABLE: str(tmp_path)})
    closed = asyncio.run(_make(places))
    today = wall_clock().date()
    # At the weekend this week is over, and counts.
    wednesday = today - timedelta(days=today.weekday() - 2 + 7 * (today.weekday() < 5))
    with closing(sqlite3.connect(places.boards)) as file, file:
        for index, card in enumerate(closed):
            at = wednesday - timedelta(weeks=index // 2)
            file.execute(
                "update activity set created_at = ? where task_id = ?", (f"{at}T12:00:00Z", card)
            )
        # Before the Monday, in every zone.
        first = wednesday - timedelta(weeks=_WEEKS - 1, days=4)
        file.execute(
            "update activity set created_at = ? where task_id is null or task_id > ?",
            (f"{first}T12:00:00Z", max(closed)),
        )
    return tmp_path


async def _make(places: Places) -> list[int]:
    places.make()
    (places.data / "tour").write_text("made", encoding="utf-8")
    workspace = Workspace.open(places)
    await workspace.connect()
    remote = await workspace.store.service()
    board = await remote.create_board("Website", "", "to-do")
    number, stages = board["id"], [stage["id"] for stage in board["stages"]]
    label = await remote.create_label(number, "bug", "#f87168", "#000000")
    cards = []
    for index in range(2 * _WEEKS + _OPEN):
        card = await remote.create_task(number, stages[0], f"Card {index}", "high")
        cards.append(card["id"])
        if index % 2:
            await remote.add_label(number, card["id"], label["id"])
    for card_id in cards[:-_OPEN]:
        await remote.move_task(number, card_id, stages[1], 1)
        await remote.move_task(number, card_id, stages[2], 1)
    await workspace.aclose()
    return cards[:-_OPEN]


def working_days(today: date) -> Iterator[date]:
    """The days from Monday to Friday from tomorrow on."""
    while True:
        today += timedelta(days=1)
        if today.weekday() < 5:
            yield today


def nth_day(count: int) -> date:
    """The working day with this number from tomorrow on."""
    days = working_days(wall_clock().date())
    return [next(days) for _ in range(count)][-1]


@pytest.mark.usefixtures("home")
def test_it_is_printed_as_text_and_for_programs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    today = wall_clock().date()
    # Two cards in each week: there is no doubt about ten working days.
    sure = day_words(nth_day(10), today)
    assert main(["insight", "--forecast", "--board", "web"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    lines = printed.out.splitlines()
    assert lines[0] == "Website"
    assert lines[2] == f"4 open cards: 50% by {sure}, 85% by {sure}, 95% by {sure}"
    assert lines[3] == "from 8 weeks, 16 cards · assumes the board gets no new cards · Mon–Fri"
    assert any(line.endswith("‹ 50%, 85%, 95%") for line in lines)
    assert [line.split()[-1] for line in lines[lines.index("Closed per week") + 1 :][:8]] == [
        "2"
    ] * 8

    assert main(["insight", "--json", "--cards", "6", "--by", f"{nth_day(15)}"]) == 0
    (board,) = json.loads(capsys.readouterr().out)["boards"]
    assert (board["open"], board["cards"], board["why_not"]) == (4, 6, "")
    assert board["closed_by"] == dict.fromkeys(("50", "85", "95"), f"{nth_day(15)}")
    assert board["by_day"] == {
        "day": f"{nth_day(15)}",
        "at_least": {"50": 6, "85": 6, "95": 6},
        "all_percent": 100.0,
    }
    assert len(board["cycles"]) == 16

    assert main(["--ascii", "insight", "--by", f"{nth_day(5)}"]) == 0
    printed = capsys.readouterr()
    words = f" {day_words(nth_day(5), today)}: 50% at least 2 cards, 85% 2, 95% 2; all 4: <1%"
    assert f"By{words}" in printed.out
    assert printed.out.isascii()


@pytest.mark.usefixtures("home")
def test_cards_of_a_filter_have_a_history_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["insight", "--forecast", "--filter", "label:bug"]) == 1
    printed = capsys.readouterr().out
    reason = "Not enough history: 8 weeks, 8 cards. A forecast needs 5 weeks and 10 cards."
    assert printed.splitlines()[:3] == ["Website, label:bug", "", reason]
    assert main(["insight", "--filter", "label:bug", "--json"]) == 1
    (board,) = json.loads(capsys.readouterr().out)["boards"]
    assert (board["open"], board["why_not"], board["closed_by"]) == (2, reason, {})
    assert main(["insight", "--forecast", "--weeks", "3"]) == 1
    assert "Not enough history: 3 weeks, 6 cards." in capsys.readouterr().out


@pytest.mark.usefixtures("home")
def test_a_view_is_forecast_from_the_closed_cards_of_its_boards(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    views = tmp_path / "team.toml"
    views.write_text('[[views]]\nname = "All open"\nquery = "is:open"\n', "utf-8")
    assert main(["settings", "views", str(views)]) == 0
    capsys.readouterr()
    assert main(["insight", "--forecast", "--view", "all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "All open, is:open"
    assert lines[2].startswith("4 open cards: 50% by ")
    assert lines[3].startswith("from 8 weeks, 16 cards closed · assumes no new cards")
    assert main(["insight", "--view", "all", "--filter", "label:bug", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["view"], told["open"], told["from"]["cards"]) == ("All open", 2, 8)
    assert told["closed_filter"] == "label:bug"
    assert [board["title"] for board in told["boards"]] == ["Website"]
    assert main(["insight", "--view", "all", "--weeks", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "All open, 2 weeks, history of all cards"
    today = wall_clock()
    closed = 4 if today.weekday() > 4 else 2
    weeks = 1 + (today.weekday() + today.hour / 24) / 7
    number, words = lines[2].split(maxsplit=1)
    assert words.startswith("closed per week")
    assert float(number) == pytest.approx(closed / weeks, abs=0.06)
    assert main(["insight", "--view", "all", "--weeks", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["view"], told["past_filter"], told["weeks"]) == ("All open", "", 2)
    assert [board["title"] for board in told["boards"]] == ["Website"]
    assert sum(stage["cards"] for stage in told["ages"]) == 4
    assert main(["insight", "--view", "none"]) == 1
    assert "no view “none”" in capsys.readouterr().err


@pytest.mark.usefixtures("home")
def test_what_is_asked_wrongly_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, why in (
        (("--by", "yesterday"), "is not in the future."),
        (("--by", "soon"), "“soon” is not a valid date."),
        (("--filter", "due:"), "due: must be one of"),
        (("--filter", "label:bgu"), "no label “bgu”"),
    ):
        assert main(["insight", *arguments]) in (1, 2)
        assert why in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["insight", "--cards", "0"])
    assert "a number from 1 to 9999" in capsys.readouterr().err
