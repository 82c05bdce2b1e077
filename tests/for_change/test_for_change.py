"""The tests that concern a change are found by paths and imports."""

import pytest

from tests.for_change.__main__ import _REGISTERED, MOST, ROOT, concerned
from tests.lint import tables

pytestmark = pytest.mark.long  # it reads the whole source


@pytest.mark.parametrize(
    ("changed", "test"),
    [
        ("tui/model/moving/lift.py", "tests/model/test_lift.py"),
        ("tui/screens/task/screen.py", "tests/screens/test_task.py"),
        ("tui/screens/board/preview.py", "tests/screens/test_preview.py"),
        ("tui/store/sync/sender.py", "tests/store/test_sync.py"),
        ("tui/cli/commands/changing.py", "tests/cli/test_accounts.py"),
        ("tui/record.py", "tests/root/test_record.py"),
        ("tui/actions/card_actions.py", "tests/screens/test_roles.py"),
        ("tui/service/handlers/boards.py", "tests/client/test_recordings.py"),
        ("tests/screens/driving.py", "tests/screens/test_actions.py"),
        ("tests/screens/test_lift.py", "tests/screens/test_lift.py"),
        ("styles/board.tcss", "tests/pictures/test_snapshots.py"),
        ("tui/help/board.md", "tests/cli/test_readme_commands.py"),
    ],
)
def test_a_change_concerns_the_tests_that_are_nearest(changed: str, test: str) -> None:
    assert test in concerned([changed])


def test_every_module_has_tests_that_are_not_too_many() -> None:
    sources = [each for each in (ROOT / "tui").rglob("*.py") if each.stat().st_size]
    modules = [str(each.relative_to(ROOT)) for each in sources]
    found = {module: len(concerned([module])) for module in modules}
    tables.check(
        tables.Edit(
            "Give tests the names of these modules, as tests/a/test_b.py of tui/a/b.py:",
            [module for module, count in found.items() if not count],
        )
    )
    assert max(found.values()) <= MOST + max(map(len, _REGISTERED.values()))


def test_the_tests_of_what_is_added_are_there() -> None:
    named = {test for tests in _REGISTERED.values() for test in tests}
    assert [test for test in sorted(named) if not (ROOT / test).exists()] == []
    assert [place for place in _REGISTERED if not (ROOT / place).exists()] == []
