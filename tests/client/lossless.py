"""Whether records still hold everything that the answer they were read from held."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pytest

from tui.client import answers
from tui.client.decoding import decode
from tui.client.documents import BoardChanges
from tui.client.resources import boards
from tui.client.site_time import OWN_CLOCK, SiteTime
from tui.client.values import (
    as_flag,
    as_instant,
    as_integer,
    as_number,
    as_role,
    as_wall_time,
    is_zero_date,
)
from tui.schema.tasks import SubtaskGroup, Task

_ROLE = "role"


def documents(result: object) -> list[dict[str, Any]]:
    """The documents in what a method of the client returned, those inside others too."""
    if isinstance(result, BoardChanges):
        parts = [document for part in result.parts.values() for document in part]
        return [*result.tasks, *parts, *([] if result.frame is None else [result.frame])]
    if isinstance(result, dict):
        inner = [document for value in result.values() for document in documents(value)]
        return [result, *inner]
    if isinstance(result, list | tuple):
        return [document for element in result for document in documents(element)]
    return []


@contextmanager
def noted_records() -> Iterator[list[tuple[Any, dict[str, Any]]]]:
    """The records that are read meanwhile, by their kinds, with their documents."""
    notes: list[tuple[Any, dict[str, Any]]] = []

    def noting(kind: Any, row: object, site: SiteTime = OWN_CLOCK) -> dict[str, Any]:
        document = decode(kind, row, site)
        notes.append((kind, document))
        if kind is SubtaskGroup:
            notes.extend((Task, subtask) for subtask in document.get("subtasks", ()))
        return document

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "decode", noting)
        patch.setattr(boards, "decode", noting)
        yield notes


def rows(body: object, besides: Collection[str] = ()) -> list[dict[str, Any]]:
    """The records in the body of an answer: members, arrays of them, and pages of arrays.

    The members named in `besides` are left out.
    """
    members = body if isinstance(body, dict) else {"": body}
    found: list[dict[str, Any]] = []
    for value in [value for name, value in members.items() if name not in besides]:
        inner = value["data"] if isinstance(value, dict) and "current_page" in value else value
        if isinstance(inner, dict):
            found.append(inner)
        elif isinstance(inner, list):
            found.extend(row for row in inner if isinstance(row, dict))
    return found


def lost(row: dict[str, Any], document: dict[str, Any]) -> list[str]:
    """Where a document does not say what the row said; empty if nothing is lost.

    Ids and decimals may have become numbers, arrays that stand for empty objects objects, times
    those of UTC or of the site's wall, roles lower case, flags booleans; zero dates are none, and
    named.
    """
    zeros = document.get("zero_dates", [])
    return [
        place
        for name, value in row.items()
        if not (name in _OF_A_TASK and "stage_id" in row)
        for place in _lost_at(name, value, document.get(name, _MISSING), name in zeros)
    ]


_OF_A_TASK = ("board", "stage")
"""What comes with a task and is no part of its document."""
_MISSING = object()


def _lost_at(name: str, value: Any, kept: Any, is_zero: bool) -> list[str]:
    if isinstance(value, dict) and isinstance(kept, dict):
        return [f"{name}.{place}" for place in lost(value, kept)]
    if isinstance(kept, list) and isinstance(value, (list, dict)):
        brothers = list(value.values()) if isinstance(value, dict) else value
        if len(brothers) != len(kept):
            return [f"{name}: {len(brothers)} elements, {len(kept)} kept"]
        pairs = enumerate(zip(brothers, kept, strict=True))
        return [place for n, (a, b) in pairs for place in _lost_at(f"{name}.{n}", a, b, is_zero)]
    if value == kept and type(value) is type(kept):
        return []
    return [] if _is_alike(name, value, kept, is_zero) else [f"{name}: {value!r} became {kept!r}"]


def _is_alike(name: str, value: Any, kept: Any, is_zero: bool) -> bool:
    if kept is _MISSING:
        return False
    if value is None or value == []:
        return kept in (None, "", 0) or kept in ([], {})
    if is_zero_date(value):
        return kept is None and is_zero
    if isinstance(kept, (bool, int, float)):
        readings = (as_flag,) if isinstance(kept, bool) else (as_integer, as_number)
        return any(read(value) == kept for read in readings)
    return kept in (str(value), _moment(value)) or (name == _ROLE and as_role(value) == kept)


def _moment(value: Any) -> str | None:
    wall, instant = as_wall_time(value), as_instant(value)
    if wall is None or instant is None:
        return None
    return _wall(wall) if "+" not in value and "T" not in value else instant.isoformat()


def _wall(moment: datetime) -> str:
    return moment.isoformat(" ")
