"""Some of the lines of `tests.mcp.fuzzing`."""

from pathlib import Path

import pytest

from tests.mcp.fuzzing import fuzz


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_made_up_lines_are_answered(home: Path, seed: int) -> None:
    answers, errors = fuzz(home, 150, seed)
    assert answers > errors > 0
