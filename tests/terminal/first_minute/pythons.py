"""The interpreters that a first minute is tried on: those of CALLBOARD_PYTHONS, else this one."""

import os
import subprocess
import sys
from functools import cache

VARIABLE = "CALLBOARD_PYTHONS"
"""Names interpreters that have Callboard installed, separated as in PATH."""

_ASK = "import sys; print('.'.join(map(str, sys.version_info[:2])))"


@cache
def pythons() -> dict[str, str]:
    """The interpreters by their versions."""
    named = [each for each in os.environ.get(VARIABLE, "").split(os.pathsep) if each]
    return {_version(each): each for each in named or [sys.executable]}


def _version(python: str) -> str:
    asked = [python, "-c", _ASK]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603 (an interpreter that was named)
