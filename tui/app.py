"""The Textual application: themes, key map, first screen and navigation between screens.

The store is opened by the caller and connected after the first paint, so that the cached board is
visible before the network is used.
"""

from collections.abc import Awaitable, Callable, Sequence
from importlib import import_module
from os import environ
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.await_complete import AwaitComplete
from textual.filter import LineFilter, Monochrome
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from tui import theme
from tui.config.preferences import ALL_BOARDS, OPENED, RECENT_BOARDS
from tui.context import Context
from tui.errors import CallboardError, CannotGoOn
from tui.jumps import anew, shared
from tui.model.find import Thing, key_of
from tui.navigation import (
    AgentLogRequested,
    BoardRequested,
    BoardsRequested,
    ListRequested,
    PendingRequested,
    PlaceRequested,
    ProfileRequested,
    SettingsChanged,
    SettingsRequested,
    StandupRequested,
    TaskRequested,
    ThreadRequested,
    ViewListRequested,
)
from tui.runtime.driver import NotSuspended
from tui.runtime.key_queue import Opening, SerialKeys
from tui.runtime.textual_patches import let_be_switched
from tui.screens.base import CallboardScreen
from tui.screens.board.screen import BoardScreen
from tui.screens.kept_frame import KeptFrame
from tui.screens.pages import TaskPages
from tui.screens.status_line import StatusLine
from tui.store.events import BoardChanged, BoardsChanged, StoreEvent
from tui.text.clean import counted, line
from tui.text.keyed import use_keys
from tui.widgets.bars import Notice, key_name
from tui.widgets.line_filters import CleanFilter, ColorlessFilter
from tui.widgets.painted import PaintedLines

if TYPE_CHECKING:
    from tui.dialogs.base import Dialog
    from tui.store.protocol import Store

Connect = Callable[[], Awaitable[int | None]]
"""Connects the store; returns the id of the tutorial board on the first run, else None."""

_NEWS = "news"
_OPENED = 30
"""How many boards and tasks that were opened last are kept."""


def only_board(store: "Store") -> int | None:
    """The board to open if none was opened before: the only one, as a list of it says less."""
    boards = [board.id for board in store.boards() if board.archived_at is None]
    return boards[0] if len(boards) == 1 else None


class CallboardApp(SerialKeys):
    """The Callboard application."""

    TITLE = "Callboard"
    ENABLE_COMMAND_PALETTE = False
    # All of them from the start: the widgets of a screen are mounted before Textual reads the
    # screen's own stylesheets, and are not styled again.
    CSS_PATH: ClassVar[list[str | PurePath]] = [*theme.STYLESHEETS]

    def __init__(
        self,
        context: Context,
        *,
        connect: Connect,
        board_id: int | None = None,
        messages: tuple[str, ...] = (),
        ascii_only: bool = False,
        shows_utf8: bool = True,
        request: Message | None = None,
        greeting: str = "",
        is_first_run: bool = False,
        opens_only_board: bool = False,
    ) -> None:
        # First, as Textual asks for the variables of the theme while it is set up.
        self._is_colorless = bool(environ.get("NO_COLOR"))
        super().__init__()
        self.context = context
        self._kept_frame = KeptFrame(self, context)
        self._pages = TaskPages(self, context)
        self.failure: CannotGoOn | None = None
        self.next_profile: ProfileRequested | None = None
        """The profile to open when this run has ended."""
        self._connect = connect
        self._board_id = board_id
        self._messages = messages
        self._greeting = greeting
        self._request = request
        self._is_first_screen_coming = is_first_run or request is not None
        self.await_opening(Opening(lambda: self._is_first_screen_coming))
        self._waiting_status: StatusLine | None = None
        self._waiting_dialog: Dialog[Any] | None = None
        # The boards of a service that is opened for the first time are known later.
        self._awaits_only_board = opens_only_board and not context.store.boards()
        context.store.subscribe(self._follow_ids)
        for own_theme in (*theme.THEMES, *theme.own_themes(context.settings.themes)):
            self.register_theme(own_theme)
        self._ascii_only, self._shows_utf8 = ascii_only, shows_utf8
        self._colorless = ColorlessFilter(
            lambda: self.theme_variables, everywhere=self._is_colorless
        )
        self._apply_settings()
        self._parsed_for = self.current_theme
        self.stylesheet.set_variables(self.get_css_variables())  # before any style is parsed

    def get_default_screen(self) -> Screen[None]:
        board_id = self._board_id
        screen: CallboardScreen
        if board_id is None:
            from tui.screens.boards.screen import BoardsScreen

            screen = BoardsScreen(self.context)
        else:
            screen = BoardScreen(self.context, board_id)
        let_be_switched(screen, self)
        return screen

    async def on_mount(self) -> None:
        self.app_suspend_signal.subscribe(self, self._suspended, immediate=True)
        self.app_resume_signal.subscribe(self, self._resumed, immediate=True)
        # With boards in the cache the request need not wait for the connection.
        if self.context.store.boards():
            self._show_requested()
        # Not called here: Python warns of a coroutine that is cancelled before it begins.
        self.call_after_refresh(
            self.run_worker, self._connect_store, group="connect", exclusive=True
        )

    async def _connect_store(self) -> None:
        if words := " · ".join(filter(None, (*self._messages, self._greeting))):
            self._say(words, error=bool(self._messages))
        try:
            board_id = await self._connect()
        except CannotGoOn as error:
            self.failure = error
            self.exit(return_code=1)
            return
        except CallboardError as error:  # the service is unreachable: work offline
            self._say(error.message, hint=error.hint)
            self._first_screen_is_there()
            self._follow_news()
            return
        if board_id is not None and self._board_id is None:
            await self.switch_screen(BoardScreen(self.context, board_id))
        self._show_requested()
        self._follow_news()

    @property
    def _notifies(self) -> bool:
        return self.context.settings.notify != "off"

    def _follow_news(self) -> None:
        if not self._notifies:
            self.workers.cancel_group(self, _NEWS)
        elif not any(worker.group == _NEWS and worker.is_running for worker in self.workers):
            from tui.notifications.notifier import Terminal
            from tui.notifications.program import notify

            terminal = Terminal(self._write_notice, self._say, environ)
            # A failing notification must not end the program.
            work = notify(self.context, terminal, self._shows)
            self.run_worker(work, group=_NEWS, exit_on_error=False)

    def inbox_changed(self) -> None:
        """Tell the screens that something came into the inbox."""
        for screen in self.screen_stack:
            if isinstance(screen, CallboardScreen):
                screen.inbox_changed()

    def _write_notice(self, sequence: str) -> None:
        if self._driver is not None and not (self.is_headless or self.is_web):
            self._driver.write(sequence)

    def _shows(self, task_id: int) -> bool:
        screens = [screen for screen in self.screen_stack if isinstance(screen, CallboardScreen)]
        return self.app_focus and bool(screens) and screens[-1].shows(task_id)

    def _show_requested(self) -> None:
        # What was requested is shown on top of the first screen, once there is a board.
        if self._request is not None:
            self.post_message(self._request)
            self._request = None
        # Queued behind the request: keys wait until its screen is there.
        self.call_later(self._first_screen_is_there)

    def _first_screen_is_there(self) -> None:
        self._is_first_screen_coming = False

    def _follow_ids(self, event: StoreEvent) -> None:
        # What is kept of tasks and boards follows them to the ids that the service assigns.
        if isinstance(event, BoardChanged | BoardsChanged) and event.renamed:
            self.context.drafts.renamed(event.renamed)
            self.context.preferences.renamed(event.renamed)
            self.context.jumps.renamed(event.renamed)

        if self._awaits_only_board and isinstance(event, BoardsChanged):
            self._open_only_board()

    def _open_only_board(self) -> None:
        from tui.screens.boards.screen import BoardsScreen

        self._awaits_only_board = not self.context.store.boards()
        board_id = only_board(self.context.store)
        # Not in place of what was opened, nor of a board that is being added.
        if board_id is not None and board_id > 0 and isinstance(self.screen, BoardsScreen):
            self.post_message(BoardRequested(board_id))

    @on(BoardRequested)
    async def show_board(self, event: BoardRequested) -> None:
        preferences = self.context.preferences
        preferences.used(ALL_BOARDS, RECENT_BOARDS, [str(event.board_id)], most=50)
        self._note_opened(Thing.BOARD, event.board_id)
        await self._leave_above(self.screen_stack[0])  # a board or the list of boards
        screen: Screen[Any] = self.screen
        if not isinstance(screen, BoardScreen) or screen.board_id != event.board_id:
            screen = BoardScreen(self.context, event.board_id)
            await self.switch_screen(screen)
        if event.task_id is not None:
            screen.deck.go_to_task(event.task_id)
        if event.said:
            screen.say(event.said)

    @on(BoardsRequested)
    async def show_boards(self, event: BoardsRequested) -> None:
        from tui.screens.boards.screen import BoardsScreen

        if isinstance(self.screen, BoardsScreen) and not event.said:
            self.screen.say("you are already at the boards", hint="{app.quit:q} to quit")
            return
        await self._leave_above(self.screen_stack[0])  # a board or the list of boards
        if isinstance(self.screen, BoardScreen):
            # Its unmounting notes it too, but the list that shows it is mounted before that.
            self.screen.unseen.note_left()
        screen = BoardsScreen(self.context)
        await self.switch_screen(screen)
        if event.said:
            screen.say(event.said, hint=event.hint)

    async def _leave_above(self, lowest: Screen[Any]) -> None:
        while self.screen is not lowest:
            self.context.store.close_task()
            await self.pop_screen()

    def _note_opened(self, thing: Thing, own_id: int) -> None:
        # Things opened lately rank first in “find anywhere”; a local id would not last.
        if own_id > 0:
            key = key_of(thing, own_id)
            self.context.preferences.used(ALL_BOARDS, OPENED, [key], most=_OPENED)

    @on(TaskRequested)
    async def show_task(self, event: TaskRequested) -> None:
        from tui.screens.task.screen import TaskScreen

        await self._pages.show(TaskScreen, event.board_id, event.task_id, event.parent_id)
        thing = Thing.CARD if event.parent_id is None else Thing.SUBTASK
        self._note_opened(thing, event.task_id)

    @on(ThreadRequested)
    async def show_thread(self, event: ThreadRequested) -> None:
        from tui.screens.thread.screen import ThreadScreen

        await self._pages.show(ThreadScreen, event.board_id, event.task_id, event.comment_id)
        self._note_opened(Thing.CARD, event.task_id)

    def prepare_task_screen(self) -> None:
        """Mount the screen that tasks are shown on, once what was pressed before has acted."""
        self.call_later(self._pages.prepare)

    @on(PlaceRequested)
    async def show_place(self, event: PlaceRequested) -> None:
        """Leave what is not part of a place, then open what is missing."""
        if not isinstance(self.screen, CallboardScreen):
            return
        kept = shared(event.place, self.screen.place_here)
        if kept:
            await self._leave_above(self.screen_stack[kept - 1])
        # The cursor of the board may be on another card.
        first = 0 if kept == 1 and isinstance(event.place[0], BoardRequested) else kept
        for request in event.place[first:]:
            self.post_message(anew(request))

    async def _open(self, screen: CallboardScreen, request: Message) -> None:
        screen.opened_by = request
        await self.push_screen(screen)

    @on(PendingRequested)
    async def show_waiting(self, event: PendingRequested) -> None:
        from tui.screens.pending.screen import PendingScreen

        await self._open(PendingScreen(self.context), event)

    @on(AgentLogRequested)
    async def show_agent_log(self, event: AgentLogRequested) -> None:
        from tui.screens.agent_log import AgentLogScreen

        await self.push_screen(AgentLogScreen(self.context, event.board_id, event.agent))

    @on(ListRequested)
    async def show_list(self, event: ListRequested) -> None:
        kind = import_module(f"tui.screens.lists.{event.name}").SCREEN
        current = self.screen
        if isinstance(current, kind) and (
            not kind.is_of_board or current.board_id == event.board_id
        ):
            current.say("you are already here", hint="{list.back:esc} to go back")
        else:
            await self._open(kind(self.context, event.board_id), event)

    @on(ViewListRequested)
    async def show_view_list(self, event: ViewListRequested) -> None:
        kind = import_module(f"tui.screens.view_lists.{event.name}").SCREEN
        if isinstance(self.screen, kind):
            self.screen.say("you are already here", hint="{list.back:esc} to go back")
        else:
            await self._open(kind(self.context, event.view), event)

    @on(StandupRequested)
    async def show_standup(self, event: StandupRequested) -> None:
        """Go back to the standup, or show that of the board on top of the present screen."""
        from tui.screens.standup.screen import StandupScreen

        if isinstance(self.screen, StandupScreen):
            self.screen.say("you are already here", hint="{list.back:esc} to go back")
            return
        for screen in self.screen_stack:
            if isinstance(screen, StandupScreen):
                await self._leave_above(screen)
                return
        first = self.screen_stack[0]
        board_id = first.board_id if isinstance(first, BoardScreen) else None
        await self._open(StandupScreen(self.context, board_id, event), event)

    @on(SettingsRequested)
    async def show_settings(self, event: SettingsRequested) -> None:
        from tui.screens.binding_ids import key_map
        from tui.screens.settings.screen import SettingsScreen

        keys = key_map(self.context.settings.commands.values())
        if isinstance(self.screen, SettingsScreen):
            self.screen.say("you are already here", hint="{list.back:esc} to go back")
        else:
            await self._open(SettingsScreen(self.context, keys), event)

    @on(ProfileRequested)
    def leave_for_profile(self, event: ProfileRequested) -> None:
        """End this run; the caller opens the other profile."""
        self.next_profile = event
        self.exit()

    @on(SettingsChanged)
    def follow_settings(self) -> None:
        """Apply changed settings, also to the screens behind."""
        self._apply_settings()
        self._follow_news()
        for screen in self.screen_stack:
            for widget in screen.walk_children(with_self=True):
                # Painted lines are cached with the signs and key names of the old settings.
                if isinstance(widget, PaintedLines):
                    widget.draw_anew()
                else:
                    widget.refresh()
            if isinstance(screen, CallboardScreen):
                screen.status.draw()

    def _apply_settings(self) -> None:
        settings = self.context.settings
        has_theme = settings.theme in self.available_themes
        self.theme = settings.theme if has_theme else theme.DEFAULT_THEME
        self.sends_changes_only = settings.only_changes
        self.animation_level = "full" if settings.animations else "none"
        ascii_only = self._ascii_only or settings.ascii
        # A new object, because strips are cached for the filters they were drawn with.
        self._clean = CleanFilter(ascii_only=ascii_only, shows_utf8=self._shows_utf8)
        self.set_keymap(dict(settings.keys))
        firsts = {name: keys.partition(",")[0].strip() for name, keys in settings.keys.items()}
        use_keys({name: key_name(key) for name, key in firsts.items() if key})

    def refresh_css(self, animate: bool = True) -> None:
        # Setting the theme makes Textual parse all stylesheets again on mount, although they were
        # parsed for that theme.
        if self._parsed_for is not self.current_theme:
            self._parsed_for = self.current_theme
            super().refresh_css(animate)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        weights = {"colors": "none"} if self._is_colorless else {}
        if "raised" in self.current_theme.variables:  # ours and the user's define all others
            return weights
        colors = self.current_theme.to_color_system().generate()
        return theme.variable_defaults(colors) | weights

    def get_line_filters(self) -> Sequence[LineFilter]:
        # Ours come last before the terminal; `NO_COLOR` leaves no colours, not even greys.
        if self._is_colorless or self.current_theme is theme.ANSI:
            return [self._colorless, self._clean]
        filters = super().get_line_filters()
        return [
            *(candidate for candidate in filters if not isinstance(candidate, Monochrome)),
            self._clean,
        ]

    def watch_app_focus(self, has_focus: bool) -> None:
        # The service is polled while the program runs and the terminal has the focus, or the user
        # wants to be told of news elsewhere. A key or a click gives it the focus without an event
        # `AppFocus`, as some terminals report only that they lost it.
        self.context.store.set_visible(is_visible=has_focus or self._notifies)

    def push_screen(self, screen: Any, *given: Any, **named: Any) -> Any:
        if not isinstance(screen, ModalScreen):
            self._kept_frame.write_later()
        return super().push_screen(screen, *given, **named)

    def pop_screen(self) -> AwaitComplete:
        self._kept_frame.write_later()
        return super().pop_screen()

    def switch_screen(self, *given: Any, **named: Any) -> AwaitComplete:
        self._kept_frame.write_later()
        return super().switch_screen(*given, **named)

    def exit(self, *given: Any, **named: Any) -> None:
        self._kept_frame.write_at_exit()
        super().exit(*given, **named)

    def _suspended(self, _: object) -> None:
        self.context.store.suspend()  # another program may send meanwhile
        self.watch_app_focus(has_focus=False)

    def _resumed(self, _: object) -> None:
        self.refresh()
        self.watch_app_focus(has_focus=True)

    def action_suspend_process(self) -> None:
        if self.is_web:
            self._say("no shell to go back to in a browser", hint="{app.quit:q} to quit")
        else:
            super().action_suspend_process()

    def action_help_quit(self) -> None:
        """Say how to quit, because ctrl+c is pressed by habit; it replaces Textual's own message.

        Where a text is selected, it has been copied instead.
        """
        from tui.dialogs.base import Dialog
        from tui.dialogs.editor.text import TextEditor

        message, screen = "‘ctrl+c’ does not quit", self.screen
        if isinstance(screen, CallboardScreen):
            is_typing = isinstance(self.focused, Input)
            quits = "esc to cancel, ctrl+q to quit" if is_typing else "{app.quit:q} to quit"
            screen.say(message, hint=quits)
        elif isinstance(screen, TextEditor):
            screen.tell(message, hint="ctrl+q to quit, your draft is saved")
        elif isinstance(screen, Dialog):
            screen.tell(f"{message}: esc to cancel, ctrl+q to quit")

    @on(NotSuspended)
    def say_not_suspended(self) -> None:
        self._say("no shell to go back to: still running", hint="{app.quit:q} to quit")

    def say_keys_wait(self, count: int) -> None:
        from tui.dialogs.base import Dialog

        keys = f"{counted(count, 'key')} {'waits' if count == 1 else 'wait'}"
        drops = "to drop it" if count == 1 else "to drop them"
        if isinstance(self.screen, CallboardScreen) and count:
            self._waiting_status = self.screen.status
            text = f" still working … {keys} for it"
            self._waiting_status.hold(Notice(((text, "text"), (f"  esc {drops}", "quiet"))))
        elif isinstance(self.screen, Dialog):
            self._waiting_dialog = self.screen
            self.screen.hold_keys(
                f"still working … {keys} for it   {{dialog.cancel:esc}} cancel"
                if count
                else "still working …   {dialog.cancel:esc} cancel"
            )

    def keys_act_again(self) -> None:
        if self._waiting_status is not None:
            self._waiting_status.hold(None)
            self._waiting_status = None
        if self._waiting_dialog is not None:
            self._waiting_dialog.hold_keys("")
            self._waiting_dialog = None

    def say_keys_dropped(self, count: int) -> None:
        were = "was" if count == 1 else "were"
        text = f"{counted(count, 'key')} typed meanwhile {were} dropped"
        if isinstance(self.screen, CallboardScreen):
            self.screen.status.add(text)  # the reason may be there
            return
        from tui.dialogs.base import Dialog

        if isinstance(self.screen, Dialog):
            self.screen.say_keys(f"{text}   {self.screen.keys_text}")

    def says_files_deleted(self, folder: PurePath) -> bool:
        """Say that what the program keeps was deleted; False while a dialog covers the line."""
        self._say(
            f"its folder was deleted: changes made now will be lost ({line(str(folder))})",
            hint="copy what you need · then {app.quit:q} and restart",
        )
        return isinstance(self.screen, CallboardScreen)

    def _say(self, message: str, *, hint: str = "", error: bool = True) -> None:
        if isinstance(self.screen, CallboardScreen):
            self.screen.say(message, hint=hint, error=error)
