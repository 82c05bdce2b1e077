"""`callboard profiles`: lists services, and the default one."""

from tui.cli.output import say, write_json
from tui.config.passwords import source_in_words
from tui.config.paths import Places
from tui.config.settings import chosen_name, load_settings
from tui.profiles.local import known_profiles


def list_profiles(*, as_json: bool) -> int:
    """Print every profile, the embedded one last. Raises `SettingsError`."""
    places = Places.find()
    default = chosen_name("", load_settings(places.settings))
    rows = [
        {
            "name": known.profile.name,
            "url": known.profile.url,
            "login": known.profile.login,
            "password": "" if known.profile.is_embedded else source_in_words(known.profile),
            "is_default": known.is_current,
            "waiting": known.pending,
            "boards": known.boards,
        }
        for known in known_profiles(places, default)
    ]
    if as_json:
        write_json(rows)
        return 0
    width = max(len(str(row["name"])) for row in rows)
    for row in rows:
        where = "the boards that the program keeps itself"
        if row["url"]:
            where = f"{row['url']}  {row['login']}  password: {row['password']}"
        waiting = f"  pending changes: {row['waiting']}" if row["waiting"] else ""
        mark = "*" if row["is_default"] else " "
        say(f"{mark} {row['name']:{width}}  {where}{waiting}")
    return 0
