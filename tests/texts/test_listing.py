"""What people read is found in the source, and what the program alone reads is not."""

from pathlib import Path

from tests.texts.listing import of_markdown, of_source

_SOURCE = '''
"""A docstring."""
LOG.debug("sent a change")
_WORD = re.compile("two words")
_ROWS = "SELECT id FROM task"
KEY = "task.close"
LABEL = "Close"

def say(count: "int or none") -> str:
    """Another docstring."""
    return f"{count} cards {'on a board' if count else ''}"
'''


def test_texts_of_a_module_are_listed_with_their_lines(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(_SOURCE, "utf-8")
    assert [(text.line, text.text) for text in of_source(module)] == [
        (7, "Close"),
        (11, "{count} cards {'on a board' if count else ''}"),
        (11, "on a board"),
    ]


def test_lines_of_a_page_are_listed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Keys\n\nPress `x`.\n", "utf-8")
    assert [(text.line, text.text) for text in of_markdown(page)] == [
        (1, "# Keys"),
        (3, "Press `x`."),
    ]
