"""The interface of screens that actions run on, and the actions that a screen offers."""

from collections.abc import Awaitable, Callable
from functools import partial
from inspect import isawaitable, iscoroutinefunction
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from textual.app import App
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, WorkType, get_current_worker

from tui.actions.action import Action, declared_actions
from tui.actions.availability import ADMINISTRATOR, MEMBER, READ_ONLY, VIEWER, unavailable
from tui.context import Context
from tui.errors import CallboardError
from tui.jumps import Place
from tui.model.people import Role
from tui.runtime.key_queue import await_worker, drop_keys

if TYPE_CHECKING:
    from tui.model.work.saved_view import SavedView

C = TypeVar("C")
Answer = TypeVar("Answer")
_DIALOG = "dialog"
"""The group of the workers that ask with dialogs."""


class Host(Protocol):
    """A screen with a status line."""

    context: Context
    dialogs: "Dialogs"

    @property
    def app(self) -> App[object]:
        """The application."""

    @property
    def role(self) -> Role:
        """The user's role on the board that is shown."""

    @property
    def board_here(self) -> int | None:
        """The board that is shown, or that the card at the cursor is on; None if there is none."""

    @property
    def place_here(self) -> Place:
        """The requests that lead to the screens that are open, the lowest first."""

    @property
    def view_here(self) -> "SavedView | None":
        """The saved view whose cards are shown; None if there is none."""

    @property
    def waits_for(self) -> str:
        """What blocks most actions now, in words; empty if nothing does."""

    def say(self, text: str, *, hint: str = "", error: bool = False, sign: str = "") -> None:
        """Show a message on the status line until the next key; an error longer, or until Esc."""

    async def ask(self, dialog: Screen[Answer]) -> Answer | None:
        """Show a dialog and wait for the answer; None if it was cancelled."""

    def show_menu(self) -> None:
        """Show the menu of the chosen cards."""

    def post_message(self, message: Message) -> bool:
        """Request another screen from the application."""

    def run_worker(self, work: WorkType[None], *, group: str, exclusive: bool) -> Worker[None]:
        """Run something in the background; `exclusive` cancels other workers of the group."""


@runtime_checkable
class Judge(Protocol):
    """Actions that know without being run whether they can be done now."""

    def why_not_now(self, action_id: str) -> str:
        """Why an action cannot be done now, in two or three words; empty if it can."""


class Dialogs:
    """Runs what asks with dialogs, or takes time, in workers of a screen, one at a time.

    Later keys wait for it, except while its dialog is in front. A `CallboardError` is said.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._submitting: Worker[Any] | None = None

    async def ask(self, dialog: Screen[Answer]) -> Answer | None:
        """Show a dialog and wait for its result; None if it was cancelled."""
        answer = await self._host.app.push_screen_wait(dialog)
        worker = get_current_worker()
        # From its answer on the worker changes something, so a later action must not cancel it.
        if answer is not None and worker.group == _DIALOG:
            self._submitting = worker
        return answer

    def run(self, work: Callable[[], Awaitable[object]], *, asks: bool = True) -> None:
        """Run `work` instead of what runs now, unless that submits something.

        It submits once a dialog has an answer, and from its start unless it `asks`.
        """
        if self.says_it_submits():
            return

        async def errors_said() -> None:
            with ErrorsSaid(self._host):
                await work()

        # From Python 3.12 on Textual starts tasks eagerly: the worker may begin, and even end,
        # before `run_worker` returns.
        worker = self._host.run_worker(errors_said, group=_DIALOG, exclusive=True)
        if not asks:
            self._submitting = worker
        may_cancel = lambda: self._submitting is not worker  # noqa: E731
        # The host instead of `app.screen`, which may be the worker's dialog by now.
        await_worker(self._host.app, self._host, worker, may_cancel)

    def says_it_submits(self) -> bool:
        """If a change, or the answer of a dialog, is still being submitted, say so, return True."""
        is_submitting = self._submitting is not None and self._submitting.is_running
        if is_submitting:
            self._host.say("wait: the last change is still being sent")
        return is_submitting


class ErrorsSaid:
    """A context manager that shows a `CallboardError` on the status line and suppresses it.

    Keys that were typed before it could be read, and still wait, are dropped; after work in the
    background they are not, as they are not meant for it.
    """

    def __init__(self, host: Host, *, in_background: bool = False) -> None:
        self._host = host
        self._drops_keys = not in_background

    def __enter__(self) -> None:
        """Do nothing on entry."""

    def __exit__(self, _kind: object, error: object, _trace: object) -> bool:
        if not isinstance(error, CallboardError):
            return False
        self._host.say(error.message, hint=error.hint, error=True)
        if self._drops_keys:
            drop_keys(self._host.app)
        return True


class OfferedActions:
    """The actions of a screen by id: runs them, or says why one is unavailable."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._offered: dict[str, Action] = {}
        self._calls: dict[str, Callable[[], object]] = {}
        self._owners: dict[str, Callable[[], object]] = {}
        self._takes_time: dict[str, bool] = {}

    def offer(self, owner: object) -> None:
        """Offer the decorated methods of the screen, or of an object that it owns."""
        self.offer_for(type(owner), lambda: owner)

    def offer_for(self, owner: type[C], current: Callable[[], C]) -> None:
        """Offer the decorated methods of what `current` returns when an action runs."""

        def call(name: str, action: Action) -> object:
            return getattr(current(), name)(*action.arguments)

        for name, action in declared_actions(owner):
            self._offered[action.id] = action
            self._owners[action.id] = current
            self._calls[action.id] = partial(call, name, action)
            self._takes_time[action.id] = iscoroutinefunction(getattr(owner, name))

    def offer_one(self, action: Action, owner: object, call: Callable[[], object]) -> None:
        """Offer an action that no decorator declares, such as a command of the user."""
        self._offered[action.id] = action
        self._owners[action.id] = lambda: owner
        self._calls[action.id] = call
        self._takes_time[action.id] = False

    @property
    def actions(self) -> list[Action]:
        """The offered actions, in the order they were added."""
        return list(self._offered.values())

    def unavailable(self, action_id: str) -> str | None:
        """The reason why a binding is unavailable on this screen, by its id; None if it is not."""
        action = self._offered.get(action_id)
        return unavailable(action_id, action, self._host.context.store, self._host.role)

    def why_not_now(self, action_id: str) -> str:
        """Why an action cannot be done now, in few words; empty if it can, or if that is not known.

        Unlike `unavailable` it depends on what is chosen.
        """
        owner = self._owners[action_id]() if action_id in self._owners else None
        return owner.why_not_now(action_id) if isinstance(owner, Judge) else ""

    def says_why_not(self, action_id: str) -> bool:
        """If an action is unavailable, say why and what to press instead, and return True."""
        reason = self.unavailable(action_id)
        if reason:
            is_forbidden = reason in (READ_ONLY, VIEWER, MEMBER, ADMINISTRATOR)
            action = self._offered.get(action_id)
            hint = action.instead if action is not None and not is_forbidden else ""
            self._host.say(reason, hint=hint)
        return bool(reason)

    def works_while_moving(self, action_id: str) -> bool:
        """Whether an action is available while something is lifted.

        It may be one of the screen below, which is drawn too.
        """
        return action_id in self._offered and self._offered[action_id].while_moving

    def run(self, action_id: str) -> None:
        """Run an action, and show the error that it raises; one that takes time in a worker."""
        # A dict keeps the order of insertion: popped first, the action becomes the latest.
        self._host.context.last_actions.pop(action_id, None)
        self._host.context.last_actions[action_id] = None
        asks, call = self._offered[action_id].asks, self._calls[action_id]
        if asks or self._takes_time[action_id]:
            self._host.dialogs.run(partial(_awaited, call), asks=asks)
        else:
            with ErrorsSaid(self._host):
                call()

    def perform(self, action_id: str) -> bool:
        """Run an action, or say why it is unavailable; False if this screen does not offer it."""
        if action_id not in self._offered:
            return False
        if not self.says_why_not(action_id):
            self.run(action_id)
        return True


async def _awaited(call: Callable[[], object]) -> None:
    result = call()
    if isawaitable(result):
        await result
