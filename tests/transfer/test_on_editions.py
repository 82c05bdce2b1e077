"""Imports to other editions of the service, over the wire."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Said
from tests.quirky.application import QuirkyService
from tests.quirky.listening import listening
from tests.quirky.people import PASSWORD, peopled_content
from tests.quirky.quirks import Quirks
from tests.service.world import ZONE, memory_database
from tests.transfer.boards import board_of
from tests.transfer.test_samples import OBSIDIAN, SAMPLES, TRELLO
from tui.service.application import create_application
from tui.service.attachments import Attachments
from tui.service.times import utc_now

pytestmark = pytest.mark.long


@pytest.fixture(params=["recent_free", "old_paid"])
def quirks(
    request: pytest.FixtureRequest, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Quirks]:
    """A service of an edition, which is the default profile."""
    quirks: Quirks = getattr(Quirks, request.param)()
    database = memory_database(peopled_content())
    application = create_application(
        database, clock=utc_now, zone=ZONE, attachments=Attachments(tmp_path / "attachments")
    )
    with listening(lambda _: QuirkyService(application, quirks)) as origin:
        address = origin + ("/?rest_route=/boards/v2" if quirks.query_addresses else "/v2")
        login = "root" if quirks.boards_made_by_administrators else "ann"
        (home / "config").mkdir(exist_ok=True)
        (home / "config" / "config.toml").write_text(
            f'default_profile = "crew"\n[profiles.crew]\nurl = "{address}"\nlogin = "{login}"\n',
            encoding="utf-8",
        )
        monkeypatch.setenv("CALLBOARD_PASSWORD", PASSWORD)
        yield quirks
    database.close()


def test_a_board_comes_to_each_edition_once(said: Said, quirks: Quirks) -> None:
    del quirks
    for name, title, board in (
        ("trello.json", "Web shop of Trello", TRELLO),
        ("obsidian.md", "obsidian", OBSIDIAN),
    ):
        code, text, beside = said("import", str(SAMPLES / name))
        assert code == 0, beside
        assert f"imported {len(board.cards)} cards to “{title}”" in text
        made = board_of(said, title)
        assert made.stages == board.stages
        assert sorted(card.title for card in made.cards) == sorted(
            card.title for card in board.cards
        )
        assert [(card.stage, card.is_closed, card.due) for card in made.cards if card.due] == [
            (card.stage, card.is_closed, card.due) for card in board.cards if card.due
        ]
        assert said("import", str(SAMPLES / name))[1].startswith("all are already on")
        assert board_of(said, title) == made
        first = made.cards[0]
        assert first.comments == board.cards[0].comments
        assert not first.subtasks  # neither edition has groups of them
        assert "subtasks, which this service does not offer: they are in the desc" in beside
        for subtask in board.cards[0].subtasks:
            box = "[x]" if subtask.startswith("x") else "[ ]"
            assert f"- {box} {subtask.split(': ')[-1].lstrip('x- ')}" in first.description
