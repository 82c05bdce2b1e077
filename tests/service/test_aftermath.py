"""What follows a transaction: only the steps that fit, each on its own."""

import pytest

from tui.service.after_commit import Aftermath


def _noting(aftermath: Aftermath, done: list[str]) -> None:
    def fail() -> None:
        done.append("failed")
        raise OSError("no such disk")

    aftermath.kept += [fail, lambda: done.append("kept")]
    aftermath.lost += [fail, lambda: done.append("lost")]


def test_a_kept_transaction_takes_its_steps_even_after_one_fails(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done: list[str] = []
    aftermath = Aftermath()
    with aftermath.following():
        _noting(aftermath, done)
        assert done == []
    assert done == ["failed", "kept"]
    assert "A step after a change failed" in caplog.text


def _refused(aftermath: Aftermath) -> None:
    with aftermath.following():
        raise ValueError("refused")


def test_a_lost_transaction_takes_back_and_raises() -> None:
    done: list[str] = []
    aftermath = Aftermath()
    _noting(aftermath, done)
    with pytest.raises(ValueError, match="refused"):
        _refused(aftermath)
    assert done == ["failed", "lost"]
