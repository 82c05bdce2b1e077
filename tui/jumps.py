"""The places that were left by jumps to cards, to go back to them, as `ctrl+o` does in vim.

A place is the requests that lead to the screens of the stack, the lowest first.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from textual.message import Message

from tui.navigation import BoardRequested, ThreadRequested

Place = tuple[Message, ...]
_MOST = 100
_CURSORS = {BoardRequested: "task_id", ThreadRequested: "comment_id"}
"""The fields that say where the cursor is."""
_MESSAGES = ("said", "hint")
"""The fields of requests that only tell why."""


class Jumps:
    """The places that jumps started from, latest last."""

    def __init__(self) -> None:
        self._places: list[Place] = []

    def note(self, place: Place) -> None:
        """Keep a place that is left by a jump."""
        if place:
            self._places = [*self._places, place][-_MOST:]

    def back(self, current: Place, is_there: Callable[[Place], bool]) -> Place | None:
        """Return the latest place that is still there and not the current one, and forget it."""
        while self._places:
            place = self._places.pop()
            if is_there(place) and [*map(_values, place)] != [*map(_values, current)]:
                return place
        return None

    def renamed(self, ids: Mapping[int, int]) -> None:
        """Follow cards and boards to the ids that the service assigned."""
        self._places = [tuple(_renamed(way, ids) for way in place) for place in self._places]


def shared(place: Place, other: Place) -> int:
    """How many screens two places share, from the lowest on; their cursors may differ."""
    pairs = zip(place, other, strict=False)
    differing = (at for at, (one, two) in enumerate(pairs) if _screen(one) != _screen(two))
    return next(differing, min(len(place), len(other)))


def anew(request: Message) -> Message:
    """A request to post once more: a message that was handled is marked as such."""
    return _changed(request, {})


def _values(request: Message) -> tuple[object, ...]:
    return type(request), *_fields(request).items()


def _screen(request: Message) -> tuple[object, ...]:
    cursor = _CURSORS.get(type(request))
    return type(request), *(item for item in _fields(request).items() if item[0] != cursor)


def _fields(request: Any) -> dict[str, Any]:
    names = [field.name for field in fields(request)] if is_dataclass(request) else []
    return {name: getattr(request, name) for name in names if name not in _MESSAGES}


def _changed(request: Message, values: Mapping[str, int]) -> Message:
    return type(request)(**{**_fields(request), **values})


def _renamed(request: Message, ids: Mapping[int, int]) -> Message:
    changed = {
        name: ids[value]
        for name, value in _fields(request).items()
        if isinstance(value, int) and value in ids
    }
    return _changed(request, changed) if changed else request
