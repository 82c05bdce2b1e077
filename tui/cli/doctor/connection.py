"""Whether the service of a profile answers, or the boards that the program keeps are whole.

The rule it keeps: a service is only read from, and what is said of it never holds the password.
"""

import asyncio
from pathlib import Path

from tui.config.paths import Places
from tui.config.profiles import EMBEDDED, Profile
from tui.errors import CallboardError
from tui.store.doctor.report import (
    Level,
    Remark,
    UnreadableError,
    check_whole,
    counted,
    megabytes,
    read_only,
)
from tui.workspace import lost_board_file

SERVICE = "service"

_LEVELS = {True: Level.OK, False: Level.PROBLEM, None: Level.NOTE}


def examine_connection(places: Places, profile: Profile, *, is_offline: bool) -> list[Remark]:
    """Whether a profile's service can be reached, believes the person, and what it offers."""
    if profile.is_embedded:
        return _boards(places)
    if is_offline:
        return [Remark(Level.OK, SERVICE, "It was left alone, as --offline says.")]
    from tui.config.capabilities_file import ServiceMemory
    from tui.config.passwords import find_password
    from tui.connecting.profile_check import look

    try:
        password = find_password(profile)
    except CallboardError as error:
        return [Remark(Level.PROBLEM, SERVICE, error.message, error.hint)]
    findings = asyncio.run(look(profile, password, ServiceMemory()))
    return [
        Remark(_LEVELS[step.is_good], SERVICE, f"{step.name}: {step.said}", step.hint)
        for step in findings.steps
    ]


def _boards(places: Places) -> list[Remark]:
    """How the file of the boards that the program keeps is."""
    path = places.boards
    if lost := lost_board_file(places, _known(places.cache / EMBEDDED / "cache.sqlite3")):
        return [Remark(Level.PROBLEM, SERVICE, lost.message, lost.hint)]
    if not path.exists():
        return [Remark(Level.OK, SERVICE, f"{path} is not there yet; the first start makes it.")]
    try:
        with read_only(path) as connection:
            check_whole(connection)
            (boards,) = connection.execute("select count(*) from board").fetchone()
            (tasks,) = connection.execute("select count(*) from task").fetchone()
    except UnreadableError as error:
        text = f"{path}, which holds your boards, cannot be used: {error}."
        hint = "Make a copy of it before anything else; callboard import brings an archive back."
        return [Remark(Level.PROBLEM, SERVICE, text, hint)]
    text = (
        f"{path}, which holds your boards, is whole: {megabytes(path.stat().st_size)}, "
        f"{counted(boards, 'board')}, {counted(tasks, 'card')}."
    )
    return [Remark(Level.OK, SERVICE, text)]


def _known(cache: Path) -> int:
    """How many boards a cache has; none if it cannot be read."""
    try:
        with read_only(cache) as connection:
            query = "select count(*) from document where kind = 'summary'"
            return int(connection.execute(query).fetchone()[0])
    except UnreadableError:
        return 0
