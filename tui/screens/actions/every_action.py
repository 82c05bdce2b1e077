"""All that can be done to tasks by a key, the same wherever tasks are.

The rule it keeps: one list of actions for the board and for the task, so that a key that means
something on a card means the same in the card.
"""

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
