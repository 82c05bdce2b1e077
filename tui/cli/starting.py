"""What settings do when the program starts, beside how it looks."""

from collections.abc import MutableMapping
from pathlib import Path

from textual.message import Message
from textual.theme import BUILTIN_THEMES

from tui.config.paths import Places
from tui.config.settings import Settings, load_settings
from tui.config.settings_file import SettingsError, nearest
from tui.navigation import ListRequested, StandupRequested
from tui.text import clean
from tui.text.dates import customs
from tui.theme import THEMES


def read_settings(places: Places) -> tuple[Settings, list[str]]:
    """The settings, and warnings about remapped keys, which are checked only if there are any.

    Raises what `load_settings` raises, and `SettingsError` if the theme is not known.
    """
    settings = load_settings(places.settings)
    _check_theme(settings.theme, places.settings)
    if not settings.keys:
        return settings, []
    from tui.screens.binding_ids import key_map

    keys = key_map()
    load_settings(places.settings, keys.ids)
    return settings, keys.warnings(settings.keys)


def _check_theme(name: str, settings: Path) -> None:
    """Raise `SettingsError` for an unknown theme, with the most similar name."""
    known = [*(theme.name for theme in THEMES), *sorted(BUILTIN_THEMES)]
    if name in known:
        return
    raise SettingsError(
        f"The theme “{clean.line(name)}” in {settings} is not known.",
        hint=nearest(name, known) or f"There are {', '.join(known)}.",
    )


def use(settings: Settings, environ: MutableMapping[str, str]) -> None:
    """Follow the settings of dates and editor, for the whole run."""
    customs.set(settings.customs)
    if settings.editor:
        environ["VISUAL"] = settings.editor


def first_request(settings: Settings, *, boards: bool) -> Message | None:
    """What the settings show on top of the first screen, unless the list of boards is wanted."""
    if boards or settings.start not in ("my-work", "standup"):
        return None
    return StandupRequested() if settings.start == "standup" else ListRequested("my_work", None)
