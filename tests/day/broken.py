"""Days with one broken route each: the steps that ask there, and some that must go on working."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from shutil import copytree

from tests.day.play import Outcome, play
from tests.day.world import Edition
from tests.quirky.breaking import is_at
from tui.client.endpoints import SITE, Endpoint

_AFTERWARDS = ("renamed", "right", "closed", "labelled", "commented", "place for a new card")
"""Steps of every shortened day; none depends on another."""
_MOST = 12
"""So many steps of those that ask at a route, the first of the day, are played with it broken."""


def routes() -> list[str]:
    """The routes that the client asks at, as `DELETE /projects/{board_id}/tasks/{task_id}`."""
    return [f"{one.method} {one.path}" for one in Endpoint if one.section != SITE]


def plan(outcomes: Iterable[Outcome], broken: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """The steps to play with each route broken, after a whole day; a route not asked is left out.

    Where a step can go another way, it also asks at the routes of that way once one is broken.
    """
    steps: dict[str, list[str]] = {}
    for outcome in outcomes:
        for route in broken:
            if any(is_at(route, request) for request in outcome.asked):
                steps.setdefault(route, []).append(outcome.name)
    return {
        route: frozenset([*names[:_MOST], *_AFTERWARDS])
        for route, names in sorted(steps.items(), key=lambda item: item[0].split()[::-1])
    }


async def play_broken(
    edition: Edition, route: str, names: frozenset[str], furnished: Path, folder: Path
) -> list[Outcome]:
    """Play steps with a route broken, on a copy of what was furnished."""
    copytree(furnished, folder, dirs_exist_ok=True)
    return await play(replace(edition, broken=edition.broken | {route}), folder, names)
