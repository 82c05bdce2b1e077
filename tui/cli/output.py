"""What commands write: lines that are clean for the terminal, or a document for programs."""

import json
import sys
from typing import Any

from tui.text import clean


def say(line: str) -> None:
    """Write a line for a person."""
    sys.stdout.write(f"{clean.line(line).rstrip()}\n")
    sys.stdout.flush()


def say_beside(line: str) -> None:
    """Write a line for a person beside what is written for programs."""
    sys.stderr.write(f"{clean.line(line).rstrip()}\n")


def write_json(document: Any) -> None:
    """Write a document for programs."""
    sys.stdout.write(f"{json.dumps(document, indent=2)}\n")
