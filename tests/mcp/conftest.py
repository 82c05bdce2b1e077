"""Homes that agents work in."""

from tests.cli.conftest import home, made, said
from tests.terminal.conftest import home as toured_home, toured

__all__ = ["home", "made", "said", "toured", "toured_home"]
