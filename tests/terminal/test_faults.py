"""Some rounds of a day with a bad network lose, double and refuse nothing.

`python -m tests.terminal.faults 300` plays the whole day.
"""

import pytest

from tests.terminal.faults import play

pytestmark = pytest.mark.long


@pytest.mark.timeout(300)
@pytest.mark.parametrize("with_keys", [True, False], ids=["with keys", "without keys"])
def test_nothing_is_lost(with_keys: bool) -> None:
    said = list[str]()
    day = play(4, 2026, with_keys=with_keys, say=said.append)
    assert not day.found, "\n".join(said)
