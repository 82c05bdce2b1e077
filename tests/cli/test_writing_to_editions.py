"""Commands that change cards, on the editions of the service: a dry run tells what is sent."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.quirky.application import QuirkyService
from tests.quirky.listening import listening
from tests.quirky.people import PASSWORD, peopled_content
from tests.quirky.quirks import Quirks
from tests.service.world import ZONE, memory_database
from tui.cli.main import main
from tui.config.paths import HOME_VARIABLE
from tui.service.application import create_application
from tui.service.attachments import Attachments
from tui.service.times import utc_now

pytestmark = pytest.mark.long

Written = tuple[str, str, object]
_COMMANDS = [
    ["add", "--board", "garden", "A new one"],
    ["move", "A new", "Progress"],
    ["move", "A new", "Progress", "--top"],
    ["assign", "A new", "@me"],
    ["assign", "A new", "@me", "--remove"],
    ["label", "A new", "Brand new", "--create"],
    ["label", "A new", "Brand new", "--remove"],
    ["edit", "A new", "--due", "2037-01-02"],
    ["done", "A new"],
    ["comment", "A new", "As", "it", "is"],
]


class Recorded:
    """An application whose requests that change something are recorded."""

    def __init__(self, application: ASGIApp) -> None:
        self.written: list[Written] = []
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        body = b""

        async def recorded_receive() -> Message:
            nonlocal body
            message = await receive()
            body += message.get("body", b"")
            return message

        await self._application(scope, recorded_receive, send)
        if scope["type"] == "http" and scope["method"] != "GET":
            query = scope["query_string"].decode()
            path = query.replace("%2F", "/") if "rest_route" in query else scope["path"]
            told = json.loads(body) if body[:1] == b"{" else None
            self.written.append((scope["method"], path.split("/v2", 1)[1], told))


@pytest.fixture(params=["recent_free", "old_paid"])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Recorded, str]]:
    """A service with the board Garden, and its address."""
    quirks: Quirks = getattr(Quirks, request.param)()
    database = memory_database(peopled_content())
    application = create_application(
        database, clock=utc_now, zone=ZONE, attachments=Attachments(tmp_path / "attachments")
    )
    recorded = Recorded(QuirkyService(application, quirks))
    with listening(lambda _: recorded) as origin:
        yield recorded, origin + ("/?rest_route=/boards/v2" if quirks.query_addresses else "/v2")
    database.close()


def test_a_dry_run_tells_the_request_that_is_sent(
    service: tuple[Recorded, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    recorded, address = service
    (tmp_path / "config").mkdir()
    profile = f'default_profile = "crew"\n[profiles.crew]\nurl = "{address}"\nlogin = "ann"\n'
    (tmp_path / "config" / "config.toml").write_text(profile, encoding="utf-8")
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    monkeypatch.setenv("CALLBOARD_PASSWORD", PASSWORD)
    for command in _COMMANDS:
        assert main([*command, "--dry-run", "--json"]) == 0
        (first, *_) = json.loads(capsys.readouterr().out)
        assert recorded.written == []
        code = main(command)
        told = capsys.readouterr()
        assert (code, told.err) == (0, ""), (command, recorded.written)
        assert recorded.written[0] == tuple(first.values())
        recorded.written.clear()
