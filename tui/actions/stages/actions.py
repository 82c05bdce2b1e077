"""Actions on the stage at the cursor: creating, changing, moving, sorting and archiving it."""

from typing import TYPE_CHECKING

from tui.actions.colors import ask_color
from tui.actions.old import Action
from tui.actions.stages.context import StageContext
from tui.errors import CallboardError
from tui.model.board import BoardView, Place, Stage
from tui.model.colors import COLORS, color_words
from tui.model.task import Status
from tui.navigation import ListRequested
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted
from tui.text.keyed import keyed

if TYPE_CHECKING:
    from tui.dialogs.form import Answers, Field

MOST = 9999
"""The largest card limit."""
_BACK = "{board.undo:u} brings it back, {stage.archived:S R} lists archived stages."


class NewStage(Action[StageContext]):
    """Asks for title and default status of a stage, and creates it beside the one at the cursor."""

    changes_board = asks = True

    def __init__(self, side: str, key: str) -> None:
        self.id, self.keys, self.label = f"stage.new-{side}", f"S {key}", f"New stage {side}"
        self._side = side

    async def run(self, on: StageContext) -> None:
        from tui.dialogs.form import FormDialog

        stage = on.view.stage(on.columns.stage_id) if on.view is not None else None
        beside = "" if stage is None else f" {self._side} of {quoted(stage.title)}"
        form = FormDialog(
            f"New stage{beside}",
            (_title_field(""), _status_field(Status.OPEN)),
            verb="make it",
        )
        answer = await on.ask(form)
        if answer is None or on.view is None:
            return
        title = answer["title"]
        ids = [each.id for each in on.view.stages]
        here = on.tasks.called(stage.id) if stage is not None else None
        index = ids.index(here) + (self._side == "right") if here in ids else len(ids)
        place = Place(ids[index - 1] if index else None, ids[index] if index < len(ids) else None)
        made = change.new_stage_at(on.tasks.board_id, title, place, Status(answer["status"]))
        if await on.submit(made, f"added the stage {quoted(title)}"):
            on.columns.go_to_stage(on.tasks.called(made[0].subject.id))


class RenameStage(Action[StageContext]):
    """Asks for a new title of the stage."""

    id, keys, label = "stage.rename", "S r", "Rename stage"
    changes_board = asks = True

    async def run(self, on: StageContext) -> None:
        from tui.dialogs.form import FormDialog

        stage = on.need_stage()
        if stage is None:
            return
        form = FormDialog(f"Stage {quoted(stage.title)}", [_title_field(stage.title)])
        asked = await on.ask_about(stage, form)
        if asked is None:
            return
        answer, _, now = asked
        title = answer["title"]
        await on.submit([change.rename_stage(now, title)], f"renamed to {quoted(title)}")


class ChangeStage(Action[StageContext]):
    """Asks for title, settings and card limit of the stage."""

    id, keys, label = "stage.edit", "S e", "Edit stage"
    changes_board = asks = True

    async def run(self, on: StageContext) -> None:
        from tui.dialogs.form import FormDialog

        stage, view = on.need_stage(), on.view
        if stage is None or view is None:
            return
        limit = on.tasks.limits.get(stage.id)
        form = FormDialog(
            f"Stage {quoted(stage.title)}",
            _fields(stage, view, limit),
            check=lambda answers: _limit(answers["limit"]),
        )
        asked = await on.ask_about(stage, form)
        if asked is None:
            return
        answer, _, now = asked
        most = _limit(answer["limit"])
        if most != limit:
            on.keep_limit(now.id, most)
        if operations := _settings(stage, now, answer):
            await on.submit(operations, f"changed the stage {quoted(now.title)}")
        elif most != limit:
            on.say(f"card limit of {quoted(stage.title)}: {most or 'none'}", hint="only here")
        else:
            on.say(f"the stage {quoted(stage.title)} stays as it is")


class ColorStage(Action[StageContext]):
    """Asks for the colour of the stage."""

    id, keys, label = "stage.color", "S c", "Set colour of stage"
    changes_board = asks = True

    async def run(self, on: StageContext) -> None:
        stage = on.need_stage()
        if stage is None:
            return
        color = await ask_color(on.ask, f"Colour of {quoted(stage.title)}", stage.color)
        now = on.as_now(stage) if color is not None else None
        if color is not None and now is not None:
            said = f"colour {color_words(color)}" if color else "no colour"
            edit = change.set_stage_color(now[1], color)
            await on.submit([edit], f"{said}: {quoted(stage.title)}")


class SortStage(Action[StageContext]):
    """Asks by what to sort the cards of the stage, and sorts them for everybody."""

    id, keys, label = "stage.sort", "S s", "Sort cards of stage"
    changes_board = asks = True

    async def run(self, on: StageContext) -> None:
        from tui.dialogs.choose import Choice, ChooseDialog

        loaded = on.need_loaded()
        if loaded is None:
            return
        _, stage = loaded
        choices = [Choice(key, words, key) for key, (words, *_) in _ORDERS.items()]
        dialog = ChooseDialog(f"Sort the cards of {quoted(stage.title)}", choices)
        asked = await on.ask_about(stage, dialog)
        if asked is None:
            return
        answer, view, now = asked
        words, by, descending = _ORDERS[answer]
        operation = change.SortStage.on(now, change.SortBy(by), descending=descending)
        if operation.apply(view).in_stage(now.id) == view.in_stage(now.id):
            on.say(f"the cards of {quoted(stage.title)} are in that order already")
        else:
            await on.submit([operation], f"sorted {quoted(stage.title)}: {words}")


_ORDERS = {
    "p": ("priority, high first", "priority", False),
    "P": ("priority, low first", "priority", True),
    "d": ("due date, earliest first", "due_at", False),
    "D": ("due date, latest first", "due_at", True),
    "c": ("created, oldest first", "created_at", False),
    "C": ("created, newest first", "created_at", True),
    "t": ("title, A to Z", "title", False),
    "T": ("title, Z to A", "title", True),
    "r": ("current order reversed", "position", True),
}
"""The orders by key: words, field and whether it is descending."""


class LiftStage(Action[StageContext]):
    """Lifts the column, so that the keys of the cursor move it."""

    id, keys, label = "stage.lift", "S m", "Move stage"
    changes_board = True

    async def run(self, on: StageContext) -> None:
        on.columns.lift_column()


class ArchiveStage(Action[StageContext]):
    """Asks for confirmation, then archives the stage with its cards."""

    id, keys, label = "stage.archive", "S A", "Archive stage"
    changes_board = asks = True

    async def run(self, on: StageContext) -> None:
        from tui.dialogs.confirm import ConfirmDialog

        loaded = on.need_loaded()
        if loaded is None:
            return
        view, stage = loaded
        count = view.count(stage.id)
        goes = f"Its {counted(count, 'card')} {'goes' if count == 1 else 'go'} with it."
        text = f"{goes if count else 'It has no cards.'}\n{keyed(_BACK)}"
        title = f"Archive the stage {quoted(stage.title)}?"
        asked = await on.ask_about(stage, ConfirmDialog(title, text))
        if asked is not None:
            _, view, now = asked
            archived = change.ArchiveStage.on(view, now.id)
            await on.submit([archived], f"archived the stage {quoted(stage.title)}")


class ArchiveCards(Action[StageContext]):
    """Asks for confirmation, then archives all cards of the stage."""

    id, keys, label = "stage.archive-cards", "S X", "Archive stage cards"
    changes_board = asks = True

    async def run(self, on: StageContext) -> None:
        from tui.dialogs.confirm import ConfirmDialog

        loaded = on.need_loaded()
        if loaded is None:
            return
        view, stage = loaded
        count = counted(view.count(stage.id), "card")
        if not view.count(stage.id):
            on.say(f"{quoted(stage.title)} has no cards to archive")
            return
        title = f"Archive all cards of {quoted(stage.title)}?"
        back = keyed("{board.undo:u} brings them back.")
        text = f"It has {count}, those hidden by a filter included.\n{back}"
        asked = await on.ask_about(stage, ConfirmDialog(title, text))
        if asked is not None:
            archived = change.ArchiveTasks.on(*asked[1:])
            count = counted(len(archived.tasks), "card")
            await on.submit([archived], f"archived {count} of {quoted(stage.title)}")


class ShowArchivedStages(Action[StageContext]):
    """Shows the archived stages of the board."""

    id, keys, label = "stage.archived", "S R", "Show archived stages"

    async def run(self, on: StageContext) -> None:
        on.tasks.host.post_message(ListRequested("archived_stages", on.tasks.board_id))


STAGE_ACTIONS: tuple[Action[StageContext], ...] = (
    NewStage("right", "n"), NewStage("left", "N"), RenameStage(), ChangeStage(), ColorStage(),
    SortStage(), LiftStage(), ArchiveStage(), ArchiveCards(), ShowArchivedStages(),
)  # fmt: skip
"""The actions on the stage at the cursor of a board."""


def _settings(before: Stage, now: Stage, answer: "Answers") -> list[Operation]:
    """The operations that set what was changed in the form."""
    title = answer["title"]
    status = Status(answer["status"])
    people = tuple(int(one) for one in answer["assignees"].split(",") if one)
    is_template = bool(answer["template"])
    operations: list[Operation] = []
    if title != before.title:
        operations.append(change.rename_stage(now, title))
    if status is not before.default_status:
        operations.append(change.set_stage_status(now, status))
    if set(people) != set(before.default_assignees):
        operations.append(change.set_stage_assignees(now, people))
    if answer["color"] != before.color:
        operations.append(change.set_stage_color(now, answer["color"]))
    if is_template is not before.is_template:
        operations.append(change.set_stage_template(now, is_template=is_template))
    return operations


def _title_field(title: str) -> "Field":
    from tui.dialogs.form import Field

    return Field("title", "Title", title, placeholder="title", is_required=True)


def _status_field(status: Status) -> "Field":
    from tui.dialogs.form import Choice, Field

    choices = [Choice(Status.OPEN, "keep status"), Choice(Status.CLOSED, "are closed")]
    return Field("status", "Moved cards", status, choices)


def _fields(stage: Stage, view: BoardView, limit: int | None) -> "list[Field]":
    from tui.dialogs.form import Choice, Field

    people = {one.id: one.name or one.login for one in view.people}
    people |= {one: f"person {one}" for one in stage.default_assignees if one not in people}
    new_cards = ",".join(map(str, stage.default_assignees))
    known = ["", *COLORS.values()]
    colors = known if stage.color in known else [stage.color, *known]
    return [
        _title_field(stage.title),
        _status_field(stage.default_status),
        Field(
            "assignees",
            "New cards get",
            new_cards,
            many=[Choice(str(one), name) for one, name in people.items()],
        ),
        Field(
            "color",
            "Colour",
            stage.color,
            [Choice(one, color_words(one) if one else "none") for one in colors],
        ),
        Field("template", "Template", stage.is_template),
        Field("limit", "Card limit", str(limit or ""), placeholder="none (kept here)"),
    ]


def _limit(typed: str) -> int | None:
    """The typed card limit. Raises `CallboardError`."""
    if typed and not (typed.isascii() and typed.isdecimal() and 0 < int(typed) <= MOST):
        raise CallboardError(f"The card limit is a number from 1 to {MOST}, or empty.")
    return int(typed) if typed else None
