"""The actions on the stage at the cursor, and the choice of swimlanes over all stages."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from textual.screen import Screen

from tui.actions.action import action, board_action
from tui.actions.host import Answer
from tui.config.stage_settings import KINDS, LIMITS, chosen_kinds
from tui.errors import CallboardError
from tui.model.board import BoardView, Place, Stage, StageKind
from tui.model.colors import COLORS, color_words
from tui.model.fields.plain import STAGE_SETTINGS
from tui.model.moving import stage_lift
from tui.model.moving.lanes import Grouping
from tui.model.moving.stage_lift import StageLift
from tui.model.stage_kinds import kinds_of
from tui.model.task import Status
from tui.navigation import ListRequested
from tui.screens.board.deck import Deck
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted
from tui.text.keyed import keyed

if TYPE_CHECKING:
    from tui.dialogs.form import Answers, FormField

MOST = 9999
"""The largest card limit."""
_BACK = "{board.undo:u} to restore it, {stage.archived:S R} to list archived stages."
_NO_LANES = "none"
_LANES = (
    ("p", "Person", Grouping.PERSON),
    ("r", "Priority", Grouping.PRIORITY),
    ("l", "Label", Grouping.LABEL),
    ("d", "Due date", Grouping.DUE),
    ("n", "No swimlanes", _NO_LANES),
)
_ORDERS = {
    "p": ("priority, high first", "priority", False),
    "P": ("priority, low first", "priority", True),
    "d": ("due date, earliest first", "due_at", False),
    "D": ("due date, latest first", "due_at", True),
    "c": ("created, oldest first", "created_at", False),
    "C": ("created, newest first", "created_at", True),
    "t": ("title, A to Z", "title", False),
    "T": ("title, Z to A", "title", True),
    "r": ("reverse current order", "position", True),
}
"""The orders by key: words, field and whether it is descending."""


class StageActions:
    """What is done with the stages of a deck; `redraw` draws the board again."""

    def __init__(self, deck: Deck, redraw: Callable[[], None]) -> None:
        self._cards, self._deck = deck.cards, deck
        self._redraw = redraw

    @action("board.swimlanes", "B", "Group cards in swimlanes", asks=True)
    async def choose_lanes(self) -> None:
        from tui.dialogs.questions import ChooseDialog, QuestionChoice

        current = self._deck.grouping or _NO_LANES
        choices = [QuestionChoice(*choice) for choice in _LANES]
        answer = await self._cards.ask(ChooseDialog("Swimlanes by …", choices, current))
        if answer is None or answer == current:
            return
        self._deck.group(None if answer == _NO_LANES else Grouping(answer))
        folds = {"folded-lanes": self._deck.folded_lanes}
        self._cards.context.preferences.keep(self._cards.board_id, lanes=answer, **folds)
        self._redraw()

    @board_action(
        "stage.new-right", "S n", "New stage right", words="column", asks=True, arguments=("right",)
    )
    @board_action(
        "stage.new-left", "S N", "New stage left", words="column", asks=True, arguments=("left",)
    )
    async def new(self, side: str) -> None:
        from tui.dialogs.form import FormDialog

        view = self._cards.view
        stage = view.stage(self._deck.stage_id) if view is not None else None
        beside = "" if stage is None else f" {side} of {quoted(stage.title)}"
        fields = (_title_field(""), _status_field(Status.OPEN))
        form = FormDialog(f"New stage{beside}", fields, verb="add")
        answer = await self._cards.ask(form)
        if answer is None or self._cards.view is None:
            return
        title = answer["title"]
        # While the form was open, the stage may have got its id, moved, or gone.
        ids = [present.id for present in self._cards.view.stages]
        current_id = self._cards.called(stage.id) if stage is not None else None
        index = ids.index(current_id) + (side == "right") if current_id in ids else len(ids)
        place = Place(ids[index - 1] if index else None, ids[index] if index < len(ids) else None)
        operations = change.new_stage_at(
            self._cards.board_id, title, place, Status(answer["status"])
        )
        if await self._cards.submit(operations, f"added the stage {quoted(title)}"):
            self._deck.go_to_stage(self._cards.called(operations[0].subject.id))

    @board_action("stage.rename", "S r", "Rename stage", words="column", asks=True)
    async def rename(self) -> None:
        from tui.dialogs.form import FormDialog

        if (current := self._here()) is None:
            return
        _, stage = current
        form = FormDialog(f"Stage {quoted(stage.title)}", [_title_field(stage.title)])
        if asked := await self._ask_about(stage, form):
            answer, _, now = asked
            title = answer["title"]
            edit = change.rename_stage(now, title)
            await self._cards.submit([edit], f"renamed to {quoted(title)}")

    @board_action("stage.edit", "S e", "Edit stage", words="column limit", asks=True)
    async def edit(self) -> None:
        from tui.dialogs.form import FormDialog

        if (current := self._here()) is None:
            return
        view, stage = current
        limit = self._cards.limits.get(stage.id)
        kind = self._kinds.get(stage.id)
        form = FormDialog(
            f"Stage {quoted(stage.title)}",
            _fields(stage, view, limit, kind),
            check=lambda answers: _limit(answers["limit"]),
        )
        asked = await self._ask_about(stage, form)
        if asked is None:
            return
        answer, _, now = asked
        most, chosen = _limit(answer["limit"]), answer["kind"]
        own_settings = []
        if chosen != (kind or ""):
            own_settings.append(chosen or "its kind is guessed")
        if most != limit:
            own_settings.append(f"card limit {most or 'none'}")
        if own_settings:
            self._keep(now, most, chosen)
        if operations := _settings(stage, now, answer):
            await self._cards.submit(operations, f"changed the stage {quoted(now.title)}")
        elif own_settings:
            self._cards.say(
                f"{quoted(stage.title)}: {', '.join(own_settings)}", hint="only on this computer"
            )
        else:
            self._cards.say(f"stage {quoted(stage.title)} unchanged")

    @board_action("stage.color", "S c", "Set colour of stage", words="column color", asks=True)
    async def set_color(self) -> None:
        from tui.actions.tasks.fields import ask_color

        if (current := self._here()) is None:
            return
        _, stage = current
        color = await ask_color(self._cards, f"Colour of {quoted(stage.title)}", stage.color)
        if color is not None and (now := self._as_now(stage)):
            message = f"colour {color_words(color)}" if color else "no colour"
            edit = change.set_stage_color(now[1], color)
            await self._cards.submit([edit], f"{message}: {quoted(stage.title)}")

    @board_action("stage.sort", "S s", "Sort cards of stage", words="column", asks=True)
    async def sort(self) -> None:
        from tui.dialogs.questions import ChooseDialog, QuestionChoice

        if (current := await self._with_all_cards()) is None:
            return
        _, stage = current
        choices = [QuestionChoice(key, words, key) for key, (words, *_) in _ORDERS.items()]
        dialog = ChooseDialog(f"Sort the cards of {quoted(stage.title)}", choices)
        asked = await self._ask_about(stage, dialog)
        if asked is None:
            return
        answer, view, now = asked
        words, by, descending = _ORDERS[answer]
        operation = change.SortStage.on(now, change.SortBy(by), descending=descending)
        if operation.apply(view).in_stage(now.id) == view.in_stage(now.id):
            self._cards.say(f"the cards in {quoted(stage.title)} are already in that order")
        else:
            await self._cards.submit([operation], f"sorted {quoted(stage.title)}: {words}")

    @board_action("stage.lift", "S m", "Move stage", words="column")
    def lift(self) -> None:
        self._deck.lift_column()

    @board_action("stage.archive", "S A", "Archive stage", words="column delete", asks=True)
    async def archive(self) -> None:
        from tui.dialogs.questions import ConfirmDialog

        if (current := await self._with_all_cards()) is None:
            return
        view, stage = current
        count = view.count(stage.id)
        goes = f"Its {counted(count, 'card')} {'goes' if count == 1 else 'go'} with it."
        text = f"{goes if count else 'It has no cards.'}\n{keyed(_BACK)}"
        dialog = ConfirmDialog(f"Archive the stage {quoted(stage.title)}?", text)
        if asked := await self._ask_about(stage, dialog):
            _, view, now = asked
            archived = change.ArchiveStage.on(view, now.id)
            await self._cards.submit([archived], f"archived the stage {quoted(stage.title)}")

    @board_action("stage.archive-cards", "S X", "Archive stage cards", asks=True)
    async def archive_cards(self) -> None:
        from tui.dialogs.questions import ConfirmDialog

        if (current := await self._with_all_cards()) is None:
            return
        view, stage = current
        if not view.count(stage.id):
            self._cards.say(f"{quoted(stage.title)} has no cards to archive")
            return
        count = counted(view.count(stage.id), "card")
        back = keyed("{board.undo:u} to restore them.")
        text = f"It has {count}, including those hidden by a filter.\n{back}"
        dialog = ConfirmDialog(f"Archive all cards of {quoted(stage.title)}?", text)
        if asked := await self._ask_about(stage, dialog):
            archived = change.ArchiveTasks.on(*asked[1:])
            count = counted(len(archived.tasks), "card")
            await self._cards.submit([archived], f"archived {count} of {quoted(stage.title)}")

    @action("stage.archived", "S R", "Show archived stages")
    def show_archived(self) -> None:
        self._cards.host.post_message(ListRequested("archived_stages", self._cards.board_id))

    def _keep(self, stage: Stage, most: int | None, kind: str) -> None:
        preferences, board_id = self._cards.context.preferences, self._cards.board_id
        preferences.put(board_id, LIMITS, stage.id, most)
        preferences.put(board_id, KINDS, stage.id, kind or None)
        self._redraw()

    @property
    def _kinds(self) -> Mapping[int, StageKind]:
        return chosen_kinds(self._cards.context.preferences, self._cards.board_id)

    def _here(self) -> tuple[BoardView, Stage] | None:
        # The board and the stage at the cursor.
        view = self._cards.view
        stage = view.stage(self._deck.stage_id) if view is not None else None
        if view is None or stage is None:
            self._cards.say("this board has no stages yet", hint="{stage.new-right:S n} to add one")
        else:
            return view, stage
        return None

    async def _with_all_cards(self) -> tuple[BoardView, Stage] | None:
        # The board and the stage at the cursor, once all cards of the board are loaded.
        from tui.actions.tasks.loading import complete_board

        current = self._here()
        if current is None or await complete_board(self._cards.host, self._cards.board_id) is None:
            return None
        return self._as_now(current[1])

    async def _ask_about(
        self, stage: Stage, dialog: Screen[Answer | None]
    ) -> tuple[Answer, BoardView, Stage] | None:
        answer = await self._cards.ask(dialog)
        now = self._as_now(stage) if answer else None
        return None if answer is None or now is None else (answer, *now)

    def _as_now(self, stage: Stage) -> tuple[BoardView, Stage] | None:
        view = self._cards.view
        # The stage as others may have changed it while a dialog was open.
        now = view.stage(self._cards.called(stage.id)) if view is not None else None
        if view is None or now is None:
            gone = f"stage {quoted(stage.title)} was deleted: nothing was changed"
            self._cards.say(gone, error=True)
            return None
        return view, now

    async def move(self, lifted: StageLift) -> None:
        """Move a stage to where it was dropped; nothing if that is where it was."""
        view = self._cards.view
        stage = view.stage(lifted.stage_id) if view is not None else None
        if view is None or stage is None:
            return
        place = stage_lift.place(lifted, view)
        if place is None:
            self._cards.say(f"stage {quoted(stage.title)} not moved")
        else:
            moved = change.MoveStage.on(stage, place)
            await self._cards.submit([moved], f"moved the stage {quoted(stage.title)}")


def _settings(previous: Stage, stage: Stage, answer: "Answers") -> list[Operation]:
    title, template = answer["title"], STAGE_SETTINGS["template"].kind
    operations: list[Operation] = []
    if title != previous.title:
        operations.append(change.rename_stage(stage, title))
    if answer["color"] != previous.color:
        operations.append(change.set_stage_color(stage, answer["color"]))
    wanted = {**answer, "template": template.spell(answer["template"])}
    for name, setting in STAGE_SETTINGS.items():
        value = setting.kind.parse(wanted[name])
        if setting.kind.spell(value) != setting.kind.spell(setting.of(previous)):
            operations.append(change.set_setting(stage, name, value))
    return operations


def _title_field(title: str) -> "FormField":
    from tui.dialogs.form import FormField

    return FormField("title", "Title", title, placeholder="title", is_required=True)


def _status_field(status: Status) -> "FormField":
    from tui.dialogs.form import Choice, FormField

    choices = [
        Choice(Status.OPEN, "keep status"),
        Choice(Status.CLOSED, "close the card"),
    ]
    return FormField("status", "When a card arrives", status, choices)


def _fields(
    stage: Stage, view: BoardView, limit: int | None, kind: StageKind | None
) -> "list[FormField]":
    from tui.dialogs.form import Choice, FormField

    people = {person.id: person.name or person.login for person in view.people}
    people |= {
        own_id: f"person {own_id}" for own_id in stage.default_assignees if own_id not in people
    }
    new_cards = ",".join(map(str, stage.default_assignees))
    # A stage may have a colour, or assignees, that the lists of today lack; both stay selectable.
    usual = ["", *COLORS.values()]
    colors = usual if stage.color in usual else [stage.color, *usual]
    people_choices = [Choice(str(person_id), name) for person_id, name in people.items()]
    guess = kinds_of(view.stages)[stage.id]
    kind_choices = [
        Choice("", f"{guess} (guess)"),
        *(Choice(stage_kind, stage_kind) for stage_kind in StageKind),
    ]
    color_choices = [Choice(color, color_words(color) if color else "none") for color in colors]
    return [
        _title_field(stage.title),
        _status_field(stage.default_status),
        FormField("assignees", "Default assignees", new_cards, many=people_choices),
        FormField("color", "Colour", stage.color, color_choices),
        FormField("template", "Template", STAGE_SETTINGS["template"].of(stage)),
        FormField("kind", "Kind", kind or "", kind_choices),
        FormField(
            "limit", "Card limit", str(limit or ""), placeholder="no limit (only on this computer)"
        ),
    ]


def _limit(typed: str) -> int | None:
    if typed and not (typed.isascii() and typed.isdecimal() and 0 < int(typed) <= MOST):
        raise CallboardError(f"Card limit must be a number from 1 to {MOST}, or empty.")
    return int(typed) if typed else None
