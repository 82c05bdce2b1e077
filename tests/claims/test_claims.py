"""A few agents claim a few cards at once: each card once, on every kind of service."""

from pathlib import Path

import pytest

from tests.claims.contest import Contest
from tests.claims.programs import on_profile
from tests.claims.services import DEPLOYED, on_databases, on_edition

AGENTS, CARDS = 5, 8


def check(found: Contest) -> None:
    """Each card was claimed, and none twice; without losers the agents were not at once."""
    assert (len(found.claims), found.doubles, found.unclear) == (CARDS, 0, 0), f"{found}"
    assert found.lost, f"no claim was lost: {found}"


async def test_on_sqlite(tmp_path: Path) -> None:
    check(await on_databases([str(tmp_path / "boards.sqlite3")] * 2, AGENTS, CARDS, seconds=0.001))


@pytest.mark.long
@pytest.mark.parametrize("edition", DEPLOYED)
async def test_on_deployed_editions(edition: str, tmp_path: Path) -> None:
    check(await on_edition(edition, tmp_path, AGENTS, CARDS, seconds=0.001, pause=0.2))


@pytest.mark.long
def test_by_two_programs_on_one_profile(tmp_path: Path) -> None:
    found = on_profile(tmp_path, 2, 4)
    assert (len(found.claims), found.doubles, found.lost) == (4, 0, 0)
