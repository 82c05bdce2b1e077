"""The program, opened: settings, workspace, application.

The rule it keeps: collecting garbage waits until everything has been imported, and what is there
then is never looked at again; both make the start and the slowest keys faster.
"""

import asyncio
import gc
import os

os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
gc.disable()

from tui.app import CallboardApp  # noqa: E402 (after what makes its import faster)
from tui.config import Settings, load_settings  # noqa: E402
from tui.errors import CallboardError, CannotGoOn  # noqa: E402
from tui.paths import Places  # noqa: E402
from tui.preferences import Preferences  # noqa: E402
from tui.screens.context import Context  # noqa: E402
from tui.widgets.card import Density  # noqa: E402
from tui.workspace import Workspace  # noqa: E402


def run(*, ascii_only: bool, boards: bool) -> int:
    """Open the program and return its exit code when it is left.

    Raises `CallboardError` if settings or places cannot be used, `CannotGoOn` if the boards
    themselves cannot.
    """
    places = Places.find()
    settings = _settings(places)
    workspace = Workspace.open(places)
    context = Context(
        store=workspace.store,
        density=Density(settings.density),
        preferences=Preferences(places.data / "preferences.json"),
    )
    app = CallboardApp(
        context,
        connect=workspace.connect,
        board_id=None if boards else workspace.store.last_board_id,
        theme_name=settings.theme,
        keys=settings.keys,
        ascii_only=ascii_only or settings.ascii,
        messages=workspace.store.messages,
    )
    gc.enable()
    gc.freeze()
    failure = asyncio.run(_run(app, workspace))
    if failure is not None:
        raise failure
    return app.return_code or 0


def _settings(places: Places) -> Settings:
    """The settings; the ids of remapped keys are checked only where there are any."""
    settings = load_settings(places.settings)
    if settings.keys:
        from tui.screens.binding_ids import binding_ids  # noqa: PLC0415 (loads every screen)

        load_settings(places.settings, binding_ids())
    return settings


async def _run(app: CallboardApp, workspace: Workspace) -> CallboardError | None:
    """Run the application, then let everything go; what it could not go on without."""
    try:
        await app.run_async()
    finally:
        await workspace.aclose()
    return CannotGoOn(app.failure.message, hint=app.failure.hint) if app.failure else None
