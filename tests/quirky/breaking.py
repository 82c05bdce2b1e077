"""What breaks down inside the service, without a word about the cause."""

import re
from dataclasses import dataclass, field

from tests.quirky.asking import Answer, Asked, Onward
from tests.quirky.errors import critical
from tests.quirky.quirks import Quirks

_PART = re.compile(r"\{\w+\}")


@dataclass(slots=True)
class Breaking:
    """Keeps details back; every request at one of the `routes` breaks down and does nothing.

    A route is a method and a path as in `DELETE /projects/{board_id}/tasks/{task_id}`.
    """

    quirks: Quirks
    routes: set[str] = field(default_factory=set)

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        if any(is_at(route, asked.method, asked.path) for route in self.routes):
            return critical()
        answer = await onward(asked)
        return critical() if answer.is_breakdown and self.quirks.details_off else answer


def is_at(route: str, method: str, path: str) -> bool:
    """Whether a request is one of a route; a part of a path is any word."""
    template = re.escape(route).replace("\\{", "{").replace("\\}", "}").replace("\\ ", " ")
    return re.fullmatch(_PART.sub(r"[\\w-]+", template), f"{method} {path}") is not None
