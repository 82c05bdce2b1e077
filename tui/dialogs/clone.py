"""The dialog for cloning tasks: title, target stage, and the parts to copy.

Parts that the service cannot copy are shown with the reason and cannot be selected.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input
from textual.widgets.option_list import Option

from tui.dialogs.base import Dialog
from tui.dialogs.questions import PickList
from tui.model.board import Stage
from tui.model.task import Task
from tui.widgets.keys import quiet_keys


class Cloning(NamedTuple):
    """The answer; an empty title keeps the title of each task, no stage keeps the stage of each."""

    title: str
    stage_id: int | None
    parts: frozenset[str]


class CloneDialog(Dialog[Cloning]):
    """Asks how to clone tasks; `no_subtasks` is the reason why subtasks cannot be copied."""

    keys_text = (
        "{clone.take:↵} clone   {clone.down:↓} {clone.toggle:space} choose   "
        "{clone.stage-left:←} {clone.stage-right:→} stage   {dialog.cancel:esc} cancel"
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *quiet_keys(
            "clone",
            ("take", "enter", "take", "Clone"),
            ("down", "down,tab", "go(1)", "Next line"),
            ("up", "up,shift+tab", "go(-1)", "Previous line"),
            priority=True,
        ),
        *quiet_keys(
            "clone",
            ("toggle", "space", "pick", "Include or leave out"),
            ("stage-left", "left,h", "stage(-1)", "Previous stage"),
            ("stage-right", "right,l", "stage(1)", "Next stage"),
        ),
    ]

    def __init__(
        self, title: str, tasks: Sequence[Task], stages: Sequence[Stage], *, no_subtasks: str = ""
    ) -> None:
        super().__init__(title, "" if len(tasks) == 1 else "each under its own title")
        self._title_now = tasks[0].title if len(tasks) == 1 else None
        people = dict.fromkeys(each.name or each.login for task in tasks for each in task.assignees)
        labels = dict.fromkeys(each.title or each.color for task in tasks for each in task.labels)
        subtasks = str(sum(task.subtasks_total for task in tasks) or "none")
        self._hints = {
            "people": ", ".join(people) or "none",
            "labels": ", ".join(labels) or "none",
            "subtasks": no_subtasks or subtasks,
            "comments": str(sum(task.comments_count for task in tasks) or "none"),
        }
        """What there is of each part, or the reason why it cannot be copied."""
        homes = {task.stage_id for task in tasks}
        names = [(stage.id, stage.title or "(no title)") for stage in stages]
        self._stages: list[tuple[int | None, str]] = [*names]
        if len(homes) > 1 or not stages:
            self._stages.insert(0, (None, "each where it is"))
        self._stage = next((at for at, (home, _) in enumerate(names) if homes == {home}), 0)
        self._no_subtasks = no_subtasks
        self._parts = {"people", "labels"} if no_subtasks else {"people", "labels", "subtasks"}

    def body(self) -> Iterable[Widget]:
        if self._title_now is not None:
            yield Input(self._title_now, compact=True, select_on_focus=False)
        yield PickList(classes="picks")

    def on_mount(self) -> None:
        self._list(0)

    def on_option_list_option_selected(self) -> None:
        self.action_pick()

    def action_go(self, lines: int) -> None:
        options, typed = self.query_one(PickList), self.query(Input)
        at = options.highlighted or 0
        if not options.has_focus:
            options.focus()
            options.highlighted = 0 if lines > 0 else options.option_count - 1
        elif typed and at + lines in (-1, options.option_count):
            typed.focus()
        else:
            options.highlighted = (at + lines) % options.option_count

    def action_pick(self) -> None:
        at = self.query_one(PickList).highlighted or 0
        part = ("", *self._hints)[at]
        if not part:
            self.action_stage(1)
        elif part != "subtasks" or not self._no_subtasks:
            self._parts ^= {part}
            self._list(at)

    def action_stage(self, by: int) -> None:
        self._stage = (self._stage + by) % len(self._stages)
        self._list(self.query_one(PickList).highlighted or 0)

    def action_take(self) -> None:
        title = " ".join(word for typed in self.query(Input) for word in typed.value.split())
        stage_id, _ = self._stages[self._stage]
        self.dismiss(Cloning(title, stage_id, frozenset(self._parts)))

    def _list(self, at: int) -> None:
        _, name = self._stages[self._stage]
        lines = [Content.assemble("to stage  ", ("← ", "$quiet"), name, (" →", "$quiet"))]
        for part, hint in self._hints.items():
            sign = "[x] " if part in self._parts else "[ ] "
            lines.append(Content.assemble(sign, part, (f"  {hint}", "$quiet")))
        options = self.query_one(PickList)
        options.set_options(Option(line) for line in lines)
        options.highlighted = at
