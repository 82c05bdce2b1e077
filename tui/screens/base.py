"""The base of all screens: actions, key handling, palette, bar, status line and store events."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import events, on
from textual.binding import ActiveBinding, Binding, BindingType
from textual.geometry import Offset
from textual.message import Message
from textual.screen import Screen
from textual.worker import WorkType

from tui.actions.action import action, bindings, own_bindings
from tui.actions.availability import in_few_words
from tui.actions.host import Dialogs, OfferedActions
from tui.actions.program import ListsOfBoard, ProgramActions, go_to
from tui.actions.tasks.cards import Cards, named
from tui.config.preferences import ALL_BOARDS
from tui.context import Context
from tui.jumps import Place
from tui.model.find import Found
from tui.model.people import Role
from tui.model.task import Task
from tui.navigation import PendingRequested
from tui.runtime.key_queue import await_worker
from tui.runtime.textual_patches import ProgramScreen
from tui.screens.keys import Keys
from tui.screens.status_line import StatusLine
from tui.store import operations as change
from tui.store.events import ConflictFound, OperationRefused, OutcomeUncertain, StoreEvent
from tui.store.protocol import Store
from tui.text.card_numbers import is_card_number
from tui.widgets import glyphs
from tui.widgets.bars import Bar, Notice, hint_line, key_name
from tui.widgets.keys import REDRAW, SUSPEND
from tui.widgets.line_input import LineInput
from tui.widgets.line_list import LineList
from tui.widgets.painted import DrawnLines, Line, LinkClicked

if TYPE_CHECKING:
    from tui.dialogs.commands import Command
    from tui.dialogs.palette import FindAnywhereDialog
    from tui.model.work.saved_view import SavedView

_USED, _MOST = "actions", 20
_NOT_LISTED = ("cursor.", "app.palette", "go.find")
Answer = TypeVar("Answer")
_READ_ONLY: Line = ((" read-only mode ", "warn"),)
_FIND = action("go.find", "g f", "Find anywhere", words="search")
_HELP = action("app.help", "question_mark,f1", "Show keys", hint="help", while_moving=True)
_PALETTE = action("app.palette", "ctrl+p,colon", "Open command palette", while_moving=True)


class CallboardScreen(ProgramScreen[None]):
    """A screen with a bar, a status line and actions; it receives the events of the store.

    Its bindings follow from its decorated methods and those of the classes in `actions_of`, of
    which it offers an object.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        _HELP.binding,
        Binding("q", "app.quit", "quit", id="app.quit", tooltip="Quit"),
        SUSPEND,
        REDRAW,
        _PALETTE.binding,
        _FIND.binding,
        *bindings(ProgramActions, ListsOfBoard),
    ]
    actions_of: ClassVar[tuple[type, ...]] = ()
    start = ""
    """The value of the setting `start` that opens it."""
    opened_by: Message | None = None
    """The request that it was opened for."""

    def __init_subclass__(cls, *, inherit_bindings: bool = True) -> None:
        cls.BINDINGS = own_bindings(cls)
        super().__init_subclass__(inherit_bindings=inherit_bindings)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.shows: Callable[[int], bool] = lambda _: False
        """Whether a card is in sight, by its id; subclasses know."""
        self.store = context.store
        self.bar = Bar(mark=_READ_ONLY if self.store.is_read_only else ())
        self.bar.add_class("board-bar", update=False)
        self.status = StatusLine(self.own_notice, self.edge_line, self._hints_now)
        self.dialogs: Dialogs = Dialogs(self)
        self.actions = OfferedActions(self)
        self.keys = Keys(self, self.actions, self.status, context)
        self._end_subscription: Callable[[], None] | None = None
        self.is_behind = False
        """Whether another screen is in front."""
        self._styled_by: object = None
        self.actions.offer(ProgramActions(self))
        self.actions.offer(ListsOfBoard(self))
        self.actions.offer(self)

    def on_mount(self) -> None:
        def hear_if_shown(event: StoreEvent) -> None:
            # An installed screen stays mounted and subscribed after it was left.
            if self in self.app.screen_stack:
                self.hear(event)

        self._styled_by = self.app.stylesheet.rules
        self._end_subscription = self.store.subscribe(hear_if_shown)
        self.status.draw()
        # Gathering the bindings is slow, so the first paint does not wait for it.
        self.call_after_refresh(self.keys.prepare)

    async def on_unmount(self) -> None:
        if self._end_subscription is not None:
            self._end_subscription()

    def on_resize(self) -> None:
        self.status.draw()

    def on_screen_suspend(self) -> None:
        self.is_behind = True

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        # Textual styles a screen when it is mounted, and each time it is shown once more.
        rules, previous_rules = self.app.stylesheet.rules, self._styled_by
        event.refresh_styles &= rules is not previous_rules
        self._styled_by = rules if event.refresh_styles else previous_rules
        if self.is_behind:
            self.is_behind = False
            self.came_back()

    def came_back(self) -> None:
        """Handle that the screen is in front again; for subclasses."""

    def begin_anew(self) -> None:
        self.is_behind = False
        self.keys.begin_anew()
        self.status.clear()

    def inbox_changed(self) -> None:
        """Handle that something came into the inbox; for subclasses."""

    def hear(self, event: StoreEvent) -> None:
        """Handle a store event; every screen shows refused changes and conflicts."""
        if isinstance(event, OperationRefused):
            text, show = _refusal(event, self.store), "show"
        elif isinstance(event, ConflictFound):
            done = event.change.operation.describe()
            text, show = f"conflict: someone else changed it too: {done}", "show both"
        elif isinstance(event, OutcomeUncertain):
            done = event.change.operation.describe()
            text, show = f"may have arrived: {done}: {event.change.reason}", "check or discard"
        else:
            return
        hint = f"{{go.waiting:g u}} {show}"
        self.say(text, hint=hint, error=True, sign=glyphs.NEEDS_YOU)

    def say(self, text: str, *, hint: str = "", error: bool = False, sign: str = "") -> None:
        self.status.tell(text, hint=hint, error=error, sign=sign)

    async def ask(self, dialog: Screen[Answer]) -> Answer | None:
        return await self.dialogs.ask(dialog)

    @property
    def waits_for(self) -> str:
        """What the user must do before most keys work again, e.g. drop; for subclasses."""
        return ""

    @property
    def own_board(self) -> int | None:
        """The id of the board that the screen, or its cursor, is about; for subclasses."""
        return None

    @property
    def board_here(self) -> int | None:
        """The screen's board, else that of the screen below it."""
        screens = [
            screen for screen in self.app.screen_stack if isinstance(screen, CallboardScreen)
        ]
        boards = (screen.own_board for screen in reversed(screens))
        return next((board_id for board_id in boards if board_id), None)

    @property
    def request_here(self) -> Message | None:
        """The request that leads to what is shown; None if there is none. Subclasses know more."""
        return self.opened_by

    @property
    def place_here(self) -> Place:
        place = list[Message]()
        for screen in self.app.screen_stack:
            request = screen.request_here if isinstance(screen, CallboardScreen) else None
            if request is None:
                break
            place.append(request)
        return tuple(place)

    @property
    def view_here(self) -> "SavedView | None":
        """The saved view whose cards are shown; for subclasses."""
        return None

    @property
    def role(self) -> Role:
        """The user's role on the board that is shown; for subclasses."""
        return Role.MANAGER

    def own_notice(self) -> Notice | None:
        """What the status line shows while there is no message; for subclasses."""
        return None

    def hints(self) -> tuple[Line, Line]:
        """The keys that are named at the bottom; for subclasses."""
        return self.keys.hints(self.role)

    def _hints_now(self) -> tuple[Line, Line]:
        typed = self.focused
        if isinstance(typed, LineInput) and typed.hints:
            return hint_line(typed.hints, self.size.width), ()
        return self.hints()

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def show_keys_of_input(self, event: events.DescendantFocus | events.DescendantBlur) -> None:
        # When the terminal loses the focus, Textual blurs the input; its keys stay, as typing
        # goes on there afterwards.
        if isinstance(event.widget, LineInput) and self.app.app_focus:
            self.status.draw()

    @on(Bar.Clicked)
    async def click(self, event: Bar.Clicked) -> None:
        if event.key:
            await self.keys.click(event.key)
        elif event.bar is self.status and is_card_number(event.text):
            self.follow_clicked(LinkClicked(event.text))
        else:
            self.click_count(event.text)

    @on(LinkClicked)
    def follow_clicked(self, event: LinkClicked) -> None:
        """Open the address or the card that was clicked, as the key for links does."""
        from tui.actions.links import follow_link

        if not self.waits_for:
            self.dialogs.run(partial(follow_link, self, event.link), asks=False)

    def click_count(self, words: str) -> None:
        """Go to what a text of the bar counts; subclasses know more."""
        if words.endswith(("pending", "need attention", "needs attention")):
            self.post_message(PendingRequested())

    @on(LineList.Scrolled)
    def show_edge(self) -> None:
        self.status.draw_edge()

    def edge_line(self, width: int) -> tuple[Line, Line]:
        """What is out of sight, shown above the key hints; for subclasses."""
        del width
        return (), ()

    def why_not(self, key: str) -> str:
        """The message for a key that does nothing now; subclasses may know more."""
        waits_for = self.waits_for
        return f"‘{key}’ waits: {waits_for}" if waits_for else f"‘{key}’ does nothing here"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not self.waits_for:
            return True
        works = action == "run" and self.actions.works_while_moving(str(parameters[0]))
        return True if works or action == "show_actions" else None

    def action_run(self, action_id: str) -> None:
        self.actions.run(action_id)

    def offer_commands(self, cards: Callable[[], Cards]) -> None:
        """Offer the user's own commands on the chosen cards."""
        if commands := self.context.settings.commands:
            from tui.actions.own_commands import OwnCommands

            own = OwnCommands(cards)
            for command in commands.values():
                declared = own.action(command)
                self.actions.offer_one(declared, own, partial(own.run, command))
                if declared.keys:
                    self.add_binding(declared.binding)

    def _stops_command(self) -> bool:
        # Esc right after its key stops a command of the user; at any other time it is Esc.
        if not self.context.settings.commands or isinstance(self.focused, LineInput):
            return False
        from tui.actions.own_commands import stop_command

        return stop_command(self)

    async def on_key(self, event: events.Key) -> None:
        if event.key == "escape" and self._stops_command():
            event.stop()
            event.prevent_default()
            return
        await self.keys.press(event, self.why_not, is_moving=bool(self.waits_for))

    @_HELP
    def show_help(self, topic: str = "") -> None:
        """Show the keys, or first a topic of the help, and run the key that is chosen."""
        self._run_chosen(partial(_choose_key, self, topic))

    @property
    def chosen_tasks(self) -> Sequence[Task]:
        """The cards that actions are done to now; for subclasses."""
        return ()

    @property
    def drawn_card(self) -> DrawnLines | None:
        """The card at the cursor as it is drawn; for subclasses."""
        return None

    def show_menu(self, at: Offset | None = None) -> None:
        """Show the menu of the chosen cards, beside the card at the cursor or at a point."""
        self._run_chosen(partial(_choose_from_menu, self, at))

    def action_show_actions(self, x: int, y: int) -> None:
        """Show what can be done with what was clicked."""
        if self.chosen_tasks and not self.waits_for:
            self.show_menu(Offset(x, y))
        else:
            self.actions.run("app.palette")

    @_PALETTE
    def show_palette(self) -> None:
        from tui.dialogs.palette import PaletteDialog

        self._run_chosen(partial(_choose, self, PaletteDialog))

    @_FIND
    def find(self) -> None:
        from tui.dialogs.palette import FindAnywhereDialog

        self._run_chosen(partial(_choose, self, FindAnywhereDialog))

    def _run_chosen(self, choosing: WorkType[None]) -> None:
        # Not in the worker group of `Dialogs`: an action that asks runs there, and would cancel it.
        await_worker(self.app, self, self.run_worker(choosing, group="palette", exclusive=True))


def _refusal(event: OperationRefused, store: Store) -> str:
    # The reason as the service gave it comes first, then where the card is, or what was not done.
    operation, reason = event.change.operation, event.change.reason
    end = "" if reason.endswith((".", ".)", "!", "?")) else "."
    moved = operation.task_id if isinstance(operation, change.MoveTask) else None
    view = store.board(operation.board_id or 0)
    task = view.task(moved) if view is not None and moved is not None else None
    stage = view.stage(task.stage_id or 0) if view is not None and task is not None else None
    if task is not None and stage is not None:
        place = f"#{task.id}" if task.id > 0 else "It"
        text = f"refused: {reason}{end} {place} is back in {stage.title}."
    else:
        text = f"refused: {reason}{end} Not done: {operation.describe()}."
    return f"{text} {event.more} more depend on it and are on hold." if event.more else text


async def _choose_key(screen: CallboardScreen, topic: str) -> None:
    from tui.dialogs.help import HelpDialog

    words = {offered.id: offered.words for offered in screen.actions.actions}
    chosen = await screen.ask(HelpDialog(screen.keys.available(), words, topic))
    if chosen is not None:
        await screen.keys.run(chosen)


async def _choose(screen: CallboardScreen, dialog: "type[FindAnywhereDialog]") -> None:
    from tui.dialogs.help_lines import group_of

    bound = screen.keys.by_id()
    commands = _commands(screen, bound)
    preferences, tasks = screen.context.preferences, screen.chosen_tasks
    pressed = (
        name
        for name in reversed(screen.context.last_actions)
        if group_of(name, ()) != "Move"
        and not (name.startswith("app.") or name.endswith((".back", ".menu")))
    )
    # Both are latest first; a dict keeps that order and drops duplicates.
    recent = dict.fromkeys((*pressed, *preferences.recent(ALL_BOARDS, _USED)))
    about = named(tasks) if tasks else ""
    chosen = await screen.ask(dialog(list(commands.values()), list(recent), screen.context, about))
    if isinstance(chosen, Found):
        if screen.waits_for:
            screen.say(screen.waits_for)
        else:
            await go_to(chosen, screen)
    elif chosen is not None:
        await _run(screen, commands[chosen], bound)


async def _choose_from_menu(screen: CallboardScreen, at: Offset | None) -> None:
    from tui.dialogs.card_menu import CardMenu

    bound = screen.keys.by_id()
    commands = _commands(screen, bound)
    opener = commands.get(screen.keys.enter_runs)
    if opener is not None:
        commands[opener.id] = opener._replace(key=key_name("enter"))
    menu = CardMenu(commands, screen.chosen_tasks, card=screen.drawn_card, at=at)
    chosen = await screen.ask(menu)
    if chosen is not None:
        await _run(screen, commands[chosen], bound)


async def _run(
    screen: CallboardScreen,
    command: "Command",
    bound: Mapping[str, tuple[str, ActiveBinding]],
) -> None:
    screen.context.preferences.used(ALL_BOARDS, _USED, [command.id], most=_MOST)
    if command.reason == screen.waits_for != "":
        screen.say(command.reason)
    elif command.id in bound:
        await screen.keys.run(bound[command.id][1])
    else:
        screen.actions.perform(command.id)


def _commands(
    screen: CallboardScreen, bound: Mapping[str, tuple[str, ActiveBinding]]
) -> dict[str, "Command"]:
    from tui.dialogs.commands import ASKS, Command

    waits_for = screen.waits_for
    offered = {offer.id: offer for offer in screen.actions.actions}
    labels: dict[str, tuple[str, str, str]] = {}
    listed_actions = set()
    for name, (key, active) in bound.items():
        is_listed = active.tooltip and not name.startswith(_NOT_LISTED)
        if is_listed and active.binding.action not in listed_actions:
            listed_actions.add(active.binding.action)
            labels[name] = active.tooltip, key_name(key), "" if active.enabled else waits_for
    for name, keyless in offered.items():
        if name not in labels and not keyless.keys:
            labels[name] = keyless.label, "", waits_for
    commands = {}
    for name, (label, key, waits) in labels.items():
        declared = offered.get(name)
        # Lists ask for a board only where none is known.
        asks = declared is not None and declared.asks and not name.startswith("go.")
        named_so = f"{label.removesuffix(ASKS)}{ASKS}" if asks else label
        reason = screen.actions.unavailable(name) or waits or screen.actions.why_not_now(name)
        words = declared.words if declared is not None else ""
        commands[name] = Command(name, named_so, key, reason, in_few_words(reason), words)
    return commands
