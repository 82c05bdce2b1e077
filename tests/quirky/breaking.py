"""What breaks down inside the service, without a word about the cause."""

import re
from dataclasses import dataclass, field
from functools import cache

from tests.quirky.asking import Answer, Asked, Onward
from tests.quirky.errors import critical
from tests.quirky.quirks import Quirks


@dataclass(slots=True)
class Breaking:
    """Keeps details back; every request at one of the `routes` breaks down and does nothing.

    A route is a method and a path as in `DELETE /projects/{board_id}/tasks/{task_id}`.
    """

    quirks: Quirks
    routes: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    """The method and the path of each request."""

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        request = f"{asked.method} {asked.path}"
        self.asked.append(request)
        if any(is_at(route, request) for route in self.routes):
            return critical()
        answer = await onward(asked)
        return critical() if answer.is_breakdown and self.quirks.details_off else answer


def is_at(route: str, request: str) -> bool:
    """Whether a request, as `DELETE /projects/1/tasks/2`, is one of a route."""
    return _pattern(route).fullmatch(request) is not None


@cache
def _pattern(route: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{\w+\}", "[0-9]+", route.replace("{path_word}", r"\w+")))
