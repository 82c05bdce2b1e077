"""Setting the title, the settings, the colour and the card limit of a stage."""

from typing import TYPE_CHECKING

from tui.actions.action import Action
from tui.actions.colors import ask_color
from tui.actions.stages.context import StageContext
from tui.errors import CallboardError
from tui.model.board import BoardView, Stage
from tui.model.colors import COLORS, color_words
from tui.model.task import Status
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import quoted

MOST = 9999
"""The largest card limit."""

if TYPE_CHECKING:
    from tui.dialogs.form import Answers, Field


class RenameStage(Action[StageContext]):
    """Asks for a new title of the stage."""

    id, keys, label = "stage.rename", "S r", "Rename stage"
    changes_board = asks = True

    async def run(self, on: StageContext) -> None:
        from tui.dialogs.form import FormDialog

        stage = on.need_stage()
        if stage is None:
            return
        form = FormDialog(f"Stage {quoted(stage.title)}", [title_field(stage.title)])
        asked = await on.ask_about(stage, form)
        if asked is None:
            return
        answer, _, now = asked
        title = answer["title"]
        if title != now.title:
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
            (
                title_field(stage.title),
                status_field(stage.default_status),
                _assignees_field(stage, view),
                _color_field(stage.color),
                _template_field(stage.is_template),
                _limit_field(limit),
            ),
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
        if color is not None and now is not None and color != now[1].color:
            said = f"colour {color_words(color)}" if color else "no colour"
            edit = change.set_stage_color(now[1], color)
            await on.submit([edit], f"{said}: {quoted(stage.title)}")


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


def title_field(title: str) -> "Field":
    """The field for the title of a stage."""
    from tui.dialogs.form import Field

    return Field("title", "Title", title, placeholder="title", is_required=True)


def status_field(status: Status) -> "Field":
    """The field for the default status of a stage."""
    from tui.dialogs.form import Choice, Field

    choices = [Choice(Status.OPEN, "keep status"), Choice(Status.CLOSED, "are closed")]
    return Field("status", "Moved cards", status, choices)


def _assignees_field(stage: Stage, view: BoardView) -> "Field":
    from tui.dialogs.form import Choice, Field

    people = [Choice(str(one.id), one.name or one.login) for one in view.people]
    known = {one.id for one in view.people}
    people += [
        Choice(str(one), f"person {one}") for one in stage.default_assignees if one not in known
    ]
    value = ",".join(map(str, stage.default_assignees))
    return Field("assignees", "New cards get", value, many=people)


def _color_field(color: str) -> "Field":
    from tui.dialogs.form import Choice, Field

    known = ["", *COLORS.values()]
    colors = known if color in known else [color, *known]
    choices = [Choice(one, color_words(one) if one else "none") for one in colors]
    return Field("color", "Colour", color, choices)


def _template_field(is_template: bool) -> "Field":
    from tui.dialogs.form import Field

    return Field("template", "Template", is_template)


def _limit_field(limit: int | None) -> "Field":
    from tui.dialogs.form import Field

    return Field("limit", "Card limit", str(limit or ""), placeholder="none (kept here)")


def _limit(typed: str) -> int | None:
    """The typed card limit. Raises `CallboardError`."""
    if typed and not (typed.isascii() and typed.isdecimal() and 0 < int(typed) <= MOST):
        raise CallboardError(f"The card limit is a number from 1 to {MOST}, or empty.")
    return int(typed) if typed else None
