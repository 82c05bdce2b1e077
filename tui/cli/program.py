"""The program, opened: settings, workspace, application.

The rule it keeps: collecting garbage waits until everything has been imported, and what is there
then is never looked at again; both make the start and the slowest keys faster.
"""

import asyncio
import gc
import os
import sys
from traceback import format_exc

os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
os.environ.setdefault("TEXTUAL_FPS", "240")  # so long may a key wait for the frame before its own
gc.disable()

from tui.app import CallboardApp  # noqa: E402 (after what makes its import faster)
from tui.cli.chosen import chosen_name  # noqa: E402
from tui.cli.crash import crashed  # noqa: E402
from tui.cli.hanging_up import leave_when_hung_up  # noqa: E402
from tui.cli.themes import check_theme  # noqa: E402
from tui.config.drafts import Drafts  # noqa: E402
from tui.config.paths import Places  # noqa: E402
from tui.config.preferences import Preferences  # noqa: E402
from tui.config.settings import Settings, load_settings  # noqa: E402
from tui.runtime.gc_pauses import leave_old_objects_alone, tidy_in_pauses  # noqa: E402
from tui.runtime.input_bytes import accept_any_byte  # noqa: E402
from tui.runtime.input_priority import SWITCH_SECONDS  # noqa: E402
from tui.runtime.preload import warm_in_a_pause  # noqa: E402
from tui.screens.context import Context  # noqa: E402
from tui.store.protocol import BoardChanged, StoreEvent  # noqa: E402
from tui.widgets.board.card import Density  # noqa: E402
from tui.workspace import Workspace  # noqa: E402


def run(*, ascii_only: bool, boards: bool, profile: str = "") -> int:
    """Open the program on a profile and return its exit code when it is left.

    Raises `CallboardError` if settings or places cannot be used or there is no such profile,
    `CannotGoOn` if the boards themselves cannot, or after an error of the program itself.
    """
    places = Places.find()
    settings = _settings(places)
    chosen = settings.profile(chosen_name(profile, settings))
    workspace = Workspace.open(places, chosen, poll_seconds=settings.poll_seconds)
    context = Context(
        store=workspace.store,
        density=Density(settings.density),
        preferences=Preferences(workspace.preferences),
        drafts=_drafts(workspace),
    )
    app = CallboardApp(
        context,
        connect=workspace.connect,
        board_id=None if boards else workspace.store.last_board_id,
        theme_name=settings.theme,
        keys=settings.keys,
        ascii_only=ascii_only or settings.ascii,
        messages=workspace.messages,
    )
    gc.enable()
    leave_old_objects_alone()
    sys.setswitchinterval(SWITCH_SECONDS)
    accept_any_byte()
    try:
        asyncio.run(_run(app, workspace))
    except Exception:  # noqa: BLE001  an error of ours must not end in a traceback on the terminal
        app.crash = app.crash or format_exc()
    if app.failure is not None:
        raise app.failure
    if app.crash:
        raise crashed(app.crash, places.data / chosen.name)
    return app.return_code or 0


def _drafts(workspace: Workspace) -> Drafts:
    """The texts that the person is still writing; they follow tasks that get new ids."""
    drafts = Drafts(workspace.drafts)
    drafts.forget_made(workspace.store.has_made)

    def follow(event: StoreEvent) -> None:
        if isinstance(event, BoardChanged):
            drafts.renamed(event.renamed)

    workspace.store.subscribe(follow)
    return drafts


def _settings(places: Places) -> Settings:
    """The settings; the ids of remapped keys are checked only where there are any."""
    settings = load_settings(places.settings)
    check_theme(settings.theme, places.settings)
    if settings.keys:
        from tui.screens.binding_ids import binding_ids

        load_settings(places.settings, binding_ids())
    return settings


async def _run(app: CallboardApp, workspace: Workspace) -> None:
    """Run the application, then let everything go."""
    beside = [
        asyncio.create_task(tidy_in_pauses()),
        asyncio.create_task(leave_when_hung_up(app.exit)),
        asyncio.create_task(warm_in_a_pause(app)),
    ]
    try:
        await app.run_async()
    finally:
        for task in beside:
            task.cancel()
        await workspace.aclose()
