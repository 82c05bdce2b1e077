"""Forgets a profile: its password, its cache and, on demand, what was not sent."""

import shutil
from collections.abc import Sequence

from tui.config.passwords import forget_in_keyring
from tui.config.paths import Places
from tui.config.profiles import EMBEDDED, Profile
from tui.config.settings import understood
from tui.config.settings_file import SettingsFile
from tui.config.settings_writing import with_profile, without_profile, write
from tui.errors import WrongInput
from tui.profiles.login import own_file
from tui.store.doctor import UnreadableError, is_in_use, read_only
from tui.store.outbox.codec import UnreadableOperationError, decode
from tui.text.clean import counted


class CannotLogOut(WrongInput):
    """The profile cannot be logged out of now."""


def left_behind(places: Places, name: str) -> Sequence[str]:
    """What logging out of a profile would lose, in words: pending changes, drafts."""
    folder = places.data / name
    texts = (folder / "drafts").glob("*.md")
    drafts = sum(not path.stem.endswith("-made") for path in texts)  # not marks of submitted ones
    words = [counted(drafts, "text") + " being written"] if drafts else []
    path = folder / "outbox.sqlite3"
    if not path.exists():
        return words
    try:
        with read_only(path) as connection:
            rows = connection.execute("select operation from entry order by seq").fetchall()
    except UnreadableError as error:
        return [f"changes in a file that cannot be read: {error}", *words]
    changes = []
    for (text,) in rows:
        try:
            changes.append(decode(text).describe())
        except UnreadableOperationError:
            changes.append("a change that cannot be read")
    return [*changes, *words]


def profile_to_leave(places: Places, name: str) -> Profile:
    """The profile with this name. Raises `CallboardError` if it cannot be logged out of."""
    profile = understood(SettingsFile.read(places.settings)).profile(name or EMBEDDED)
    if profile.is_embedded:
        raise CannotLogOut(
            "the embedded boards are kept on this machine alone: there is nothing to log out of.",
            hint="Boards are deleted one by one, in the list of boards.",
        )
    if is_in_use(places.data / name / "sender.lock"):
        raise CannotLogOut(
            f"Callboard is open on the profile {name}.", hint="Leave it there, and try again."
        )
    return profile


def log_out(places: Places, name: str, *, keeps_changes: bool) -> str:
    """Forget the password and the cache of a profile; returns what is left, in words.

    With `keeps_changes` its address, login, pending changes and drafts stay. A password file that
    the program did not write always does. The settings come last, so that it can be repeated after
    an error. Raises `CallboardError`.
    """
    profile = profile_to_leave(places, name)
    file = SettingsFile.read(places.settings)
    if keeps_changes:
        bare = profile._replace(password_command=(), password_file=None, keyring=False)
        changed = with_profile(file, bare, is_default=False)
    else:
        changed = without_profile(file, name)
    if profile.keyring:
        forget_in_keyring(profile)
    folders = [places.cache / name] if keeps_changes else [places.cache / name, places.data / name]
    try:
        own_file(places, name).unlink(missing_ok=True)
        for folder in folders:
            if folder.exists():
                shutil.rmtree(folder)
    except OSError as error:
        reason = (error.strerror or "no reason").lower()
        raise CannotLogOut(f"{error.filename} cannot be removed: {reason}.") from error
    write(changed)
    others = profile.password_file not in (None, own_file(places, name))
    return f"the password file {profile.password_file} is your own and was left" if others else ""
