"""What is missing in a table is told with the line to add and the file, all of it at once."""

import pytest

from tests.lint import tables


def test_every_edit_is_told_at_once() -> None:
    with pytest.raises(pytest.fail.Exception) as failure:
        tables.check(
            tables.missing(['"b",', '"a",'], "`_READING`", __file__),
            tables.missing([], "`_SENT`", __file__),
            tables.obsolete(["c"], "`TOOLS`", "tui/cli/mcp/tools.py"),
        )
    assert str(failure.value).splitlines() == [
        "Add to `_READING` in tests/lint/test_tables.py:",
        '    "a",',
        '    "b",',
        "",
        "Remove from `TOOLS` in tui/cli/mcp/tools.py:",
        "    c",
    ]


def test_a_complete_table_passes() -> None:
    tables.check(tables.missing([], "`_SENT`", __file__), tables.obsolete([], "`_SENT`", __file__))
