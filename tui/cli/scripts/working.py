"""The commands about the card of a git branch: `start`, `here` and `hook`."""

import sys
from functools import partial

from tui.cli.output import say
from tui.cli.scripts import git
from tui.cli.scripts.changing import assigning, move, moving
from tui.cli.scripts.chosen import NothingFound, chosen_person
from tui.cli.scripts.opened import How, Opened, run_opened
from tui.cli.scripts.reading import show
from tui.cli.scripts.writing import Plan, carry_out, connect
from tui.config.paths import Places
from tui.config.settings import Settings, chosen_name, load_settings
from tui.errors import CallboardError
from tui.model.board import BoardView, Part, parts_of
from tui.model.task import Person, Task
from tui.store.files.cached import open_cached
from tui.text.clean import quoted

_HOOK = """\
#!/bin/sh
# Adds the card of the branch to the message of a commit, as a trailer such as "Card: #12".
case "$2" in
    merge | commit) exit 0 ;;
esac
trailer=$(callboard here --trailer 2>/dev/null) || exit 0
exec git interpret-trailers --in-place --where end --if-exists addIfDifferent --if-missing add \\
    --trailer "$trailer" "$1"
"""


async def start(opened: Opened, card: str, *, board: str) -> int:
    """Assign a card to the user, move it to the first active stage, and come to its branch.

    Nothing is done if the repository is not ready for that, or git refuses.
    """
    repository = git.read_repository()
    await connect(opened)
    view, task = await opened.card(card, board)
    if task.is_local:
        raise CallboardError(
            f"{quoted(task.title)} is not sent yet, and a branch is named by its number.",
            hint="callboard sync sends it.",
        )
    plan = starting(view, task, chosen_person("me", view, opened.store.me))
    switch = git.switch_to_branch_of(task, opened.settings.branch_name, repository)
    if opened.how.is_dry:
        command = f"git {' '.join(switch.arguments)}" if switch.arguments else switch.done
        return await carry_out(opened, plan._replace(notes=[*plan.notes, command]))
    git.carry_out(switch)
    opened.say(switch.done)
    return await carry_out(opened, plan)


def starting(view: BoardView, task: Task, me: Person) -> Plan:
    """The plan of starting a card: one that is beyond the backlog stays in its stage."""
    parts = parts_of(view.stages)
    active = next((stage for stage in view.stages if parts[stage.id] is Part.ACTIVE), None)
    waits = parts.get(task.stage_id or 0, Part.BACKLOG) is Part.BACKLOG
    stage = active if waits and active else view.stage(task.stage_id or 0)
    moves = moving(view, task, str(stage.id)).operations if stage else ()
    where = f"in {quoted(stage.title)}" if stage else ""
    notes = [f"#{task.id} is closed: callboard done {task.id} --reopen"] if task.is_closed else []
    operations = [*assigning(view, task, [me], removes=False).operations, *moves]
    return Plan(operations, "started", [task], [view], where, notes)


def here(how: How, stage: str | None, *, shown: str) -> int:
    """Print the card of the current git branch, or move it to a stage.

    If only its title is to be shown, it is that which is cached, and the trailer needs no card.
    """
    settings = load_settings(Places.find().settings)
    if stage is not None:
        git.check_repository()
    number = git.card_at_branch(settings.branch_name)
    if shown == "trailer":
        say(f"Card: #{number}")
        return 0
    if shown == "title":
        say(_cached_title(how, settings, number))
        return 0
    card = f"#{number}"
    if stage is not None:
        return run_opened(how, partial(move, card=card, stage=stage, end="", board="", source=""))
    return run_opened(how, partial(show, card=card, board=""))


def _cached_title(how: How, settings: Settings, number: int) -> str:
    profile = settings.profile(chosen_name(how.profile, settings))
    with open_cached(Places.find().cache, profile.name) as cached:
        title = cached.title_of(number)
    if title is None:
        raise NothingFound(f"the card #{number} is not cached.", hint="callboard sync reads it.")
    return title


def print_hook() -> int:
    """Print a hook for git that adds the card of the branch to the message of a commit."""
    sys.stdout.write(_HOOK)
    return 0
