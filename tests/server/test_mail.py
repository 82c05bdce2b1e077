"""E-mails of the served service: where they are handed in, and what is refused before."""

from pathlib import Path

import httpx
import pytest

from tests.service.letters import Desk
from tests.service.world import memory_database
from tui.cli.main import main
from tui.errors import CallboardError
from tui.service.accounts.accounts import create_account
from tui.service.http.application import served
from tui.service.http.options import read_mail_settings
from tui.service.mail import MailQueue
from tui.service.times import SiteClock, utc_now

pytestmark = pytest.mark.long

GOOD = 'host = "mail.example.test"\nfrom = "board@example.test"\n'
PASSWORD = "correct horse battery"
SECRET = 'login = "board"\npassword = "hunter2"\n'


def written(folder: Path, text: str, mode: int = 0o600) -> Path:
    """A file with settings."""
    file = folder / "mail.toml"
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    return file


def test_settings_are_read(tmp_path: Path) -> None:
    settings = read_mail_settings(written(tmp_path, GOOD + SECRET))
    assert (settings.host, settings.sender, settings.login) == (
        "mail.example.test",
        "board@example.test",
        "board",
    )
    assert "hunter2" not in repr(settings)


def test_without_a_password_others_may_read_them(tmp_path: Path) -> None:
    assert read_mail_settings(written(tmp_path, GOOD, 0o644)).login == ""


@pytest.mark.parametrize(
    ("text", "mode", "words"),
    [
        (GOOD + SECRET, 0o644, "others may read"),
        ("host = hunter2", 0o600, "not valid TOML"),
        ('host = "x"', 0o600, "from"),
    ],
)
def test_what_is_wrong_is_said_without_the_secret(
    tmp_path: Path, text: str, mode: int, words: str
) -> None:
    with pytest.raises(CallboardError) as refused:
        read_mail_settings(written(tmp_path, text, mode))
    assert words in refused.value.message
    assert "hunter2" not in refused.value.message + refused.value.hint


def test_a_file_that_is_missing_ends_with_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "none.toml"
    asked = ["serve", "--port", "0", "--database", str(tmp_path / "b"), "--mail", str(missing)]
    assert main(asked) == 2
    assert f"{missing} cannot be read" in capsys.readouterr().err


async def test_an_assignment_is_told_by_e_mail() -> None:
    desk = Desk()
    room = MailQueue(desk)
    database = memory_database()
    with database.transaction(writing=True) as db:
        site = SiteClock(utc_now, None)
        for login in ("ann", "bob"):
            email = f"{login}@example.org"
            create_account(
                db, site, login=login, display_name=login, email=email, password=PASSWORD
            )
    transport = httpx.ASGITransport(app=served(database, mail=room))
    async with httpx.AsyncClient(
        transport=transport, base_url="http://board.example/v2", auth=("ann", PASSWORD)
    ) as ann:
        await ann.post("/projects", json={"board": {"title": "Garden", "type": "to-do"}})
        await ann.post("/projects/1/add-members", json={"memberId": 2})
        task = {"title": "Dig", "board_id": 1, "stage_id": 1}
        await ann.post("/projects/1/tasks", json={"task": task})
        told = await ann.put("/projects/1/tasks/1", json={"property": "assignees", "value": [2]})
        assert told.status_code == 200
    assert [letter.to for letter in desk.delivered(room)] == ["bob@example.org"]
    database.close()
