"""What a person starts from who puts two texts together, and how such conflicts come to be."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.store.faults import Fault
from tests.store.party import Party
from tests.store.service import BOARD, OPEN, Service
from tui.model.task import Priority
from tui.store.documents.threeway import both, both_html, merge
from tui.store.events import PendingState
from tui.store.files.database import open_database
from tui.store.operations import set_description, set_priority, set_title

_TEXT = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n"]), min_size=1, max_size=7).map("".join)


@pytest.mark.parametrize(
    ("mine", "theirs", "together"),
    [
        ("one\n2\nthree", "one\nII\nthree", "one\n2\nII\nthree"),
        ("one\n2\nthree", "one\ntwo\nthree\nfour", "one\n2\nthree\nfour"),
        ("one\n2\nthree", "one\n2\nthree", "one\n2\nthree"),
        ("2\nthree", "one\nII\nthree", "2\none\nII\nthree"),
    ],
)
def test_both_stand_where_they_meet(mine: str, theirs: str, together: str) -> None:
    assert both(base="one\ntwo\nthree", ours=mine, current=theirs) == together


def test_html_is_kept_whole() -> None:
    assert both_html(base="<p>a</p>", ours="<p>m</p>", current="<p>t</p>") == "<p>m</p><p>t</p>"


@given(_TEXT, _TEXT, _TEXT)
def test_it_is_the_merge_where_there_is_one_and_holds_every_new_line(
    base: str, mine: str, theirs: str
) -> None:
    together = both(base=base, ours=mine, current=theirs)
    merged = merge(base=base, ours=mine, current=theirs)
    if merged is not None:
        assert together == merged.rstrip("\n")
    new = {*mine.splitlines(), *theirs.splitlines()} - set(base.splitlines())
    assert new <= set(together.splitlines())


async def conflict(party: Party, service: Service, name: str, theirs: str) -> int:
    """The person changed it in vain a moment ago, and somebody else meanwhile; its number."""
    party.remote.trouble = lambda _: Fault.UNREACHABLE
    alpha = party.task("Alpha")
    set_it = set_title if name == "title" else set_description
    await party.store.submit(set_it(alpha, "mine"))
    await party.until(lambda: party.store.pending()[0].reason)
    service.set(alpha.id, name, theirs)
    party.remote.trouble = lambda _: None
    await party.delivered()
    (waiting,) = party.store.pending()
    assert waiting.state is PendingState.CONFLICT
    return waiting.id


async def test_what_was_tried_in_vain_is_compared_however_short_a_time_ago(
    started: Party, service: Service
) -> None:
    await conflict(started, service, "title", "theirs")
    assert service.titles(OPEN)[0] == "theirs"
    assert started.store.status(BOARD).need_attention == 1


async def test_a_title_of_both_is_sent(started: Party, service: Service) -> None:
    number = await conflict(started, service, "title", "theirs")
    assert started.store.merge_draft(number) == "mine"
    await started.store.resolve(number, "text", "mine\n and theirs")
    await started.delivered()
    assert service.titles(OPEN)[0] == "mine and theirs"


async def test_a_description_of_both_starts_with_both(started: Party, service: Service) -> None:
    number = await conflict(started, service, "description", "<p>theirs</p>")
    assert started.store.merge_draft(number) == "mine<p>theirs</p>"


async def test_what_is_no_text_or_no_conflict_has_no_draft(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(set_priority(started.task("Alpha"), Priority.HIGH))
    (waiting,) = started.store.pending()
    assert started.store.merge_draft(waiting.id) is None
    assert started.store.merge_draft(999) is None
    await started.until(lambda: started.store.pending()[0].reason)
    service.set(waiting.operation.subject.id, "priority", "medium")
    started.remote.trouble = lambda _: None
    started.clock.advance(60)
    await started.until(lambda: started.store.pending()[0].state is PendingState.CONFLICT)
    assert started.store.merge_draft(waiting.id) is None


def test_two_programs_may_bring_a_file_up_to_date_at_once(tmp_path: Path) -> None:
    path = tmp_path / "file.sqlite3"

    class Slow(tuple[tuple[str, ...], ...]):
        """Migrations of a program that another one overtakes before its first."""

        __slots__ = ()

        def __getitem__(self, part: object) -> tuple[tuple[str, ...], ...]:  # type: ignore[override]  # slices alone
            assert isinstance(part, slice)
            open_database(path, _MIGRATIONS, synchronous="full").close()
            return tuple(self)[part]

    open_database(path, Slow(_MIGRATIONS), synchronous="full").close()
    with sqlite3.connect(path) as file:
        assert file.execute("pragma user_version").fetchone() == (2,)
    file.close()


_MIGRATIONS = (("create table one (id integer)",), ("create table two (id integer)",))
