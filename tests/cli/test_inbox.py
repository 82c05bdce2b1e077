"""`callboard inbox`: what is new for the user, as a table and as JSON."""

import json

from tests.cli.conftest import Said


def test_what_is_new_is_listed_and_stays_until_it_is_read(said: Said) -> None:
    said("sync")
    assert said("inbox") == (0, "no new notifications\n", "")
    said("edit", "6", "--due", "2020-01-02")
    code, table, _ = said("inbox")
    assert code == 0
    assert table.split()[:6] == ["#6", "Mine", "overdue", "since", "Thu", "2"]
    for _ in range(2):
        (entry,) = json.loads(said("inbox", "--json")[1])
        assert (entry["kind"], entry["card"], entry["board"]) == ("overdue", 6, "Platform")
        assert (entry["read_at"], entry["comment"]) == (None, None)
    assert json.loads(said("inbox", "--all", "--json")[1]) == [entry]
    said("done", "6")
    assert said("inbox") == (0, "no new notifications\n", "")
