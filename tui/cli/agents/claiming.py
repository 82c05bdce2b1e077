"""`callboard claim` and `next --claim`: takes a card for oneself, or for an agent that is named.

A claim needs the service, which decides who is first. It is never kept to be sent later.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

from tui.cli.agents.next_card import own_views, print_next
from tui.cli.output import say_beside, write, write_json
from tui.cli.scripts.agent_name import agent_given
from tui.cli.scripts.chosen import chosen_person
from tui.cli.scripts.dry_run import show_requests
from tui.cli.scripts.opened import How, Opened, run_opened
from tui.cli.scripts.writing import (
    REFUSED,
    Plan,
    WriteResult,
    carried_out,
    carry_out,
    connect,
    report,
)
from tui.config.stage_settings import with_own_settings
from tui.errors import CallboardError, CannotGoOn
from tui.model.board import BoardView
from tui.model.colors import free_color
from tui.model.task import Person, Task
from tui.model.work.next_card import LeftOut, candidates, claimable, next_of, stage_for
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.agent_marks import agent_of, label_title
from tui.text.clean import quoted
from tui.text.dates import wall_clock

_TRIES = 60
"""How many cards `next --claim` tries while others are faster."""


class Claimed(NamedTuple):
    """A claim that was carried out; without a plan there was no card, and `why` says why."""

    plan: Plan | None
    result: WriteResult | None
    why: str = ""


def claim(how: How, card: str, *, board: str, agent: str, releases: bool) -> int:
    """Claim a card, or release it."""
    name = agent_given(agent)

    async def work(opened: Opened) -> int:
        await connect(opened)
        found, task = await opened.card(card, board)
        view = with_own_settings(found, opened.preferences)
        if releases:
            return await carry_out(opened, releasing(opened, view, task))
        return await _reported(opened, await claimed_card(opened, view, task, name))

    return run_opened(how, work)


def next_card(how: How, boards: Sequence[str], *, only_ids: bool, claims: bool, agent: str) -> int:
    """Print the card to take, or claim it."""
    name = agent_given(agent)

    async def work(opened: Opened) -> int:
        if not claims:
            return await print_next(opened, boards, only_ids=only_ids)
        await connect(opened)
        if only_ids:
            opened.how = opened.how._replace(is_quiet=True)
        claimed = await claimed_next(opened, boards, name)
        code = await _reported(opened, claimed)
        if only_ids and claimed.plan and not code:
            write(f"{claimed.plan.tasks[0].id}\n")
        return code

    return run_opened(how, work)


async def _reported(opened: Opened, claimed: Claimed) -> int:
    plan, result = claimed.plan, claimed.result
    if plan is None:
        if opened.how.as_json:
            write_json({"state": "unchanged", "changes": [], "cards": [], "why": claimed.why})
        else:
            say_beside(f"callboard: {claimed.why}.")
        return 1
    if result is None:
        return await show_requests(opened, plan.views, plan.changes)
    await report(opened, plan, result)
    if result.state == "sent":
        await opened.read_back([view.board for view in plan.views])
    return REFUSED if result.refused or result.unsure else 0


async def claimed_card(opened: Opened, view: BoardView, task: Task, agent: str) -> Claimed:
    """Claim a card. Raises `CallboardError` if it cannot be claimed, or the service is away."""
    me = chosen_person("me", view, opened.store.me)
    plan = claiming(view, task, me, agent)
    return Claimed(plan, None if opened.how.is_dry else await _carried_out(opened, plan))


async def claimed_next(opened: Opened, boards: Sequence[str], agent: str) -> Claimed:
    """Claim the next card, or if others are faster one after it."""
    lost = set[int]()
    while len(lost) < _TRIES:
        views = await own_views(opened, boards)
        found, left_out = candidates(views, opened.store.me, opened.store.relations())
        among = [
            candidate
            for candidate in claimable(found, opened.store.me)
            if candidate.task.id not in lost
        ]
        if not among:
            break
        # Who was too slow leaves the first ones to the others.
        chosen = random.choice(among[: 2 * len(lost) + 1])  # noqa: S311 (not for secrets)
        why = next_of(among[among.index(chosen) :], opened.store.me, wall_clock())
        claimed = await claimed_card(opened, chosen.view, chosen.task, agent)
        if claimed.plan is None or claimed.result is None or not claimed.result.refused:
            plan = claimed.plan and claimed.plan._replace(more={"why": why})
            return Claimed(plan, claimed.result, why)
        lost.add(chosen.task.id)
    if lost:
        return Claimed(None, None, "others claimed every card first")
    every = {**left_out, LeftOut.OWN: len(found)}
    return Claimed(None, None, next_of([], opened.store.me, wall_clock(), every))


def claiming(view: BoardView, task: Task, me: Person, agent: str) -> Plan:
    """The plan of a claim. Raises `CallboardError` if it is not possible."""
    number = f"#{task.id}"
    if task.is_local:
        raise CallboardError(f"{quoted(task.title)} is not sent yet.", hint="callboard sync does.")
    if task.is_closed:
        raise CallboardError(f"{number} is closed.", hint=f"callboard done {task.id} --reopen")
    others = [name for label in task.labels if (name := agent_of(label.title)) and name != agent]
    if others:
        raise CallboardError(
            f"{number} is claimed by {', '.join(others)}.",
            hint=f"callboard claim {task.id} --release",
        )
    if task.assignees and not task.is_assigned_to(me):
        names = ", ".join(person.in_words for person in task.assignees)
        raise CallboardError(f"{number} is assigned to {names}.")
    stage = stage_for(view, task)
    if stage is None:
        raise CallboardError(f"{quoted(view.board.title)} has no stage for {number}.")
    operations = list[Operation]()
    label = next(
        (candidate for candidate in view.labels if agent and agent_of(candidate.title) == agent),
        None,
    )
    if agent and label is None:
        created = change.CreateLabel.new(view.board.id, label_title(agent), free_color(view.labels))
        operations.append(created)
        label = created.label
    is_own = task.is_assigned_to(me) and task.stage_id == stage.id
    if not is_own or (label is not None and label not in task.labels):
        operations.append(change.ClaimTask.on(task, me, stage, label))
    where = f"in {quoted(stage.title)}{f' for {agent}' if agent else ''}"
    return Plan(operations, "claimed", [task], [view], where)


def releasing(opened: Opened, view: BoardView, task: Task) -> Plan:
    """The plan of a release: without the mark of an agent and without the user, where it is."""
    operations = change.release(task, chosen_person("me", view, opened.store.me))
    return Plan(operations, "released", [task], [view])


async def _carried_out(opened: Opened, plan: Plan) -> WriteResult:
    if opened.problems:
        raise CannotGoOn(
            f"{opened.problems[0].message} A claim needs the service: nothing was claimed.",
            hint=opened.problems[0].hint,
        )
    # Older changes may be held up, and must not delay a claim.
    older = {pending.id for pending in opened.store.pending()}
    result = await carried_out(opened, plan, besides=older)
    # A claim that is sent later could take a card that somebody else has by then.
    gone = [await opened.store.discard(waiting.id) for waiting in reversed(result.waiting)]
    if any(gone):
        raise CannotGoOn(f"{result.problem(opened)} Nothing was claimed.")
    return result._replace(waiting=[])
