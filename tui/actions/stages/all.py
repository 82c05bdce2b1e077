"""Creating, moving, sorting and archiving stages and their cards."""

from tui.actions.action import Action
from tui.actions.stages.context import StageContext
from tui.actions.stages.settings import (
    ChangeStage,
    ColorStage,
    RenameStage,
    status_field,
    title_field,
)
from tui.model.board import Place
from tui.model.task import Status
from tui.navigation import ListRequested
from tui.store import operations as change
from tui.text.clean import counted, quoted


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
            (title_field(""), status_field(Status.OPEN)),
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
        text = f"{_goes(view.count(stage.id))}\nu brings it back, S R lists archived stages."
        title = f"Archive the stage {quoted(stage.title)}?"
        asked = await on.ask_about(stage, ConfirmDialog(title, text))
        if asked is not None:
            _, view, now = asked
            archived = change.ArchiveStage.on(view, now.id)
            await on.submit([archived], f"archived the stage {quoted(stage.title)}")


def _goes(count: int) -> str:
    """What archiving a stage does to its cards."""
    if not count:
        return "It has no cards."
    return f"Its {counted(count, 'card')} {'goes' if count == 1 else 'go'} with it."


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
        text = f"It has {count}, those hidden by a filter included.\nu brings them back."
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
