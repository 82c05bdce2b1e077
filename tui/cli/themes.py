"""The name of a theme, checked before anything is drawn with it."""

from difflib import get_close_matches
from pathlib import Path

from textual.theme import BUILTIN_THEMES

from tui.config.settings_file import SettingsError
from tui.text import clean
from tui.theme import THEMES


def check_theme(name: str, settings: Path) -> None:
    """Raise `SettingsError` if there is no theme of this name, with the nearest one there is."""
    known = [*(theme.name for theme in THEMES), *sorted(BUILTIN_THEMES)]
    if name in known:
        return
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    raise SettingsError(
        f"The theme “{clean.line(name)}” in {settings} is not known.",
        hint=f"Did you mean “{near[0]}”?" if near else f"There are {', '.join(known)}.",
    )
