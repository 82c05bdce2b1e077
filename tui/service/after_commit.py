"""What follows a transaction: files that go with their rows, letters that go out.

The rule it keeps: nothing outside of the database happens before the database has kept what it
belongs to; what was written outside beforehand is taken back when the database keeps nothing.
A step that fails is logged and stops neither the others nor the reply.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

Step = Callable[[], None]

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Aftermath:
    """The steps to take when a transaction was `kept`, and those when it was `lost`."""

    kept: list[Step] = field(default_factory=list)
    lost: list[Step] = field(default_factory=list)

    @contextmanager
    def following(self) -> Iterator[None]:
        """Take the steps that fit how the block, a transaction, ends."""
        try:
            yield
        except BaseException:
            _take(self.lost)
            raise
        _take(self.kept)


def _take(steps: list[Step]) -> None:
    for step in steps:
        try:
            step()
        except Exception:  # noqa: BLE001 - whatever a step trips over, the reply is decided already
            _log.exception("A step after a change failed")
