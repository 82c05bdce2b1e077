"""The records that replies hold (section 2), in the notation of `notation`.

The rule it keeps: what is written here is what the service sends, not what it might; the tests
hold every reply against it.
"""

RECORDS: dict[str, str] = {
    "Error": "code string; message string; data {status integer; params? object}",
    "Task": """id integer; parent_id integer?; board_id integer; stage_id integer?;
        crm_contact_id integer?; title string; slug string; type string; status =open|closed;
        priority =low|medium|high; description string?; lead_value string; created_by integer;
        position number; comments_count integer; issue_number integer?; source string?;
        source_id string?; reminder_type string; remind_at wall?; started_at wall?; due_at wall?;
        last_completed_at wall?; archived_at wall?; created_at moment; updated_at moment;
        settings TaskSettings; meta TaskMeta; repeat_task_meta object?; isOverdue boolean;
        isUpcoming boolean; is_watching boolean; labels [TaskLabel]; assignees [User];
        task_custom_fields [FieldValue]; board? Board; stage? Stage?; nextStage? string?;
        watchers? [User]; attachments? [object]""",
    "TaskSettings": """cover any; subtask_count integer; attachment_count integer;
        subtask_completed_count integer""",
    "TaskMeta": "is_template? =yes|no; subtask_group_id? integer; group_name? string",
    "Board": """id integer; parent_id integer?; title string; description string;
        type =to-do|roadmap; currency string; background Background;
        settings {tasks_count integer}; completed_tasks_count string; created_by integer;
        archived_at wall?; created_at moment; updated_at moment; meta object;
        isUserOnlyViewer boolean; users? [Member]; stages? [Stage]; owner? User?; labels? [Label];
        labelColor? object; labelColorText? object; custom_fields? [CustomField];
        pivot? Membership""",
    "Background": "id string; is_image boolean; image_url string?; color color",
    "Stage": """id integer; board_id integer; title string; slug string?; type =stage;
        position number; color string?; bg_color string?; settings StageSettings;
        archived_at wall?; created_at moment; updated_at moment; created_by integer""",
    "StageSettings": """default_task_status =open|closed; default_task_assignees ids;
        is_template boolean""",
    "Label": """id integer; board_id integer; title string?; slug string?; type =label;
        position decimal; color string?; bg_color color; settings object?; archived_at wall?;
        created_at moment; updated_at moment""",
    "TaskLabel": """id integer; board_id integer; title string?; slug string?; type =label;
        position decimal; color string?; bg_color color; settings object?; archived_at wall?;
        created_at moment; updated_at moment; pivot {object_id integer; foreign_id integer;
        settings object?; created_at moment; updated_at moment}""",
    "Comment": """id integer; board_id integer; task_id integer; parent_id integer?;
        type =comment|reply; privacy =private|public; status string; author_name string;
        author_email string; author_ip string; description string; created_by integer;
        settings {raw_description? string?; mentioned_id? ids?}; created_at moment;
        updated_at moment; replies [Comment]; replies_count integer; avatar string; user User?;
        images [Image]; task? Task""",
    "Image": """id integer; object_id integer; object_type =comment_image; attachment_type string;
        title string; file_path string; full_url string; file_size string; settings string;
        driver string; file_hash string; status string; created_at moment; updated_at moment;
        secure_url string; public_url? string""",
    "User": """ID integer; user_login string; user_nicename string; user_email string;
        email string; user_url string; user_registered wall; user_status string;
        display_name string; photo string; is_super? boolean; is_wpadmin? boolean;
        which_boards? [Board]""",
    "Member": """ID integer; user_login string; user_nicename string; user_email string;
        email string; user_url string; user_registered wall; user_status string;
        display_name string; photo string; role =admin|member|viewer; is_super boolean;
        is_wpadmin boolean; is_admin? boolean; is_board_admin? boolean; pivot? Membership""",
    "Membership": """object_id integer; foreign_id integer; settings string; preferences string;
        created_at moment; updated_at moment""",
    "Person": """ID integer; display_name string; photo string; email string; is_super boolean;
        is_wpadmin boolean; boards [{id integer; title string; role =admin|member|viewer}]""",
    "Folder": """id integer; title string; created_by integer; boards_ids ids; created_at moment;
        updated_at moment""",
    "SubtaskGroup": """id integer; task_id integer; key =group_name; value string;
        created_at moment; updated_at moment; subtasks? [Task]""",
    "CustomField": """id integer; board_id integer; title string; slug string; type =custom-field;
        position number; color string?; bg_color string?;
        settings {custom_field_type string; select_options? [string]}; archived_at wall?;
        created_at moment; updated_at moment""",
    "FieldValue": """id integer; object_id integer; object_type =task_custom_field;
        foreign_id integer; settings {value any}; preferences object?; created_at moment;
        updated_at moment""",
    "Activity": """id integer; object_id string; object_type =task_activity|board_activity;
        action string; column string; old_value string?; new_value string?; description string?;
        created_by string; settings object?; created_at moment; updated_at moment; user User?""",
    "Webhook": """id integer; object_id integer?; object_type =webhook; key string;
        value WebhookValue; created_at moment; updated_at moment""",
    "WebhookValue": "name string; board string; stage string; url string",
    "WebhookField": """key string; field {field string; type string; rules string;
        description string}""",
}
"""Each record's fields by its name."""
