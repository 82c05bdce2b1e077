"""`callboard agent-guide`: tells an agent how to work from boards, in Markdown to copy."""

from pathlib import Path

from tui.cli.output import write

_GUIDE = Path(__file__).with_name("guide.md")


def print_guide() -> int:
    """Print the guide."""
    write(guide())
    return 0


def guide() -> str:
    """The guide, in Markdown."""
    return _GUIDE.read_text("utf-8")
