"""The actions on tasks that every screen with selectable tasks offers."""

from tui.actions.action import Action
from tui.actions.comments.on_task import Comment, OpenThread
from tui.actions.tasks.basics import Close, EditTitle, SetPriority
from tui.actions.tasks.blocking import Block
from tui.actions.tasks.clipboard import COPY_ACTIONS
from tui.actions.tasks.context import TaskContext
from tui.actions.tasks.converting import ToSubtask
from tui.actions.tasks.copying import Copy
from tui.actions.tasks.dates import SetDue, SetReminder, SetStart
from tui.actions.tasks.description import EditDescription
from tui.actions.tasks.fields import SetContact, SetCover, SetTemplate
from tui.actions.tasks.history import HISTORY_ACTIONS
from tui.actions.tasks.labels import SetLabels
from tui.actions.tasks.moving import MoveTo
from tui.actions.tasks.people import Assign, AssignMe, Watch
from tui.actions.tasks.refresh import Refresh
from tui.actions.tasks.removing import Archive, Delete

TASK_ACTIONS: tuple[Action[TaskContext], ...] = (
    EditTitle(), Close(), SetPriority(), SetDue(), Archive(), Delete(), *HISTORY_ACTIONS, Refresh(),
    ToSubtask(), Comment(), OpenThread(), EditDescription(), Copy(), MoveTo(), SetStart(),
    SetReminder(), SetTemplate(), SetCover(), SetContact(), SetLabels(), Assign(), AssignMe(),
    Watch(), Block(), *COPY_ACTIONS,
)  # fmt: skip
