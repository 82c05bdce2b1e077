"""What follows a transaction: only the steps that fit, each on its own."""

import pytest

from tui.service.database.base import AfterCommit


def _noting(after_commit: AfterCommit, done: list[str]) -> None:
    def fail() -> None:
        done.append("failed")
        raise OSError("no such disk")

    after_commit.kept += [fail, lambda: done.append("kept")]
    after_commit.lost += [fail, lambda: done.append("lost")]


def test_a_kept_transaction_takes_its_steps_even_after_one_fails(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done: list[str] = []
    after_commit = AfterCommit()
    with after_commit.following():
        _noting(after_commit, done)
        assert done == []
    assert done == ["failed", "kept"]
    assert "A step after a change failed" in caplog.text


def _refused(after_commit: AfterCommit) -> None:
    with after_commit.following():
        raise ValueError("refused")


def test_a_lost_transaction_takes_back_and_raises() -> None:
    done: list[str] = []
    after_commit = AfterCommit()
    _noting(after_commit, done)
    with pytest.raises(ValueError, match="refused"):
        _refused(after_commit)
    assert done == ["failed", "lost"]
