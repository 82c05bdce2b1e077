"""Plays the day on an edition, step by step, and says what came of each.

A step that asks at a route that breaks down may end in its failure, if that is said in words,
nothing waits for it, and the board shows what the service holds. Every other step must end right.
"""

import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from textual.screen import ModalScreen

from tests.day.held import Held
from tests.day.steps import STEPS, Step, furnish
from tests.day.world import BOARD, VIEWER, Day, Edition, HastyClock, opened_day
from tests.quirky.breaking import is_at
from tui.client.capabilities import Feature
from tui.errors import CallboardError

_LEARNT_BY_ASKING = (Feature.PICTURES, Feature.TASK_DELETION, Feature.TASK_COPIES)
"""What is known to be missing once a change was refused for it."""
_SAYS_FAILURE = re.compile("failed|did not store it")


class Verdict(StrEnum):
    """What came of a step."""

    OK = "ok"
    NOT_OFFERED = "not offered"
    FAILED = "failed in words"
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A step with what came of it, and what it cost."""

    keys: str
    name: str
    verdict: Verdict
    words: str = ""
    requests: int = 0
    size: int = 0
    asked: tuple[str, ...] = ()
    """The method and the path of each request, where the service is an emulated one."""


async def play(
    edition: Edition, folder: Path, names: frozenset[str] = frozenset()
) -> list[Outcome]:
    """Play the steps, those named if any are; each begins on the board, whatever came before."""
    steps = [step for step in STEPS if not names or step.name in names]
    clock = HastyClock() if edition.broken else None
    async with opened_day(edition, folder, furnish, clock) as day:
        return [await _outcome(day, step) for step in steps]


async def _outcome(day: Day, step: Step) -> Outcome:
    verdict, words = Verdict.WRONG, ""
    requests = size = 0
    log = day.breaking.asked if day.breaking else []
    begun, stuck = len(log), set(day.stuck)
    try:
        await _go_to(day, step)
        day.before = day.held()
        requests, size = day.traffic.requests, day.traffic.size
        day.shown.clear()
        if word := _why_not(day.edition, step):
            await _press_until_refused(day, step, word)
        else:
            await day.press(step.press)
        await day.answered()
        requests, size = day.traffic.requests - requests, day.traffic.size - size
        verdict, words = await _judged(day, step)
    except AssertionError as failure:
        words = str(failure)
    asked = tuple(log[begun:])
    is_hit = any(is_at(route, one) for route in day.edition.broken for one in asked)
    if verdict is Verdict.WRONG and is_hit:
        verdict, words = await _failed(day, words)
    if stuck or verdict is not Verdict.OK:
        await _discard(day, stuck)
    return Outcome(step.keys, step.name, verdict, words, requests, size, asked)


async def _failed(day: Day, difference: str) -> tuple[Verdict, str]:
    """Whether the failure of a step was said, and what the board shows is what the service has.

    A change that is stuck is left so for the next step, which must not wait for it.
    """
    reasons = _reasons(day)
    while day.under_way() and any(change.needs_attention for change in day.store.pending()):
        # Later changes of the same thing wait until somebody has decided about the first.
        await _discard(day, day.stuck)
        with suppress(AssertionError):
            await day.answered()
        reasons += _reasons(day)
    if stuck := day.under_way():
        day.stuck |= {change.id for change in stuck}
        words = ", ".join(f"{one.operation.describe()} ({one.reason})" for one in stuck)
        return Verdict.WRONG, f"stuck: {words}"
    said = next(filter(_SAYS_FAILURE.search, (*reasons, day.said.strip())), "")
    if not said and not any(map(_SAYS_FAILURE.search, (*day.shown, day.person.text))):
        return Verdict.WRONG, f"failed without a word: {difference}"
    await _discard(day, day.stuck)
    try:
        await day.until(lambda: _drawn(day) == _held(day), "the board as the service holds it")
    except AssertionError:
        words = f"drawn {_drawn(day)}, held {_held(day)}"
        return Verdict.WRONG, f"after a failure the board differs: {words}"
    return Verdict.FAILED, said or "on the screen"


def _reasons(day: Day) -> list[str]:
    return [change.reason for change in day.store.pending() if change.reason]


def _drawn(day: Day) -> list[str]:
    return sorted(task.title for task in day.board.all_tasks())


def _held(day: Day) -> list[str]:
    held = day.held()
    stages = {f"{BOARD}/{title}" for title in held.columns(BOARD)}
    return sorted(
        card.title
        for card in held.cards.values()
        if card.stage in stages and not card.is_archived and card.parent is None
    )


async def _press_until_refused(day: Day, step: Step, word: str) -> None:
    """Press the keys of a step that is not possible, up to the one that says so."""
    for key in step.press.split():
        await day.press(key)
        await day.answered()
        if _is_told(day, word):
            return


def _is_told(day: Day, word: str) -> bool:
    return word in " ".join(day.person.text.split())


async def _judged(day: Day, step: Step) -> tuple[Verdict, str]:
    """Whether the step did what it must, or said why it cannot."""
    day.after = day.held()
    said = day.said.strip()
    if word := _why_not(day.edition, step):
        is_asked = step.needs in _LEARNT_BY_ASKING
        is_free = all(change.id in day.stuck for change in day.store.pending())
        is_left = day.after == day.before and (is_asked or is_free)
        if is_left and _is_told(day, word):
            return Verdict.NOT_OFFERED, said
        return Verdict.WRONG, f"not possible here, but not refused with the reason: {said}"
    if not step.holds(day):
        return Verdict.WRONG, _difference(day.before, day.after) or said
    if step.has_undo:
        return await _undone_and_redone(day, step)
    return Verdict.OK, ""


async def _undone_and_redone(day: Day, step: Step) -> tuple[Verdict, str]:
    """Undo is exact, and so is redo."""
    for key, expected in (("u", day.before), ("U", day.after)):
        await day.press(key)
        await day.answered()
        now = day.held()
        if now != expected:
            if key == "u" and step.undo_needs in day.edition.lacks:
                return await _archived_instead(day)
            word = "undo" if key == "u" else "redo"
            return Verdict.WRONG, f"after {word}: {_difference(expected, now)} ({day.said.strip()})"
    return Verdict.OK, ""


async def _archived_instead(day: Day) -> tuple[Verdict, str]:
    """An undo that would delete a card is refused once, and from then on asks to archive it."""
    if not _is_told(day, "not offer") or day.held() != day.after:
        return Verdict.WRONG, f"undo changed something, or did not say why not: {day.said.strip()}"
    if not isinstance(day.app.screen, ModalScreen):
        return Verdict.NOT_OFFERED, f"u: {day.said.strip()}"
    await day.press("y")
    await day.answered()
    now = day.held()
    kept = {
        title: card
        for title, card in now.cards.items()
        if title in day.before.cards or not card.is_archived
    }
    if replace(now, cards=kept) == day.before:
        return Verdict.NOT_OFFERED, "u: archived instead, after asking"
    return Verdict.WRONG, f"after undo: {_difference(day.before, now)}"


def _why_not(edition: Edition, step: Step) -> str:
    """A word of the reason why a step is not possible; empty if it is."""
    changes_board = step.has_undo or not {"A", "space"}.isdisjoint(step.press.split())
    if edition.login == VIEWER and changes_board:
        return "You are a viewer"
    is_lacking = step.needs is not None and step.needs in edition.lacks
    return "his service’s edition " if is_lacking else ""


def _difference(before: Held, after: Held) -> str:
    """Which cards differ, briefly."""
    titles = before.cards.keys() | after.cards.keys()
    changed = [
        f"{title}: {_fields(before, title)} -> {_fields(after, title)}"
        for title in sorted(titles)
        if before.cards.get(title) != after.cards.get(title)
    ]
    orders = {
        card.stage
        for held in (before, after)
        for card in held.cards.values()
        if card.stage and before.stage(card.stage) != after.stage(card.stage)
    }
    return "; ".join([*changed, *(f"order of {stage}" for stage in sorted(orders))])


def _fields(held: Held, title: str) -> str:
    card = held.cards.get(title)
    if card is None:
        return "none"
    return (
        f"{card.stage or card.group}/{card.status}/{card.priority}/{card.assignees}"
        f"/{card.watchers}/{card.labels}/{card.due}/{card.is_archived}/{card.comments}"
    )


async def _go_to(day: Day, step: Step) -> None:
    """Go to where the keys are pressed."""
    await day.go_to_board()
    await day.go_to_card(step.name)
    if step.place == "comments":
        await day.press("T")
        await day.until(lambda: "Question" in day.person.text, "the comments")
    elif step.place != "board":
        await day.press("enter")
        await day.until(
            lambda: (
                (detail := day.store.detail(_task_id(day, step.name))) is not None
                and (detail.comments is not None)
            ),
            "the task",
        )
        if step.place == "subtasks":
            await day.press("2")


def _task_id(day: Day, title: str) -> int:
    ids = [task.id for task in day.board.all_tasks() if task.title == title]
    assert ids, f"no card is called {title!r}\n{day.shows()}"
    return ids[0]


async def _discard(day: Day, stuck: Collection[int]) -> None:
    """Leave nothing of a step that went wrong for those that follow, nor what was stuck before."""
    for waiting in day.store.pending():
        if waiting.needs_attention or waiting.id in stuck:
            with suppress(CallboardError):
                await day.store.discard(waiting.id)
