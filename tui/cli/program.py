"""Opens the program: reads the settings, opens the workspace, runs the application.

Garbage collection is off until everything is imported, and objects existing then are never
collected: both make the start and the slowest keys faster.
"""

import gc
import logging
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from time import monotonic
from traceback import format_exc
from typing import NamedTuple

from tui.runtime.quick_imports import quick_imports

# Textual reads this when it is imported. A key waits for at most one frame before its own.
os.environ.setdefault("TEXTUAL_FPS", "240")
gc.disable()
with quick_imports():
    import asyncio
    from pathlib import Path

    from textual.message import Message

    from tui.app import CallboardApp, only_board
    from tui.cli.settings import first_request, read_settings, use
    from tui.cli.terminal import leave_when_hung_up
    from tui.config.drafts import Drafts
    from tui.config.inbox_file import InboxFile
    from tui.config.paths import Places
    from tui.config.preferences import ALL_BOARDS, VERSION, Preferences
    from tui.config.settings import chosen_name
    from tui.config.settings_writing import CurrentSettings
    from tui.context import Context
    from tui.errors import CallboardError
    from tui.help import latest_version
    from tui.navigation import ProfileRequested
    from tui.profiles.local import LocalProfiles
    from tui.runtime.idle import collect_in_pauses, freeze_old_objects, preload_in_pauses
    from tui.runtime.input_priority import SWITCH_SECONDS, until_beat
    from tui.runtime.last_frame import last_frame
    from tui.runtime.textual_patches import accept_any_byte
    from tui.store.files.waiting_changes import waiting_changes
    from tui.text.clean import counted
    from tui.widgets.plain_ascii import shows_utf8
    from tui.workspace import Workspace

logger = logging.getLogger(__name__)
_LOOK_EVERY = 2.0
_INBOX_AFTER = 2.0
"""Seconds until boards are looked through for the inbox, which are left to the first screen."""
_INBOX_AGAIN = 60.0
"""Seconds until that is tried again after a failure."""
_SIGN_SECONDS = 0.15


def run(
    *,
    ascii_only: bool,
    boards: bool,
    profile: str = "",
    is_read_only: bool = False,
    request: Callable[[Context], Message] | None = None,
) -> int:
    """Open the program on a profile and return its exit code.

    `request` tells what to show on top of the first screen.

    Raises `CallboardError` if settings or folders cannot be used or there is no such profile,
    `CannotGoOn` if the boards cannot be opened, or after an internal error.
    """
    places = Places.find()
    open_profile = partial(_open, places, ascii_only=ascii_only, is_read_only=is_read_only)
    opened = open_profile(profile, boards=boards, request=request)
    freeze_old_objects()
    gc.enable()
    sys.setswitchinterval(SWITCH_SECONDS)
    accept_any_byte()
    return asyncio.run(_run_all(places, opened, open_profile))


class _Run(NamedTuple):
    name: str
    app: CallboardApp
    workspace: Workspace


def _open(
    places: Places,
    profile: str,
    *,
    ascii_only: bool,
    is_read_only: bool,
    boards: bool = False,
    request: Callable[[Context], Message] | None = None,
    greeting: str = "",
) -> _Run:
    settings, warnings = read_settings(places)
    use(settings, os.environ)
    chosen = settings.profile(chosen_name(profile, settings))
    workspace = Workspace.open(
        places, chosen, poll_seconds=settings.poll_seconds, is_read_only=is_read_only
    )
    store, drafts = workspace.store, Drafts(workspace.drafts)
    drafts.forget_made(store.has_local_id)
    context = Context(
        store=store,
        current=CurrentSettings(settings, places.settings),
        preferences=Preferences(workspace.preferences),
        drafts=drafts,
        inbox=InboxFile(workspace.inbox),
        sign_seconds=_SIGN_SECONDS,
        profiles=LocalProfiles(places, chosen.name),
        card_url=chosen.card_url,
        is_embedded=chosen.is_embedded,
        profile_name=chosen.name,
    )
    try:
        message = request(context) if request else first_request(settings, boards=boards)
    except CallboardError:
        asyncio.run(workspace.aclose())
        raise
    opens_board = not boards and settings.start != "boards"
    board_id = store.last_board_id if opens_board else None
    # The first run makes the tutorial, and opens that.
    opens_only_board = opens_board and board_id is None and not workspace.is_first_run
    if opens_only_board:
        board_id = only_board(store)
    news = _news(context.preferences, settings.keys.get("app.help", "?"))
    app = CallboardApp(
        context,
        connect=workspace.connect,
        board_id=board_id,
        ascii_only=ascii_only,
        shows_utf8=shows_utf8(os.environ, sys.stderr.encoding),  # on which it is drawn
        messages=(*warnings, *workspace.messages),
        request=message,
        greeting=" · ".join(filter(None, (greeting, news))),
        is_first_run=workspace.is_first_run,
        opens_only_board=opens_only_board,
    )
    return _Run(chosen.name, app, workspace)


def _news(preferences: Preferences, key: str) -> str:
    # Shown once after an update; the very first start has no previous version.
    previous, version = preferences.text(ALL_BOARDS, VERSION), latest_version()
    preferences.keep(ALL_BOARDS, **{VERSION: version})
    if previous in ("", version):
        return ""
    return f"Callboard is now {version}: {key} and “news” shows what is new"


async def _run_all(places: Places, run: _Run, reopen: Callable[..., _Run]) -> int:
    while True:
        app, workspace = run.app, run.workspace
        # SIGTERM ends the program like its key does. Each profile has an application of its own.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, app.exit)
        background = [
            asyncio.create_task(collect_in_pauses()),
            asyncio.create_task(leave_when_hung_up(app.exit)),
            asyncio.create_task(
                preload_in_pauses(app.prepare_task_screen, first=workspace.prepare)
            ),
            asyncio.create_task(_watch_files(app, workspace)),
            asyncio.create_task(_keep_inbox(app)),
        ]
        try:
            try:
                await app.run_async()
            finally:
                for task in background:
                    task.cancel()
                await workspace.aclose()
        except Exception:  # noqa: BLE001  an error of ours must not end in a traceback on the terminal
            app.crash = app.crash or format_exc()
        if app.failure is not None:
            raise app.failure
        if app.crash:
            from tui.cli.output import crashed

            raise crashed(app.crash, places.data / run.name)
        if app.next_profile is None:
            return app.return_code or 0
        last_frame.forget()  # it is of another profile than the next start
        try:
            greeting = await _leave(places, run.name, app.next_profile)
            run = reopen(app.next_profile.name, greeting=greeting)
        except CallboardError as error:
            # The next profile cannot be opened: return to this one, and say why.
            greeting = f"{error.message} {error.hint}".strip()
            run = reopen(run.name, greeting=greeting)


async def _keep_inbox(app: CallboardApp) -> None:
    # Imported late: no first screen needs it.
    await asyncio.sleep(_INBOX_AFTER)
    from tui.notifications.inbox_reader import InboxKeeper

    context = app.context
    keeper = InboxKeeper(context.store, context.inbox, context.now, changed=app.inbox_changed)
    while True:
        try:
            await keeper.run()
        except Exception:  # whatever it is, such as a damaged cache, the boards work
            logger.exception("The inbox could not be kept")
        await asyncio.sleep(_INBOX_AGAIN)


async def _watch_files(app: CallboardApp, workspace: Workspace) -> None:
    # Reported once, as soon as no dialog covers the line of messages.
    folder: Path | None = None
    while folder is None or not app.says_files_deleted(folder):
        await asyncio.sleep(until_beat(_LOOK_EVERY, monotonic()))
        folder = await asyncio.to_thread(workspace.deleted_folder)


async def _leave(places: Places, name: str, request: ProfileRequested) -> str:
    # Logs out of the profile that was open, if that is asked for; returns the greeting of the next.
    if request.leaves:
        profiles = LocalProfiles(places, request.name)
        left = await profiles.log_out(name, keeps_changes=request.keeps_changes)
        unsent = "unsent changes are kept" if request.keeps_changes else ""
        return "; ".join(filter(None, (f"logged out of {name}", unsent, left)))
    waiting = waiting_changes(places.data, name)
    wait = "waits" if waiting == 1 else "wait"
    left = f"; {counted(waiting, 'change')} of {name} {wait} until it is opened again"
    return f"opened {request.name}{left if waiting else ''}"
