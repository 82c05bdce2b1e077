"""`callboard next`: the card to take now, and why that one."""

from collections.abc import Sequence

from tui.cli.output import say, say_beside, write, write_json
from tui.cli.scripts.documents import card_document
from tui.cli.scripts.opened import Opened
from tui.config.stage_settings import with_own_settings
from tui.model.board import BoardView
from tui.model.work.next_card import NextCard, next_card
from tui.text.clean import quoted
from tui.text.dates import wall_clock


async def print_next(opened: Opened, boards: Sequence[str], *, only_ids: bool) -> int:
    """Print the card to take; the exit code is 1 if there is none."""
    await opened.connect()
    found = await chosen_next(opened, boards)
    opened.say_problem([found.view.board] if found.view else opened.named(boards))
    task, view = found.task, found.view
    if opened.how.as_json:
        card = card_document(task, view) if task and view else None
        write_json({"card": card, "why": found.why})
    elif task is None or view is None:
        say_beside(f"callboard: {found.why}.")
    elif only_ids:
        write(f"{task.id}\n")
    else:
        stage = view.stage(task.stage_id)
        say(f"#{task.id} {task.title}" if task.id > 0 else f"(not sent yet) {task.title}")
        where = f"{quoted(stage.title)} on " if stage else ""
        say(f"{where}{quoted(view.board.title)}: {found.why}")
    return int(task is None)


async def chosen_next(opened: Opened, boards: Sequence[str]) -> NextCard:
    """The card to take of the named boards, of all without names."""
    views, store = await own_views(opened, boards), opened.store
    return next_card(views, store.me, wall_clock(), store.relations())


async def own_views(opened: Opened, boards: Sequence[str]) -> list[BoardView]:
    """The named boards, all without names, with the kinds of stages that the user chose."""
    views = await opened.views(opened.named(boards))
    return [with_own_settings(view, opened.preferences) for view in views]
