"""`callboard standup`: printed for chat and cron, with and without a service."""

import json
import shutil
import sys
from datetime import UTC, datetime, timedelta
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from tests.cli.conftest import WORK, Said, cached_for_work
from tests.fakes.boards import JON, small
from tests.fakes.store import FakeStore
from tests.pictures import standup as pictures
from tui.cli.scripts.chosen import chosen
from tui.cli.scripts.standup import StandupOptions, read_news, request
from tui.config.preferences import (
    ALL_BOARDS,
    RECENT_BOARDS,
    STANDUP_BOARDS,
    Preferences,
)
from tui.config.stage_settings import LIMITS
from tui.context import Context
from tui.model.events.history import BoardHistory
from tui.model.folder import Folder
from tui.model.people import Account


def headings(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("#")]


def test_it_is_printed_as_text_markdown_and_json(said: Said) -> None:
    code, text, beside = said("standup", "--board", "website")
    assert (code, beside) == (0, "")
    lines = text.splitlines()
    assert lines[0] == "Standup: Website"
    assert lines[2].startswith(f"{datetime.now():%A} {datetime.now().day} ")  # noqa: DTZ005 (local)
    assert lines[4].startswith("1 closed")
    assert lines[6:11] == ["Done (1)", "", lines[8], "", "In Progress (1)"]
    assert lines[8].startswith("- #1 Card of Website · In Progress · closed ")
    assert lines[-1] == "Open (0)"
    code, text, _ = said("standup", "--md", "--by-person", "--board", "#1", "--board", "SHOP")
    assert headings(text) == [
        *("# Standup: Website, Web shop", "## me", "### Done or moved", "### Now")
    ]
    assert "- #2 Mine · Website › In Progress · " in text
    code, text, beside = said("standup", "--json", "--since", "1mo", "--board", "website")
    assert (code, beside) == (0, "")
    told = json.loads(text)
    assert told["boards"] == [{"id": 1, "title": "Website"}]
    now, since = datetime.fromisoformat(told["now"]), datetime.fromisoformat(told["since"])
    assert now - since > timedelta(days=27)
    assert since.strftime("%H:%M:%S") == "00:00:00"
    assert told["known"][0]["complete_since"] < told["since"]
    assert [one["name"] for one in told["people"]] == ["me"]


def test_for_slack_it_has_links_if_the_address_of_cards_is_known(said: Said, home: Path) -> None:
    code, text, beside = said("standup", "--slack", "--board", "website")
    assert (code, beside) == (0, "")
    assert text.startswith("*Standup: Website*\n\n")
    assert "\n• #2 Mine · me · " in text
    cached_for_work(home, said)
    with (home / "config" / "config.toml").open("a", encoding="utf-8") as settings:
        settings.write('\ncard_url = "https://example.org/{board}/{id}"\n')
    code, text, _ = said("-p", "work", "standup", "--slack", "--board", "website")
    assert code == 0
    assert "\n• <https://example.org/1/2|#2> Mine · me · " in text


def test_the_boards_are_those_named_or_of_a_folder_or_of_the_last_time(
    said: Said, home: Path
) -> None:
    def boards(*arguments: str) -> list[int]:
        code, text, _ = said("standup", "--json", *arguments)
        assert code == 0
        return [board["id"] for board in json.loads(text)["boards"]]

    assert boards() == [3, 2, 1]
    assert boards("--folder", "sit", "--board", "Platform", "--board", "website") == [3, 1]
    preferences = Preferences(home / "data" / "preferences.json")
    preferences.used(ALL_BOARDS, RECENT_BOARDS, ["2"])
    preferences.keep(2, **{LIMITS: {5: 0}})
    assert boards() == [2]
    assert "\nIn Progress (1 of 0)\n" in said("standup")[1]
    preferences.keep(ALL_BOARDS, **{STANDUP_BOARDS: frozenset({1, 3, 77})})
    assert boards() == [3, 1]


def test_my_part_is_mine_alone(said: Said) -> None:
    code, text, _ = said("standup", "--me", "--board", "Platform")
    assert code == 0
    assert text.splitlines()[4] == "1 closed"  # the comments are mine
    assert text.splitlines()[6] == "me"
    assert "Now\n\n- #6 Mine · In Progress · " in text
    document = json.loads(said("standup", "--me", "--json", "--board", "Platform")[1])
    assert document["walk"] == []
    assert [one["name"] for one in document["people"]] == ["me"]


def test_my_part_without_a_board_named_is_of_the_boards_of_the_last_standup(
    said: Said, home: Path
) -> None:
    def cards() -> list[str]:
        code, text, beside = said("standup", "--me", "--json")
        assert (code, beside) == (0, "")
        document = json.loads(text)
        assert [person["name"] for person in document["people"]] == ["me"]
        assert document["walk"] == []
        return [board["title"] for board in document["boards"]]

    assert cards() == ["Platform", "Web shop", "Website"]
    preferences = Preferences(home / "data" / "preferences.json")
    preferences.keep(ALL_BOARDS, **{STANDUP_BOARDS: frozenset({2})})
    assert cards() == ["Web shop"]
    text = said("standup", "--me")[1].splitlines()
    assert text[0] == "Standup: Web shop"
    assert text[6] == "me"


def test_insight_is_about_the_boards_named_or_of_the_last_standup(said: Said, home: Path) -> None:
    def boards(*arguments: str) -> list[str]:
        code, text, beside = said("insight", "--json", *arguments)
        assert (code, beside) == (0, "")
        return [board["board"]["title"] for board in json.loads(text)["boards"]]

    assert boards() == ["Platform", "Web shop", "Website"]
    preferences = Preferences(home / "data" / "preferences.json")
    preferences.keep(ALL_BOARDS, **{STANDUP_BOARDS: frozenset({2, 3})})
    assert boards() == ["Platform", "Web shop"]
    assert boards("--board", "website", "--board", "1") == ["Website"]


def test_the_program_is_asked_for_my_part_of_all_boards_if_none_is_named() -> None:
    store = pictures.store()
    store.me = Account(JON.login, JON.id)
    wanted = request(StandupOptions(only_me=True), Context(store))
    assert (wanted.board_ids, wanted.by_person, wanted.speaker) == ((), True, JON)
    store.me = Account("nobody", 77)
    assert request(StandupOptions(only_me=True), Context(store)).speaker is None
    assert request(StandupOptions(), Context(store)).speaker is None


def test_an_id_comes_before_a_title_and_a_whole_title_before_a_part() -> None:
    folders = [Folder(1, "Web"), Folder(2, "Web shop"), Folder(3, "2"), Folder(12, "Year 2")]
    assert [chosen(words, folders, "folder").id for words in ("web", " WEB  shop", "2", "#12")] == [
        *(1, 2, 2, 12)
    ]
    assert chosen("year", folders, "folder").id == 12


@pytest.mark.long
def test_an_output_with_few_characters_gets_the_others_replaced(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(written, encoding="ascii"))
    assert said("standup", "--board", "Platform")[0] == 0
    sys.stdout.flush()
    assert b"- #6 Mine ? me ? " in written.getvalue()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--board", "web"], "“Web shop” (2), “Website” (1)"),
        (["--board", "Platfrom"], "Did you mean “Platform”?"),
        (["--board", ""], "the name of a board is empty"),
        (["--folder", "Sights"], "no folder is called “Sights”.\n           Did you mean “Sites”?"),
        (["--since", "tomorrow"], "Type a past day"),
        (["--me", "--team"], "not allowed with"),
        (["--md", "--json"], "not allowed with"),
    ],
)
def test_wrong_arguments_are_told_and_nothing_is_printed(
    said: Said, arguments: list[str], told: str
) -> None:
    code, text, beside = said("standup", *arguments)
    is_nothing = "Did you mean" in told
    assert (code, text) == (1 if is_nothing else 2, "")
    assert told in beside


def test_without_a_service_what_is_known_is_printed_with_its_age(said: Said, home: Path) -> None:
    (home / "config").mkdir()
    (home / "config" / "config.toml").write_text(WORK, encoding="utf-8")
    code, text, beside = said("-p", "work", "standup")
    assert (code, text) == (1, "")
    assert "no password for the profile work" in beside
    assert said("standup", "--board", "Website", "--board", "Web shop")[0] == 0
    for folder in ("cache", "data"):
        kept = home / folder / "work"
        for file in (home / folder / "embedded").glob("*.sqlite3*"):
            shutil.copy(file, kept)
    code, text, beside = said("-p", "work", "standup", "--md")
    assert code == 0
    assert "- #2 Mine · me · Website" not in text
    assert headings(text)[0] == "# Standup: Web shop, Website"
    assert "no password for the profile work" in beside
    assert "As of " in beside
    assert "Not cached: Platform." in beside
    code, _, beside = said("-p", "work", "standup", "--folder", "sites")
    assert (code, beside) == (1, "callboard: no folder is called “sites”.\n")


async def test_activity_before_the_window_is_read_for_the_ages_of_cards() -> None:
    since = datetime(2026, 11, 19, tzinfo=UTC)
    store = FakeStore(small())
    for back_to in (since, since - timedelta(days=30)):
        store.histories[1] = BoardHistory(1, complete_since=back_to, read_at=since)
        await read_news(store, 1, since, [])
    assert [one for one in store.asked if "since" in one] == [
        *("history of 1 since 2026-11-19", "archived of 1 since 2026-11-19"),
        *("history of 1 since 2026-10-20", "history of 1 since 2026-11-19"),
        "archived of 1 since 2026-11-19",
    ]
