"""All actions on tasks, the same on the board and in a task."""

from tui.screens.actions.comment_actions import CommentActions
from tui.screens.actions.converting_actions import ConvertingActions
from tui.screens.actions.field_actions import FieldActions
from tui.screens.actions.label_actions import LabelActions
from tui.screens.actions.moving_actions import MovingActions
from tui.screens.actions.people_actions import PeopleActions
from tui.screens.actions.text_actions import TextActions


class EveryTaskAction(
    PeopleActions,
    LabelActions,
    FieldActions,
    MovingActions,
    TextActions,
    CommentActions,
    ConvertingActions,
):
    """A screen on which everything can be done to tasks."""
