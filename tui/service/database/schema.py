"""The tables, as numbered migrations.

A released migration is never edited; a change is a new one at the end. A migration is a tuple of
single statements in SQL that SQLite and PostgreSQL both understand, with tokens for the
differences; see `base`. Ids are never used twice, so that no cache takes a new thing for a deleted
one.
"""

APPLICATION_ID = 0x43426F61
"""Written into every file, to tell it from databases of other programs."""

Migration = tuple[str, ...]

_FIRST = (
    """create table account (
        id {pk},
        login text not null unique,
        email text not null default '',
        display_name text not null,
        password_hash text,
        is_administrator integer not null default 0,
        is_local integer not null default 0,
        created_at text not null
    )""",
    """create table board (
        id {pk},
        title text not null,
        description text not null default '',
        type text not null,
        currency text not null,
        background {json} not null,
        created_by bigint not null references account (id),
        archived_at text,
        change_count bigint not null default 1,
        changed_at text not null,
        created_at text not null,
        updated_at text not null
    )""",
    """create table membership (
        board_id bigint not null references board (id) on delete cascade,
        account_id bigint not null references account (id) on delete cascade,
        role text not null,
        created_at text not null,
        primary key (board_id, account_id)
    )""",
    "create index membership_account on membership (account_id)",
    """create table stage (
        id {pk},
        board_id bigint not null references board (id) on delete cascade,
        title text not null,
        slug text,
        position {real} not null,
        color text,
        bg_color text,
        settings {json} not null,
        archived_at text,
        created_by bigint not null references account (id),
        created_at text not null,
        updated_at text not null
    )""",
    "create index stage_order on stage (board_id, position, id)",
    """create table label (
        id {pk},
        board_id bigint not null references board (id) on delete cascade,
        title text,
        slug text,
        position {real} not null,
        color text,
        bg_color text not null,
        archived_at text,
        created_at text not null,
        updated_at text not null
    )""",
    "create index label_board on label (board_id, position, id)",
    """create table task (
        id {pk},
        board_id bigint not null references board (id) on delete cascade,
        stage_id bigint references stage (id) on delete cascade,
        parent_id bigint references task (id) on delete cascade,
        crm_contact_id bigint,
        title text not null,
        slug text not null,
        type text not null,
        status text not null,
        priority text not null,
        description text,
        lead_value text not null default '0.00',
        position {real} not null,
        comments_count bigint not null default 0,
        issue_number bigint,
        source text,
        source_id text,
        reminder_type text not null default 'none',
        remind_at text,
        started_at text,
        due_at text,
        last_completed_at text,
        archived_at text,
        settings {json} not null,
        meta {json} not null,
        created_by bigint not null references account (id),
        created_at text not null,
        updated_at text not null
    )""",
    "create index task_order on task (stage_id, archived_at, parent_id, position, id)",
    "create index task_board on task (board_id, status)",
    "create index task_parent on task (parent_id)",
    """create table task_label (
        task_id bigint not null references task (id) on delete cascade,
        label_id bigint not null references label (id) on delete cascade,
        created_at text not null,
        primary key (task_id, label_id)
    )""",
    "create index task_label_label on task_label (label_id)",
    """create table task_assignee (
        task_id bigint not null references task (id) on delete cascade,
        account_id bigint not null references account (id) on delete cascade,
        created_at text not null,
        primary key (task_id, account_id)
    )""",
    "create index task_assignee_account on task_assignee (account_id)",
    """create table task_watcher (
        task_id bigint not null references task (id) on delete cascade,
        account_id bigint not null references account (id) on delete cascade,
        created_at text not null,
        primary key (task_id, account_id)
    )""",
    "create index task_watcher_account on task_watcher (account_id)",
    """create table comment (
        id {pk},
        board_id bigint not null references board (id) on delete cascade,
        task_id bigint not null references task (id) on delete cascade,
        parent_id bigint references comment (id) on delete cascade,
        type text not null,
        privacy text not null,
        status text not null,
        author_name text not null,
        author_email text not null,
        description text not null,
        settings {json} not null,
        created_by bigint not null references account (id),
        created_at text not null,
        updated_at text not null
    )""",
    "create index comment_task on comment (task_id, id)",
    "create index comment_parent on comment (parent_id)",
    "create index comment_board on comment (board_id)",
    # No foreign key to the task: what happened to it stays readable after it is deleted.
    """create table activity (
        id {pk},
        board_id bigint not null references board (id) on delete cascade,
        task_id bigint,
        action text not null,
        column_name text not null,
        old_value text,
        new_value text,
        description text,
        settings {json},
        created_by bigint not null references account (id),
        created_at text not null
    )""",
    "create index activity_board on activity (board_id, id)",
    "create index activity_task on activity (task_id, id)",
)

_GROUPS_AND_FIELDS = (
    """create table subtask_group (
        id {pk},
        task_id bigint not null references task (id) on delete cascade,
        title text not null,
        created_at text not null,
        updated_at text not null
    )""",
    "create index subtask_group_task on subtask_group (task_id, id)",
    """alter table task add column subtask_group_id bigint
        references subtask_group (id) on delete cascade""",
    "create index task_group on task (subtask_group_id, archived_at, position, id)",
    """create table custom_field (
        id {pk},
        board_id bigint not null references board (id) on delete cascade,
        title text not null,
        slug text not null,
        type text not null,
        options {json} not null,
        position {real} not null,
        created_at text not null,
        updated_at text not null
    )""",
    "create index custom_field_board on custom_field (board_id, position, id)",
    """create table custom_field_value (
        id {pk},
        task_id bigint not null references task (id) on delete cascade,
        custom_field_id bigint not null references custom_field (id) on delete cascade,
        value {json} not null,
        created_at text not null,
        updated_at text not null,
        unique (task_id, custom_field_id)
    )""",
    "create index custom_field_value_field on custom_field_value (custom_field_id)",
)

_SHARING = (
    "alter table membership add column preferences {json}",
    """create table service_key (
        name text primary key,
        value text not null
    )""",
    # No foreign key to the board: a row has to outlive it until its file is removed.
    """create table comment_image (
        id {pk},
        board_id bigint not null,
        comment_id bigint references comment (id) on delete set null,
        was_attached integer not null default 0,
        attachment_type text not null,
        title text not null,
        file_name text not null,
        file_bytes bigint not null,
        file_hash text not null unique,
        created_by bigint not null references account (id),
        created_at text not null,
        updated_at text not null
    )""",
    "create index comment_image_comment on comment_image (comment_id, id)",
    "create index comment_image_loose on comment_image (created_at) where comment_id is null",
    """create table notification (
        id {pk},
        account_id bigint not null references account (id) on delete cascade,
        board_id bigint not null references board (id) on delete cascade,
        task_id bigint not null references task (id) on delete cascade,
        comment_id bigint references comment (id) on delete cascade,
        kind text not null,
        actor_id bigint not null references account (id),
        text text not null,
        read_at text,
        created_at text not null
    )""",
    "create index notification_account on notification (account_id, id)",
    "create index notification_board on notification (board_id)",
    "create index notification_task on notification (task_id)",
    "create index notification_comment on notification (comment_id)",
    """create table folder (
        id {pk},
        title text not null,
        created_by bigint not null references account (id),
        created_at text not null,
        updated_at text not null
    )""",
    # The board is the key, as it is in one folder at most.
    """create table folder_board (
        board_id bigint primary key references board (id) on delete cascade,
        folder_id bigint not null references folder (id) on delete cascade
    )""",
    "create index folder_board_folder on folder_board (folder_id)",
    """create table webhook (
        id {pk},
        board_id bigint not null references board (id) on delete cascade,
        stage_id bigint not null references stage (id) on delete cascade,
        name text not null,
        hash text not null unique,
        created_by bigint not null references account (id),
        created_at text not null,
        updated_at text not null
    )""",
    "create index webhook_board on webhook (board_id)",
    "create index webhook_stage on webhook (stage_id)",
)

_REMOVED_ACCOUNTS = ("alter table account add column removed_at text",)

_IDEMPOTENT_REPLIES = (
    """create table idempotent_reply (
        id {pk},
        account_id bigint not null references account (id),
        idempotency_key text not null,
        digest text not null,
        status integer not null,
        body text not null,
        created_at text not null,
        unique (account_id, idempotency_key)
    )""",
    "create index idempotent_reply_age on idempotent_reply (created_at)",
)

_BOARD_CHANGES = (
    """create table board_change (
        board_id bigint not null references board (id) on delete cascade,
        number bigint not null,
        touched {json} not null,
        primary key (board_id, number)
    )""",
)

_NUMBERED_REPLIES = (
    "alter table idempotent_reply add column number bigint not null default 0",
    "create index idempotent_reply_number on idempotent_reply (account_id, number)",
)

_WITHOUT_NOTIFICATIONS = ("drop table notification",)
"""Nothing could read them."""

MIGRATIONS: tuple[Migration, ...] = (
    _FIRST,
    _GROUPS_AND_FIELDS,
    _SHARING,
    _REMOVED_ACCOUNTS,
    _IDEMPOTENT_REPLIES,
    _BOARD_CHANGES,
    _NUMBERED_REPLIES,
    _WITHOUT_NOTIFICATIONS,
)
"""All migrations; the number of one is its place, from 1."""
