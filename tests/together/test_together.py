"""Two people and their agents work at one board for a moment, and agree."""

import pytest

from tests.together.__main__ import main


@pytest.mark.long
@pytest.mark.timeout(300)
def test_all_agree_after_a_while(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--minutes", "0.3", "--seed", "5"]) == 0, capsys.readouterr().out
