"""A text that is not as expected, shown as a diff with how to accept it."""

from difflib import unified_diff

import pytest


def check(actual: str, expected: str, how_to_accept: str) -> None:
    """Fail with a unified diff, and with what to do if the actual text is right."""
    if actual != expected:
        pair = (expected.splitlines(), actual.splitlines())
        lines = unified_diff(*pair, "expected", "actual", lineterm="")
        acceptance = f"If the actual text is right: {how_to_accept}"
        pytest.fail("\n".join([*lines, "", acceptance]), pytrace=False)
