"""`callboard export --svg`: a board as the program draws it, as a picture.

The program runs without a terminal on a copy of what is kept of the profile, so that nothing counts
as seen or as opened last, and nothing is sent.
"""

import asyncio
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from textual.app import App
from textual.pilot import Pilot

from tui.app import CallboardApp
from tui.cli.output import ascii_only
from tui.config.paths import Places, make_folder
from tui.config.preferences import Preferences
from tui.config.profiles import Profile
from tui.config.settings import chosen_name, load_settings
from tui.config.settings_writing import CurrentSettings
from tui.context import Context
from tui.workspace import Workspace

DEFAULT_SIZE = (120, 36)
_FONT_OF_OTHERS = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
_DRAWING_ID = re.compile(r"\bterminal-\d+\b")
_BUSY_SECONDS = 5.0


def board_picture(profile: str, board_id: int, size: tuple[int, int]) -> str:
    """The picture of a board that is cached, as SVG; raises `CallboardError`."""
    places = Places.find()
    settings = load_settings(places.settings)
    named = settings.profile(chosen_name(profile, settings))
    with TemporaryDirectory(prefix="callboard-") as folder:
        copied = _copied(places, named, Path(folder))
        current = CurrentSettings(settings._replace(notify="off"))
        return asyncio.run(_draw(copied, named, current, board_id, size))


async def _draw(
    places: Places, named: Profile, current: CurrentSettings, board_id: int, size: tuple[int, int]
) -> str:
    workspace = Workspace.open(places, named)  # never connected: nothing is sent
    try:
        await workspace.store.load_board(board_id)
        context = Context(
            workspace.store,
            current=current,
            preferences=Preferences(workspace.preferences),
            card_url=named.card_url,
            is_embedded=named.is_embedded,
        )
        app = CallboardApp(
            context, connect=_stay_offline, board_id=board_id, ascii_only=ascii_only.get()
        )
        drawings = []

        async def look(pilot: Pilot[object]) -> None:
            await pilot.pause()
            drawings.append(svg_of(app, "callboard"))
            app.exit()

        await app.run_async(headless=True, size=size, auto_pilot=look)
        return drawings[0]
    finally:
        await workspace.aclose()


async def _stay_offline() -> int | None:
    return None


def svg_of(app: App[Any], name: str) -> str:
    """The screen as SVG that asks no other host for anything; ids in it begin with a name."""
    drawing = app.export_screenshot(simplify=True)
    # Some programs would leave out blanks at the ends of a text.
    drawing = drawing.replace("<svg ", '<svg xml:space="preserve" ', 1)
    return _DRAWING_ID.sub(name, _FONT_OF_OTHERS.sub("", drawing))


def _copied(places: Places, named: Profile, folder: Path) -> Places:
    copied = Places(folder / "config", folder / "data", folder / "cache")
    for source, target in ((places.data, copied.data), (places.cache, copied.cache)):
        make_folder(target / named.name)
        for path in (source / named.name).glob("*.sqlite3"):
            _copy_database(path, target / named.name / path.name)
        for path in (source / "preferences.json", *(source / named.name).glob("*.json")):
            if path.exists():
                shutil.copyfile(path, target / path.relative_to(source))
    return copied


def _copy_database(source: Path, target: Path) -> None:
    # Another program may be writing to it: only SQLite itself copies it as a whole.
    with (
        closing(sqlite3.connect(source, timeout=_BUSY_SECONDS)) as link,
        closing(sqlite3.connect(target)) as copy,
    ):
        link.backup(copy)
