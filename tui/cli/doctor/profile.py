"""Whether the folders of Callboard can be used, and what a profile says.

The rule it keeps: where a password is kept may be told, the password never.
"""

import os
import shutil
import stat
from pathlib import Path

from tui.config.passwords import source_in_words
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.profiles import Profile
from tui.store.doctor.report import Level, Remark, megabytes

PLACES, PROFILE = "places", "profile"

_LITTLE = 100 << 20
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def examine_places(places: Places) -> list[Remark]:
    """Whether the folders can be used, and nobody else can read them."""
    found = []
    for folder, holds in (
        (places.config, "settings"),
        (places.data, "boards and changes"),
        (places.cache, "cache"),
    ):
        found.append(_folder(folder, holds))
    if places.data.exists() and (free := shutil.disk_usage(places.data).free) < _LITTLE:
        text = f"The disk of {places.data} has {megabytes(free)} left."
        found.append(Remark(Level.PROBLEM, PLACES, text, "Make room: changes have to be written."))
    return found


def _folder(folder: Path, holds: str) -> Remark:
    """One folder: whether it is there, can be written to, and is private."""
    if not folder.exists():
        return _missing(folder, holds)
    if not folder.is_dir():
        hint = f"Move it away, or name another folder in {HOME_VARIABLE}."
        return Remark(Level.PROBLEM, PLACES, f"{folder} ({holds}) is not a folder.", hint)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        text = f"{folder} ({holds}) cannot be written to."
        return Remark(Level.PROBLEM, PLACES, text, f"Type: chmod u+rwx '{folder}'")
    if folder.stat().st_mode & _OTHERS:
        text = f"{folder} ({holds}) can be used, also by others of this machine."
        return Remark(Level.NOTE, PLACES, text, f"Type: chmod 700 '{folder}'")
    return Remark(Level.OK, PLACES, f"{folder} ({holds}) can be used.")


def _missing(folder: Path, holds: str) -> Remark:
    above = next((each for each in folder.parents if each.exists()), None)
    if above is not None and not os.access(above, os.W_OK | os.X_OK):
        text = f"{folder} ({holds}) cannot be made: {above} cannot be written to."
        hint = f"Make it by hand, or name another folder in {HOME_VARIABLE}."
        return Remark(Level.PROBLEM, PLACES, text, hint)
    return Remark(Level.OK, PLACES, f"{folder} ({holds}) is made when it is needed.")


def examine_profile(profile: Profile) -> list[Remark]:
    """What a profile says: which service, who the person is there, where the password is."""
    if profile.is_embedded:
        text = f"“{profile.name}”: the boards that the program keeps itself."
        return [Remark(Level.OK, PROFILE, text)]
    source = source_in_words(profile)
    found = [
        Remark(Level.OK, PROFILE, f"“{profile.name}”: {profile.login} at {profile.url}"),
        Remark(Level.OK, PROFILE, f"The password comes from the {source}."),
    ]
    if profile.allow_plaintext and profile.url.startswith("http://"):
        text = "The password goes over the network unencrypted, as allow_plaintext says."
        found.append(
            Remark(Level.NOTE, PROFILE, text, "Use an address with https if there is one.")
        )
    return found
