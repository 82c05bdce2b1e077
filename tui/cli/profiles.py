"""`callboard profiles`: lists services, and the default one."""

from typing import NamedTuple

from tui.cli.output import say, write_json
from tui.config.passwords import source_in_words
from tui.config.paths import Places
from tui.config.profiles import EMBEDDED, Profile
from tui.config.settings import Settings, chosen_name, load_settings
from tui.store.files.waiting_changes import waiting_changes


class Row(NamedTuple):
    """A listed profile; `password` is its source, `waiting` counts pending changes."""

    name: str
    url: str
    login: str
    password: str
    is_default: bool
    waiting: int


def list_profiles(*, as_json: bool) -> int:
    """Print every profile, the embedded one last. Raises `SettingsError`."""
    places = Places.find()
    settings = load_settings(places.settings)
    profiles = [*settings.profiles.values(), Profile(EMBEDDED)]
    rows = [_row(profile, settings, places) for profile in profiles]
    if as_json:
        write_json([row._asdict() for row in rows])
        return 0
    width = max(len(row.name) for row in rows)
    for row in rows:
        where = "the boards that the program keeps itself"
        if row.url:
            where = f"{row.url}  {row.login}  password: {row.password}"
        waiting = f"  pending changes: {row.waiting}" if row.waiting else ""
        mark = "*" if row.is_default else " "
        say(f"{mark} {row.name:{width}}  {where}{waiting}")
    return 0


def _row(profile: Profile, settings: Settings, places: Places) -> Row:
    return Row(
        name=profile.name,
        url=profile.url,
        login=profile.login,
        password="" if profile.is_embedded else source_in_words(profile),
        is_default=profile.name == chosen_name("", settings),
        waiting=waiting_changes(places.data, profile.name),
    )
