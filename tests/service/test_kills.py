"""A service that is killed while eight writers use it has lost nothing that it answered."""

from pathlib import Path

import pytest

from tests.service.kills import Kept, check, killed


@pytest.mark.long
def test_what_was_answered_survives_three_kills(tmp_path: Path) -> None:
    kept = Kept()
    for seed, lines in ((1, 60), (2, 250), (3, 11)):
        killed(tmp_path / "b", seed, lines, kept)
        check(tmp_path / "b", kept)
    assert kept.answered > 100
