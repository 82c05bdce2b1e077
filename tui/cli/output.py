"""Output of commands: terminal-safe lines, or JSON."""

import json
import sys
from typing import Any

from tui.text import clean


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{clean.line(line).rstrip()}\n")
    sys.stdout.flush()


def say_beside(line: str) -> None:
    """Print a line to standard error, beside JSON output."""
    sys.stderr.write(f"{clean.line(line).rstrip()}\n")


def write_json(document: Any) -> None:
    """Print a document as JSON."""
    sys.stdout.write(f"{json.dumps(document, indent=2)}\n")
