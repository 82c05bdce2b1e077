"""The tables of the cache file, and how it is opened."""

import sqlite3
from datetime import datetime
from pathlib import Path

from tui.store.files.database import (
    DamagedFileError,
    NewerFileError,
    forget_old_set_aside,
    open_database,
    set_aside,
)

BOARD_LIST = 0
"""The id that stands for the list of boards, among those of boards."""
_SECTIONS = (
    """create table section (
           kind text not null,
           id integer not null,
           parent integer not null,
           body text not null,
           revision integer not null,
           primary key (kind, id, parent)
       )""",
    "create index task_by_revision on section (parent, revision) where kind = 'task'",
    """create index section_of_task on section (parent)
       where kind not in ('summary', 'board', 'task')""",
    # A trigger, so that also deletions of many tasks in one statement leave nothing behind.
    """create trigger task_sections_removed after delete on section
       when old.kind = 'task'
       begin
           delete from section
           where parent = old.id and kind not in ('summary', 'board', 'task');
           delete from card where id = old.id;
       end""",
)
_CARDS = (
    """create table card (
           board_id integer not null,
           stage_id integer not null,
           position real not null,
           id integer not null,
           is_open integer not null,
           is_blocked integer not null,
           due_at text,
           blockers text,
           words text,
           body blob not null,
           seen_since text not null,
           primary key (board_id, stage_id, position, id)
       ) without rowid""",
    "create unique index card_by_id on card (id)",
    "create index blocked_card on card (id) where blockers is not null",
)
_CARD_COUNTS = (
    # Kept by triggers: the first paint needs the totals of the stages without counting the cards.
    """create table total (
           board_id integer not null,
           stage_id integer not null,
           tasks integer not null,
           primary key (board_id, stage_id)
       ) without rowid""",
    """create trigger card_added after insert on card
       begin
           insert into total values (new.board_id, new.stage_id, 1)
           on conflict do update set tasks = tasks + 1;
       end""",
    """create trigger card_removed after delete on card
       begin
           update total set tasks = tasks - 1
           where board_id = old.board_id and stage_id = old.stage_id;
       end""",
    """create trigger card_moved after update of board_id, stage_id on card
       when (new.board_id, new.stage_id) is not (old.board_id, old.stage_id)
       begin
           update total set tasks = tasks - 1
           where board_id = old.board_id and stage_id = old.stage_id;
           insert into total values (new.board_id, new.stage_id, 1)
           on conflict do update set tasks = tasks + 1;
       end""",
)
_REVISIONS = (
    "create table counter (revision integer not null)",
    # A new file starts at a random number, so that a revision of a deleted file is not taken for
    # one of this.
    "insert into counter select abs(random()) >> 12",
    """create table forgotten (
           kind text not null,
           id integer not null,
           board_id integer,
           revision integer not null,
           primary key (kind, id)
       ) without rowid""",
)
_POLLS = (
    """create table asking (
           board_id integer primary key,
           asked_at text not null,
           asker text not null default '',
           answered_at text,
           problem text not null default '',
           is_reached integer not null default 0
       )""",
    """create table freshness (
           board_id integer primary key,
           checked_at text not null,
           heard_at text,
           synced_at text not null default '',
           is_complete integer not null default 0,
           size integer not null default 0,
           seconds real not null default 0,
           activity_id integer not null default 0
       )""",
)
_HISTORY = (
    """create table activity (
           board_id integer not null,
           id integer not null,
           at text not null,
           has_gap_below integer not null,
           body text not null,
           primary key (board_id, id)
       ) without rowid""",
    """create table activity_log (
           board_id integer primary key,
           read_at text not null,
           records_moves integer not null default 0
       )""",
    """create table observed (
           board_id integer not null,
           task_id integer not null,
           kind text not null,
           old text not null,
           new text not null,
           title text not null,
           after text,
           at text not null
       )""",
    "create index observed_on_board on observed (board_id)",
)
_EARLIER = 11
"""Tables of this many earlier versions are dropped; their data is fetched again."""
_DROPPED = (
    "document",
    "detail",
    "section",
    "card",
    *("total", "freshness", "asking", "counter"),
    "forgotten",
    *("activity", "activity_log", "observed"),
)
MIGRATIONS = (
    *[()] * _EARLIER,
    (
        *(f"drop table if exists {table}" for table in _DROPPED),
        *(_SECTIONS + _CARDS + _CARD_COUNTS + _REVISIONS + _POLLS + _HISTORY),
    ),
)
_CHECKPOINT_PAGES = 4_000
"""16 MB of journal, so that a board of thousands of tasks is checkpointed once."""


def opened(path: Path, now: datetime) -> tuple[sqlite3.Connection, str]:
    """Open the file, or a new one if it cannot be used; with a message for the user then."""
    try:
        return _connected(path), ""
    except DamagedFileError:
        reason = "was damaged"
    except NewerFileError:
        reason = "was written by a newer version"
    aside = set_cache_aside(path, now)
    return _connected(path), (
        f"The cache {reason} and was set aside as {aside.name};"
        " it will be rebuilt from the service."
    )


def set_cache_aside(path: Path, now: datetime) -> Path:
    """Rename an unusable file, and delete the oldest of those renamed before."""
    aside = set_aside(path, now)
    forget_old_set_aside(path)
    return aside


def _connected(path: Path) -> sqlite3.Connection:
    connection = open_database(path, MIGRATIONS, synchronous="normal", shrinks=True)
    connection.execute(f"pragma wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    return connection
