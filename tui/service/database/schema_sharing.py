"""The tables of the third migration: pictures, notifications, folders, webhooks.

The rule it keeps: as in `schema`, nothing here is edited once it has been released.
"""

_PREFERENCES = ("alter table membership add column preferences {json}",)

_IMAGES = (
    """create table service_key (
        name text primary key,
        value text not null
    )""",
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
)

_NOTIFICATIONS = (
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
)

_FOLDERS = (
    """create table folder (
        id {pk},
        title text not null,
        created_by bigint not null references account (id),
        created_at text not null,
        updated_at text not null
    )""",
    """create table folder_board (
        board_id bigint primary key references board (id) on delete cascade,
        folder_id bigint not null references folder (id) on delete cascade
    )""",
    "create index folder_board_folder on folder_board (folder_id)",
)

_WEBHOOKS = (
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

SHARING = _PREFERENCES + _IMAGES + _NOTIFICATIONS + _FOLDERS + _WEBHOOKS
