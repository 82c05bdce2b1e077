"""The dialog for cloning tasks: title, target stage, and the parts to copy.

Parts that the service cannot copy are shown with the reason and cannot be selected.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.widgets.option_list import Option

from tui.dialogs.base import Dialog
from tui.model.board import Stage
from tui.model.task import Person, Task
from tui.widgets.keys import quiet_keys
from tui.widgets.pick_list import PickList

_STAGE = "stage"
_PARTS = ("people", "labels", "subtasks", "comments")
_DEFAULT_PARTS = frozenset({"people", "labels", "subtasks"})
"""The parts that are copied by default."""


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
        super().__init__(title)
        self._tasks = tuple(tasks)
        self._stages: list[Stage | None] = [*stages]
        if len({task.stage_id for task in tasks}) > 1:
            self._stages.insert(0, None)
        ids = [None if stage is None else stage.id for stage in self._stages]
        home = self._tasks[0].stage_id
        self._stage = ids.index(home) if home in ids and None not in ids else 0
        self._no_subtasks = no_subtasks
        self._parts = set(_DEFAULT_PARTS - ({"subtasks"} if no_subtasks else set()))

    def body(self) -> Iterable[Widget]:
        if len(self._tasks) == 1:
            yield Input(self._tasks[0].title, compact=True, select_on_focus=False)
        else:
            yield Static(Content("each under its own title"), classes="dialog-text")
        yield PickList(classes="picks")

    def on_mount(self) -> None:
        self._list(0)

    def on_option_list_option_selected(self) -> None:
        self.action_pick()

    def action_go(self, lines: int) -> None:
        """Move between the title and the rows of the list, around the ends."""
        options, typed = self.query_one(PickList), self.query(Input)
        at = options.highlighted or 0
        if not options.has_focus:
            options.focus()
            options.highlighted = 0 if lines > 0 else options.option_count - 1
        elif typed and at + lines in (-1, options.option_count):
            typed.focus()
        elif lines > 0:
            options.action_cursor_down()
        else:
            options.action_cursor_up()

    def action_pick(self) -> None:
        """Toggle the part at the cursor; on the stage row, select the next stage."""
        at = self.query_one(PickList).highlighted or 0
        if at == 0:
            self.action_stage(1)
        elif _PARTS[at - 1] != "subtasks" or not self._no_subtasks:
            self._parts ^= {_PARTS[at - 1]}
            self._list(at)

    def action_stage(self, by: int) -> None:
        self._stage = (self._stage + by) % len(self._stages) if self._stages else 0
        self._list(self.query_one(PickList).highlighted or 0)

    def action_take(self) -> None:
        typed = self.query(Input)
        title = " ".join(typed.first(Input).value.split()) if typed else ""
        stage = self._stages[self._stage] if self._stages else None
        stage_id = None if stage is None else stage.id
        self.dismiss(Cloning(title, stage_id, frozenset(self._parts)))

    def _list(self, at: int) -> None:
        """Update the list, with the cursor at row `at`."""
        stage = self._stages[self._stage] if self._stages else None
        name = "each where it is" if stage is None else stage.title or "(no title)"
        lines = [Content.assemble("to stage  ", ("← ", "$quiet"), name, (" →", "$quiet"))]
        for part in _PARTS:
            sign = "[x] " if part in self._parts else "[ ] "
            lines.append(
                Content(sign + part) + Content.styled(f"  {self._part_hint(part)}", "$quiet")
            )
        options = self.query_one(PickList)
        options.set_options(Option(line) for line in lines)
        options.highlighted = at

    def _part_hint(self, part: str) -> str:
        """The content of a part, or the reason why it cannot be copied."""
        if part == "subtasks" and self._no_subtasks:
            return self._no_subtasks
        if part in ("people", "labels"):
            names = [
                one.name or one.login if isinstance(one, Person) else one.title or one.color
                for task in self._tasks
                for one in (task.assignees if part == "people" else task.labels)
            ]
            return ", ".join(dict.fromkeys(names)) or "none"
        counts = {
            "subtasks": sum(task.subtasks_total for task in self._tasks),
            "comments": sum(task.comments_count for task in self._tasks),
        }
        return str(counts[part]) if counts[part] else "none"
