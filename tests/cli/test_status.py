"""`callboard status`: its numbers are those of my work, and it imports next to nothing."""

import asyncio
import json
from collections import Counter
from datetime import date, datetime
from pathlib import Path

import pytest

from tests.cli.conftest import Said, cached_for_work, ran_alone
from tui.cli.cached_profile import CachedProfile
from tui.config.paths import HOME_VARIABLE, Places
from tui.model.people import Account
from tui.model.work.my_work import WorkSection, my_work
from tui.store.cache.file import open_cache
from tui.store.files.cached import open_cached
from tui.text.dates import wall_clock
from tui.workspace import Workspace

_HEAVY = (
    "textual",
    "rich",
    "httpx",
    "pydantic",
    "asyncio",
    "dataclasses",
    "inspect",
    "tui.workspace",
)


def comment(number: int, author: int, *mentions: object) -> dict[str, object]:
    settings = {"raw_description": "", "mentioned_id": [*mentions]}
    return {"id": number, "created_by": author, "settings": settings}


def add_comments(home: Path, task_id: int, *comments: dict[str, object]) -> None:
    path = home / "cache" / "embedded" / "cache.sqlite3"
    cache, _ = open_cache(path, datetime.now().astimezone())
    with cache.writing():
        cache.sections.put("comment", task_id, comments)
    cache.close()


def due(said: Said, number: str, when: str) -> None:
    assert said("edit", number, "--due", when)[0] == 0


def test_a_line_has_what_is_not_0(said: Said, home: Path) -> None:
    said("sync")
    assert said("status") == (0, "", "")
    due(said, "6", "today 23:59")
    assert said("status") == (0, "1 due today\n", "")
    due(said, "4", "2020-01-02")
    due(said, "2", "2020-01-02")
    add_comments(home, 6, comment(1, 2, 1), comment(2, 2, "1"))
    assert said("status") == (0, "1 due today · 2 overdue · 2 mentions\n", "")
    assert said("--ascii", "status")[1] == "1 due today . 2 overdue . 2 mentions\n"
    said("done", "6")
    said("assign", "4", "@me", "--remove")
    assert said("status")[1] == "1 overdue · 2 mentions\n"


def test_my_own_comment_answers_a_mention(said: Said, home: Path) -> None:
    said("sync")
    mentions = [comment(1, 2, 1), comment(2, 1), comment(3, 2), comment(4, 1, 1), comment(5, 3, 1)]
    add_comments(home, 6, *mentions)
    assert said("status")[1] == "1 mention\n"


def test_changes_that_wait_are_counted(said: Said, home: Path) -> None:
    said("sync")
    cached_for_work(home, said)
    said("-p", "work", "edit", "6", "--title", "New", "--due", "2020-01-02")
    assert said("-p", "work", "status")[1] == "2 pending\n", "which is not read back yet"
    said("-p", "work", "comment", "6", "Text")
    document = json.loads(said("-p", "work", "status", "--json")[1])
    assert document == {"due_today": 0, "overdue": 0, "mentions": 0, "pending": 3, "unread": 0}


def test_the_inbox_is_counted_and_what_was_read_there_is_not(said: Said, home: Path) -> None:
    said("sync")
    due(said, "6", "today 23:59")
    add_comments(home, 6, comment(1, 2, 1), comment(2, 2, 1))
    assert said("inbox")[0] == 0
    path = next(home.rglob("inbox.json"))
    values = json.loads(path.read_text())
    unread = len(values["entries"])
    assert said("status")[1] == f"1 due today · 2 mentions · {unread} unread\n"
    mention = {"key": "comment-1", "kind": "mention", "board": 1, "card": 6, "comment": 1}
    mention |= {"at": "2026-11-26T09:00:00+00:00", "read_at": "2026-11-26T10:00:00+00:00"}
    path.write_text(json.dumps({"entries": [*values["entries"], mention]}))
    assert said("status")[1] == f"1 due today · 1 mention · {unread} unread\n"
    assert said("status", "--format", "{unread:●}")[1] == f"{unread}●\n"


def test_a_format_is_filled_in(said: Said) -> None:
    said("sync")
    due(said, "6", "2020-01-02")
    template = "#[fg=red]{overdue: late}#[default]{pending: ↑}|{mentions} {due_today:} {else}"
    assert said("status", "--format", template)[1] == "#[fg=red]1 late#[default]|0  {else}\n"
    assert said("status", "--format", "\x1b[31m{overdue}")[1] == "1\n"


def test_the_help_has_lines_to_paste(said: Said) -> None:
    text = said("help", "scripts")[1]
    assert "callboard status --format" in text
    assert "status-right" in text


def test_numbers_are_those_of_my_work(said: Said, home: Path) -> None:
    said("sync")
    for number, when in (("2", "2020-01-02"), ("4", "today 23:59"), ("6", "tomorrow")):
        due(said, number, when)

    async def worked() -> Counter[WorkSection]:
        workspace = Workspace.open(Places.find({HOME_VARIABLE: str(home)}))
        boards = [board.id for board in workspace.store.boards()]
        views = [await workspace.store.load_board(board) for board in boards]
        await workspace.aclose()
        works = my_work(filter(None, views), Account("me"), wall_clock(), {})
        return Counter(work.section for work in works)

    sections = asyncio.run(worked())
    numbers = json.loads(said("status", "--json")[1])
    assert numbers["overdue"] == sections[WorkSection.OVERDUE] == 1
    assert numbers["due_today"] == sections[WorkSection.TODAY] == 1


def test_a_profile_need_not_have_been_opened(
    said: Said, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "nowhere"))
    assert said("status") == (0, "", "")
    assert said("status", "--format", "{overdue}") == (0, "0\n", "")
    assert not (tmp_path / "nowhere").exists()
    assert said("-p", "nobody", "status")[0] == 2
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    for file in (home / "cache" / "embedded").glob("cache.sqlite3*"):
        file.write_bytes(b"damaged")
    assert said("status") == (0, "", "")
    (home / "config").mkdir()
    (home / "config" / "config.toml").write_text("[[", encoding="utf-8")
    code, text, beside = said("status")
    assert (code, text) == (1, "")
    assert beside.splitlines()[1] == "           Run callboard settings to see what is wrong."


def test_dates_that_are_none_are_not_counted(said: Said, home: Path) -> None:
    said("sync")
    path = home / "cache" / "embedded" / "cache.sqlite3"
    cache, _ = open_cache(path, datetime.now().astimezone())
    dates = ["0000-00-00 00:00:00", "soon", "2020-01-02T03:04:05Z", "2020-01-02 03:04:05"]
    with cache.writing():
        cache.put_tasks(
            [
                {"id": 90 + at, "board_id": 3, "due_at": date, "assignees": [{"ID": 1}]}
                for at, date in enumerate(dates)
            ]
        )
    cache.close()
    with open_cached(home / "cache", "embedded") as cached:
        own_ids = cached.own_ids("me", None)
        assert [f"{at:%H:%M}" for at in cached.due_dates(own_ids, date(2020, 1, 2))] == [
            "03:04"
        ] * 2
        assert cached.due_dates(own_ids, date(2020, 1, 1)) == []


def test_the_user_is_known_by_id_where_logins_are_not(
    said: Said, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said("tasks")  # the members are known of boards that were read
    cached_for_work(home, said)
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    known = {"user_id": 7, "user_login": "me"}
    service = {"url": "https://example.org/x/v2", "login": "me", "capabilities": known}
    (home / "data" / "work" / "service.json").write_text(json.dumps(service), encoding="utf-8")
    profile = CachedProfile.find("work")
    assert (profile.login, profile.user_id) == ("me", 7)
    with open_cached(home / "cache", "work") as cached:
        assert cached.own_ids("ME", 7) == {1, 7}


@pytest.mark.parametrize("command", [["status"], ["completion", "zsh", "callboard show "]])
def test_a_prompt_does_not_wait_for_imports(command: list[str], home: Path) -> None:
    script = f"""
import sys
sys.argv[1:] = {command!r}
from tui.__main__ import main
main()
print(*(name for name in {_HEAVY!r} if name in sys.modules))
"""
    ran = ran_alone(script, home)
    assert (ran.stdout.splitlines()[-1], ran.stderr) == ("", "")
