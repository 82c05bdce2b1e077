"""The user's own commands on the chosen cards: in a pane, silently, or in the terminal."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Protocol, runtime_checkable

from textual.app import App, SuspendNotSupported
from textual.worker import Worker, WorkType

from tui.actions.action import Action
from tui.actions.host import Host
from tui.actions.tasks.cards import Cards, named
from tui.config.own_commands import OwnCommand
from tui.config.profiles import PROFILE_VARIABLE
from tui.errors import CallboardError
from tui.model.task import Task
from tui.model.work.command_line import environment, filled, placeholders, values_of
from tui.runtime.beside import ShowLines, run_beside
from tui.text import clean
from tui.text.cells import cut
from tui.text.keyed import keyed
from tui.widgets import glyphs

_SILENT = "own command"
"""The group of the workers that run commands silently."""
_LAST_LINE = 60
"""The cells of the last line of output that a message shows."""


class PreparedCommand(NamedTuple):
    """A command line for one card, or for none, with its environment."""

    words: Sequence[str]
    environ: Mapping[str, str]
    heading: str = ""


class OwnCommands:
    """The commands in the settings; `cards` returns the chosen cards."""

    def __init__(self, cards: Callable[[], Cards]) -> None:
        self._cards = cards

    @staticmethod
    def action(command: OwnCommand) -> Action:
        """The action of a command."""
        return Action(command.id, command.key, command.title, words=f"command {command.name}")

    def why_not_now(self, action_id: str) -> str:
        cards = self._cards()
        command = cards.context.settings.commands.get(action_id.partition(".")[2])
        is_about_cards = command is not None and any(placeholders(command.words))
        return "no card" if is_about_cards and not cards.tasks else ""

    def run(self, command: OwnCommand) -> None:
        """Run a command for each of the chosen cards, one after the other."""
        cards = self._cards()
        is_about_cards = any(placeholders(command.words))
        tasks = cards.need_tasks_anywhere() if is_about_cards else cards.tasks[:1]
        if is_about_cards and not tasks:
            return
        cards.context.last_pressed.action_id = command.id
        if running(cards.host.app, command.id) is not None:
            cards.say(f"{command.title}: still running", hint="esc to stop it")
            return
        prepared = [_prepared(command, task, cards) for task in tasks or (None,)]
        if command.output == "terminal":
            run_in_terminal(command, prepared, cards)
        elif command.output == "silent":
            cards.say(f"{command.title}: running …", hint="esc to stop it")
            work: WorkType[None] = partial(_run_silently, command, prepared, tasks, cards.host)
            cards.host.app.run_worker(work, name=command.id, group=_SILENT)
        else:
            cards.host.dialogs.run(partial(_run_in_pane, command, prepared, cards, tasks))


def _prepared(command: OwnCommand, task: Task | None, cards: Cards) -> PreparedCommand:
    environ, context = dict(os.environ), cards.context
    if context.profile_name:
        environ[PROFILE_VARIABLE] = context.profile_name
    if task is None:
        return PreparedCommand(command.words, environ)
    view = cards.store.board(task.board_id)
    values = values_of(
        task,
        board=view.board.title if view is not None else "",
        branch_name=context.settings.branch_name,
        card_url=context.card_url,
    )
    heading = " ".join(filter(None, (values["number"], values["title"])))
    return PreparedCommand(filled(command.words, values), environ | environment(values), heading)


async def _run_in_pane(
    command: OwnCommand,
    prepared: Sequence[PreparedCommand],
    cards: Cards,
    tasks: Sequence[Task],
) -> None:
    from tui.dialogs.command_pane import CommandPane

    async def run(show: ShowLines) -> str:
        for number, call in enumerate(prepared):
            if len(prepared) > 1:
                show(["", f"{call.heading}:"] if number else [f"{call.heading}:"])
            if code := await _run(call, show):
                return failure(code)
        return "done"

    on_cards = f" on {named(tasks)}" if len(tasks) > 1 else ""
    number = f" {prepared[0].heading.partition(' ')[0]}" if len(tasks) == 1 else ""
    await cards.ask(CommandPane(f"{command.title}{number}{on_cards}", run))


async def _run_silently(
    command: OwnCommand,
    prepared: Sequence[PreparedCommand],
    tasks: Sequence[Task],
    host: Host,
) -> None:
    # In the background: the user goes on, perhaps on another screen, and is told of the end there.
    title, last, end = command.title, [""], ""

    def keep_last(lines: Sequence[str]) -> None:
        last[0] = next((line for line in reversed(lines) if line.strip()), last[0])

    try:
        for call in prepared:
            if code := await _run(call, keep_last):
                said = f": {cut(last[0].strip(), _LAST_LINE)}" if last[0].strip() else ""
                on_card = f" on {cut(call.heading, _LAST_LINE)}" if len(prepared) > 1 else ""
                end = f"{title}: {failure(code)}{on_card}{said}"
                _speaker(host).say(end, error=True)
                return
        on_cards = f" on {named(tasks)}" if len(tasks) > 1 else ""
        end = f"{title}: done{on_cards}"
        _speaker(host).say(end, sign=glyphs.DONE)
    except CallboardError as error:
        end = error.message
        _speaker(host).say(end, hint=error.hint, error=True)
    finally:
        if not end:
            _speaker(host).say(f"{title}: stopped")


@runtime_checkable
class StatusSayer(Protocol):
    """A screen with a status line."""

    def say(self, text: str, *, hint: str = "", error: bool = False, sign: str = "") -> None:
        """Show a message."""


def _speaker(host: Host) -> StatusSayer:
    shown = reversed(host.app.screen_stack) if host.app.is_running else ()
    return next((screen for screen in shown if isinstance(screen, StatusSayer)), host)


def running(app: App[object], command_id: str) -> Worker[object] | None:
    """The worker of a command that runs silently; None if it does not run."""
    same = (
        worker for worker in app.workers if (worker.group, worker.name) == (_SILENT, command_id)
    )
    return next((worker for worker in same if worker.is_running), None)


def stop_command(host: Host) -> bool:
    """Stop the command whose key was pressed last, if it still runs silently."""
    worker = running(host.app, host.context.last_pressed.action_id)
    if worker is not None:
        worker.cancel()
    return worker is not None


async def _run(prepared: PreparedCommand, show: ShowLines) -> int:
    try:
        return await run_beside(prepared.words, prepared.environ, show)
    except (OSError, ValueError) as error:
        raise _not_run(prepared, error) from error


def run_in_terminal(command: OwnCommand, prepared: Sequence[PreparedCommand], cards: Cards) -> None:
    """Run a command in the terminal, as the external editor is."""
    from tui.dialogs.editor.text import run_program

    code = 0
    problem: Exception | None = None
    try:
        with cards.host.app.suspend():
            for call in prepared:
                # An exception in this block would keep Textual from resuming the terminal.
                try:
                    code = run_program(call.words, call.environ)
                except (OSError, ValueError) as error:
                    problem = _not_run(call, error)
                if code or problem is not None:
                    break
    except SuspendNotSupported as error:
        raise CallboardError(
            "Not run: this terminal cannot be handed to another program.",
            hint='output = "pane" shows what it prints',
        ) from error
    if problem is not None:
        raise problem
    if code:
        cards.say(f"{command.title}: {failure(code)}", error=True)
    else:
        cards.say(f"{command.title}: done", sign=glyphs.DONE)


def failure(code: int) -> str:
    """How a command failed, by its exit code."""
    return f"failed with exit code {code}" if code > 0 else f"ended by signal {-code}"


def _not_run(prepared: PreparedCommand, error: Exception) -> CallboardError:
    reason = (getattr(error, "strerror", None) or "not a command").lower()
    program = clean.line(prepared.words[0])
    return CallboardError(
        f"{program} cannot be run: {reason}.",
        hint=keyed("correct [commands] in the settings, {go.settings:g ,} shows where they are"),
    )
