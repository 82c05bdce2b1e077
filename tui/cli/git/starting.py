"""`callboard start`: takes a card from the backlog, and comes to its git branch."""

from tui.cli.git import repository
from tui.cli.scripts.changing import assigning, moving
from tui.cli.scripts.chosen import chosen_person
from tui.cli.scripts.opened import Opened
from tui.cli.scripts.writing import Plan, carry_out, connect
from tui.config.stage_settings import with_own_settings
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.model.ids import numbered
from tui.model.task import Person, Task
from tui.model.work.next_card import stage_for
from tui.text.clean import quoted


async def start(opened: Opened, card: str, *, board: str) -> int:
    """Assign a card to the user, move it to the first active stage, and come to its branch.

    Nothing is done if the repository is not ready for that, or git refuses.
    """
    current = repository.read_repository()
    await connect(opened)
    view, task = await opened.card(card, board)
    if task.is_local:
        raise CallboardError(
            f"{quoted(task.title)} is not sent yet, so it has no number for a branch.",
            hint="callboard sync sends it.",
        )
    view = with_own_settings(view, opened.preferences)
    plan = starting(view, task, chosen_person("me", view, opened.store.me))
    blocking = opened.store.relations().blocking(task)
    waits = [
        f"#{task.id} is blocked by {numbered(blocker.id)} {quoted(blocker.title)}"
        for blocker in blocking
    ]
    plan = plan._replace(notes=[*plan.notes, *waits])
    switch = repository.switch_to_branch_of(task, opened.settings.branch_name, current)
    if opened.how.is_dry:
        command = f"git {' '.join(switch.arguments)}" if switch.arguments else switch.done
        return await carry_out(opened, plan._replace(notes=[*plan.notes, command]))
    # git comes first, so that the card is left alone if git refuses.
    repository.carry_out(switch)
    opened.say(switch.done)
    return await carry_out(opened, plan)


def starting(view: BoardView, task: Task, me: Person) -> Plan:
    """The plan of starting a card: one that is beyond the backlog stays in its stage."""
    stage = stage_for(view, task)
    moves = moving(view, task, str(stage.id)).operations if stage else ()
    where = f"in {quoted(stage.title)}" if stage else ""
    notes = [f"#{task.id} is closed: callboard done {task.id} --reopen"] if task.is_closed else []
    operations = [*assigning(view, task, [me], removes=False).operations, *moves]
    return Plan(operations, "started", [task], [view], where, notes)
