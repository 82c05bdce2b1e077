"""Runs the suite on a service with one quirk at a time, which all of them together may hide.

python -m tests.client.suite [QUIRK ...]     these quirks, one after another, or every one
"""

import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

from tests.quirky.quirks import Quirks

_TOGETHER = {"cross_board_move_loses": "cross_board_move_loses no_extended_edition"}
"""No client can tell beforehand who loses tasks but by the edition that lacks the rest too."""
_OPTIONS = ("-n", "0", "-q", "--tb=short", "-p", "no:cacheprovider")


def main(names: list[str]) -> int:
    """Run the suite for each quirk; returns how many of them it failed with."""
    failed = 0
    for name in names or [field.name for field in fields(Quirks)]:
        ended = subprocess.run(  # noqa: S603 - our own tests
            [sys.executable, "-m", "pytest", *_OPTIONS, str(Path(__file__).parent)],
            env={**os.environ, "SUITE_QUIRKS": _TOGETHER.get(name, name)},
            capture_output=True,
            text=True,
            check=False,
        )
        sys.stdout.write(f"{name}: {ended.stdout.splitlines()[-1]}\n")
        if ended.returncode:
            failed += 1
            sys.stdout.write(ended.stdout)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
