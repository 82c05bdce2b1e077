"""The groups of the timeline of a board, and where its cards are."""

from datetime import datetime

from tui.model.board import BoardView
from tui.model.people import Account
from tui.model.timeline.rows import Groups, Places
from tui.model.work.saved_view import SavedView, ViewGroup
from tui.model.work.view_rows import grouped, view_rows


def board_groups(view: BoardView, group: ViewGroup, me: Account, now: datetime) -> Groups:
    """The cards of a board in groups; of the stages also those without cards."""
    if group is ViewGroup.STAGE:
        return [(stage.title, view.in_stage(stage.id)) for stage in view.stages]
    return grouped(view_rows([view], SavedView("", group=group), me, now))


def stage_places(view: BoardView) -> Places:
    """Says in which stage of a board a card is."""
    titles = {stage.id: stage.title for stage in view.stages}
    return lambda task: titles.get(task.stage_id or 0, "")
