"""Whatever of a profile is damaged: it starts, nothing is lost in silence, and the rest is sent."""

import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault
from tests.store.party import Party
from tests.store.service import BOARD, DOING, OPEN, Service, four_tasks
from tui.model.board import Place
from tui.store.doctor import (
    Level,
    examine_cache,
    examine_outbox,
    has_damaged_cache,
    has_damaged_outbox,
    put_aside,
    save_what_can_be_read,
)
from tui.store.operations import CreateTask, MoveTask, set_description, set_title

_PAGE = 4096
_LONG = "x" * 700
OUTBOX = Path("data/default/outbox.sqlite3")
CACHE = Path("cache/default/cache.sqlite3")


class Damage(NamedTuple):
    """Something that is done to a file."""

    file: Path
    what: str
    number: int = 0
    table: str = ""

    def do(self, folder: Path) -> None:
        path = folder / self.file
        content = path.read_bytes()
        half = len(content) // 2
        match self.what:
            case "drop":
                with closing(sqlite3.connect(path)) as file:
                    file.execute(f"drop table {self.table}")
            case "zero":
                start = self.number * _PAGE
                path.write_bytes(content[:start] + bytes(_PAGE) + content[start + _PAGE :])
            case "first half":
                path.write_bytes(content[:half])
            case "second half":
                path.write_bytes(content[half:])
            case "empty":
                path.write_bytes(b"")
            case "delete":
                path.unlink()


class Profile(NamedTuple):
    """A profile that was left with changes that were not sent."""

    folder: Path
    unsent: tuple[str, ...]
    sent: tuple[str, ...]

    def damages(self) -> Iterator[Damage]:
        """Everything that can happen to its files."""
        for file in (OUTBOX, CACHE):
            path = self.folder / file
            with closing(sqlite3.connect(path)) as connection:
                rows = connection.execute(
                    "select name from sqlite_master where type = 'table'"
                    " and name not like 'sqlite_%'"
                ).fetchall()
            yield from (Damage(file, "drop", table=name) for (name,) in rows)
            for what in ("first half", "second half", "empty", "delete"):
                yield Damage(file, what)
            yield from (Damage(file, "zero", page) for page in range(path.stat().st_size // _PAGE))


async def made_profile(folder: Path, service: Service) -> Profile:
    party = Party(folder, service, FakeClock(), 0.25)
    await party.start()
    await party.store.submit(CreateTask.new(BOARD, DOING, "Made before"))
    made = party.task("Made before")
    await party.delivered()
    party.remote.trouble = lambda _: Fault.UNREACHABLE
    await party.store.submit(set_title(made, "Renamed later"))
    await party.store.submit(MoveTask.on(party.task("Alpha"), DOING, Place()))
    await party.store.submit(CreateTask.new(BOARD, OPEN, "Made offline"))
    await party.store.submit(set_title(party.task("Made offline"), "Named offline"))
    for number in range(8):
        beta = party.task("Beta")
        await party.store.submit(set_description(beta, f"<p>{number} {_LONG}</p>"))
        await party.store.submit(CreateTask.new(BOARD, OPEN, f"Card {number}"))
    unsent = tuple(one.operation.describe() for one in party.store.pending())
    await party.store.aclose()
    return Profile(folder, unsent, ("Made before",))


@pytest.fixture
async def profile(tmp_path: Path, service: Service) -> Profile:
    return await made_profile(tmp_path / "whole", service)


def doctor(folder: Path) -> bool:
    """Whether the doctor finds nothing wrong."""
    now = FakeClock().now()
    remarks = [
        *examine_outbox(folder / OUTBOX, now, is_used=_is_used(folder)),
        *examine_cache(folder / CACHE, now),
    ]
    wrong = [remark for remark in remarks if remark.level is Level.PROBLEM]
    assert all(remark.hint for remark in wrong)
    return not wrong


def _is_used(folder: Path) -> bool:
    return (folder / CACHE).exists() and (folder / CACHE).stat().st_size > 0


def repair(folder: Path) -> None:
    now = FakeClock().now()
    if has_damaged_outbox(folder / OUTBOX, is_used=_is_used(folder)):
        assert save_what_can_be_read(folder / OUTBOX, now, is_used=_is_used(folder))
    if has_damaged_cache(folder / CACHE):
        put_aside(folder / CACHE, now)


async def check(profile: Profile, folder: Path, damage: Damage, *, is_repaired: bool) -> None:
    service = Service(four_tasks(), folder / "attachments")
    shutil.copytree(profile.folder, folder, dirs_exist_ok=True)
    damage.do(folder)
    was_well = doctor(folder)
    if is_repaired:
        repair(folder)
        assert doctor(folder)
    party = Party(folder, service, FakeClock(), 0.25)
    left = [one.operation.describe() for one in party.store.pending()]
    lost = set(profile.unsent) - set(left)
    told = " ".join((*party.store.messages, *party.store.losses()))
    if lost:
        assert not was_well, "the doctor saw nothing"
        assert "lost" in told or "cannot be read" in told
        await party.restart()
        told = " ".join((*party.store.messages, *party.store.losses()))
        assert "lost" in told or "cannot be read" in told
    if not is_repaired:
        await party.start()
        await party.delivered()
        assert all(one.needs_attention for one in party.store.pending())
    await party.store.acknowledge_losses()
    await party.restart()
    assert party.store.losses() == ()
    await party.store.aclose()
    await service.aclose()


_QUICK = ("drop", "first half", "second half", "empty", "delete")
_PARTS = 8


async def check_all(
    profile: Profile, damages: Iterable[Damage], folder: Path, *, is_repaired: bool
) -> None:
    for number, damage in enumerate(damages):
        try:
            await check(profile, folder / str(number), damage, is_repaired=is_repaired)
        except BaseException as error:
            error.add_note(str(damage))
            raise


@pytest.mark.parametrize("is_repaired", [False, True])
async def test_changes_without_a_table_or_a_half(
    profile: Profile, tmp_path: Path, *, is_repaired: bool
) -> None:
    damages = [one for one in profile.damages() if one.file == OUTBOX and one.what in _QUICK]
    usual = [one for one in damages if one.table in ("", "entry", "renamed")]
    await check_all(profile, usual, tmp_path, is_repaired=is_repaired)


@pytest.mark.long
@pytest.mark.parametrize("is_repaired", [False, True])
@pytest.mark.parametrize("part", range(_PARTS))
async def test_every_damage_of_every_file(
    profile: Profile, tmp_path: Path, part: int, *, is_repaired: bool
) -> None:
    damages = list(profile.damages())[part::_PARTS]
    await check_all(profile, damages, tmp_path, is_repaired=is_repaired)
