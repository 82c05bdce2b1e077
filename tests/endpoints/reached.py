"""Which tests reach which endpoints; a test that does not reach what it says fails."""

import re
from collections.abc import Awaitable, Callable, Iterable
from functools import wraps

from tests.day.world import Day
from tui.client.endpoints import Endpoint

REACHED: dict[Endpoint, str] = {}
"""The endpoints that a test reaches by keys, with its name."""

_ID = re.compile(r"{\w+}")
_PATHS = [
    (each, re.compile(".*/v2" + _ID.sub(r"\\d+", each.path.replace("{path_word}", "service"))))
    for each in Endpoint
]

Test = Callable[[Day], Awaitable[None]]


def reaches(*endpoints: Endpoint) -> Callable[[Test], Test]:
    """Mark a test that reaches endpoints by keys; it fails if one was not requested."""

    def decorate(test: Test) -> Test:
        REACHED.update(dict.fromkeys(endpoints, test.__name__))

        @wraps(test)
        async def checked(day: Day) -> None:
            day.traffic.asked.clear()
            await test(day)
            missing = set(endpoints) - requested(day.traffic.asked)
            assert not missing, (
                f"the keys did not ask {', '.join(sorted(each.name for each in missing))},"
                f" but {sorted(set(day.traffic.asked))}"
            )

        return checked

    return decorate


def requested(asked: Iterable[tuple[str, str]]) -> set[Endpoint]:
    """The endpoints of requests."""
    return {
        endpoint
        for method, path in set(asked)
        for endpoint, pattern in _PATHS
        if endpoint.method == method and pattern.fullmatch(path)
    }
