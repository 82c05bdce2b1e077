"""The tables of the cache: documents, how many tasks each stage has, and who asked when.

The rule it keeps: what is here is never changed; a newer version adds to the end.
"""

from tui.store.cache import polling_turns as watch_asking, revisions as watch_revisions

DOCUMENTS = (
    """create table document (
           kind text not null,
           id integer not null,
           board_id integer,
           stage_id integer,
           position real not null default 0,
           is_active integer not null default 1,
           body text not null,
           primary key (kind, id)
       )""",
    """create index document_by_place on document (board_id, stage_id, position, id)
       where kind = 'task' and is_active = 1""",
    "create table freshness (board_id integer primary key, checked_at text not null)",
    """create table total (
           board_id integer not null,
           stage_id integer not null,
           tasks integer not null,
           primary key (board_id, stage_id)
       ) without rowid""",
    """create trigger task_added after insert on document
       when new.kind = 'task' and new.is_active = 1 and new.stage_id is not null
       begin
           insert into total values (new.board_id, new.stage_id, 1)
           on conflict do update set tasks = tasks + 1;
       end""",
    """create trigger task_removed after delete on document
       when old.kind = 'task' and old.is_active = 1 and old.stage_id is not null
       begin
           update total set tasks = tasks - 1
           where board_id = old.board_id and stage_id = old.stage_id;
       end""",
    """create trigger task_changed after update of board_id, stage_id, is_active on document
       when new.kind = 'task'
       begin
           update total set tasks = tasks - 1
           where old.is_active = 1 and board_id = old.board_id and stage_id = old.stage_id;
           insert into total
           select new.board_id, new.stage_id, 1
           where new.is_active = 1 and new.stage_id is not null
           on conflict do update set tasks = tasks + 1;
       end""",
)
"""Documents by kind and id, with how many tasks each stage has kept by triggers."""

SHARING = (
    *watch_revisions.TABLES,
    *watch_asking.TABLES,
)
"""What several programs on one cache tell each other by."""
