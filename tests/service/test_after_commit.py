"""What follows a transaction: only the steps that fit, each on its own."""

from contextlib import closing
from pathlib import Path

import pytest

from tui.service.database.base import Transaction
from tui.service.database.sqlite import open_database


def _note(db: Transaction, done: list[str]) -> None:
    def fail() -> None:
        done.append("failed")
        raise OSError("no such disk")

    db.after_commit += [fail, lambda: done.append("kept")]


def test_a_kept_transaction_takes_its_steps_even_after_one_fails(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    done: list[str] = []
    with (
        closing(open_database(tmp_path / "boards")) as database,
        database.transaction(writing=True) as db,
    ):
        _note(db, done)
        assert done == []
    assert done == ["failed", "kept"]
    assert "A step after a change failed" in caplog.text


def test_a_lost_transaction_takes_no_step_and_raises(tmp_path: Path) -> None:
    done: list[str] = []
    database = open_database(tmp_path / "boards")

    def refused() -> None:
        with database.transaction(writing=True) as db:
            _note(db, done)
            raise ValueError("refused")

    with closing(database), pytest.raises(ValueError, match="refused"):
        refused()
    assert done == []
