"""The actions on tasks that every screen with selectable tasks offers."""

from tui.actions.comments.writing import CommentOn, OpenThread
from tui.actions.old import Action
from tui.actions.tasks.basics import Close, EditTitle, Refresh
from tui.actions.tasks.clipboard import COPY_ACTIONS
from tui.actions.tasks.context import TaskContext
from tui.actions.tasks.converting import ToSubtask
from tui.actions.tasks.description import EditDescription
from tui.actions.tasks.fields import (
    SetContact,
    SetCover,
    SetDue,
    SetPriority,
    SetReminder,
    SetStart,
    SetTemplate,
)
from tui.actions.tasks.history import HISTORY_ACTIONS
from tui.actions.tasks.labels import Block, SetLabels
from tui.actions.tasks.moving import Copy, MoveTo
from tui.actions.tasks.people import Assign, AssignMe, Watch
from tui.actions.tasks.removing import Archive, Delete

TASK_ACTIONS: tuple[Action[TaskContext], ...] = (
    EditTitle(), Close(), SetPriority(), SetDue(), Archive(), Delete(), *HISTORY_ACTIONS, Refresh(),
    ToSubtask(), CommentOn(), OpenThread(), EditDescription(), Copy(), MoveTo(), SetStart(),
    SetReminder(), SetTemplate(), SetCover(), SetContact(), SetLabels(), Assign(), AssignMe(),
    Watch(), Block(), *COPY_ACTIONS,
)  # fmt: skip
