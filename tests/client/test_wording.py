"""What a service said becomes one line that can be shown."""

import pytest
from hypothesis import given, settings, strategies as st

from tui.client.http.error_bodies import plain_line


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        ("The title field is required.", "The title field is required."),
        ("<p>There has been a <b>critical</b> error.</p>", "There has been a critical error."),
        ("stage &quot;Open&quot; &amp; more", 'stage "Open" & more'),
        ("one\n two\t three", "one two three"),
        ("\x1b]0;pwned\x07Task\x1b[31m gone\u202e", "Task gone"),
        ("<script>alert(1)</script>No", "No"),
        ("<style>p{}</style><!-- x -->No", "No"),
        (
            r"No query results for model [Service\App\Models\Board] 99999",
            "There is no board 99999.",
        ),
        (r"No query results for model [App\CommentImage]", "There is no comment image."),
        ("Could not save. SQLSTATE[23000]: Integrity constraint violation", "Could not save."),
        ("Could not save: select * from `tasks` where `id` = 1", "Could not save"),
        ("Unknown column 'nope' in 'ORDER BY'", ""),
        (r'Class "Service\Pro\Mover" not found', ""),
        ("must be of type array, null given, called in /srv/app on line 68", ""),
        ("Cannot write /var/www/html/index.php", "Cannot write …"),
        ("See https://board.example/help/errors", "See https://board.example/help/errors"),
        ("", ""),
        ("<br/> ...", ""),
    ],
)
def test_a_line_keeps_what_is_for_people(raw: str, line: str) -> None:
    assert plain_line(raw) == line


def test_a_long_message_is_cut() -> None:
    line = plain_line("word " * 500)
    assert len(line) <= 200
    assert line.endswith("…")


@settings(deadline=None)
@given(st.text())
def test_no_line_holds_what_a_terminal_acts_on(raw: str) -> None:
    line = plain_line(raw)
    assert "\x1b" not in line
    assert "\n" not in line
    assert len(line) <= 200
