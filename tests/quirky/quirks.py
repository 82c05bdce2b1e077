"""The ways in which deployed services differ from the specification, one switch each.

A switch stands for one sentence about deployed services, and does nothing else.
None depends on the time of the machine or on chance: the same requests get the same replies.
"""

from dataclasses import dataclass, fields, replace

_OF_LESSER_EDITIONS = frozenset(
    {"no_extended_edition", "no_people_lists", "no_news", "cross_board_move_loses"}
)
_OF_OLDER_FREE = frozenset(
    {"null_parent_hides", "brief_news", "task_delete_fails", "flat_stage_fails"}
)
_OF_OLD_PAID = frozenset(
    {
        "author_required",
        "null_parent_required",
        "own_comment_paths",
        "no_pictures",
        "no_viewers",
        "no_folders",
        "no_subtask_groups",
        "subtask_read_fails",
        "no_user_logins",
        "brief_news",
        "flat_stage_fails",
        "inert_stage_properties",
        "no_task_copies",
        "no_board_archive",
    }
)
_OF_NONE = frozenset({"every_id_as_text"})
_OF_RECENT = frozenset(
    {
        "short_comment_path",
        "due_reopens",
        "coarse_news",
        "no_people_lists",
        "boards_made_by_administrators",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quirks:
    """Which quirks a service has."""

    no_extended_edition: bool = False
    """Subtasks, custom fields, folders and role changes answer 404 `rest_no_route`."""
    no_people_lists: bool = False
    """The lists of all users, and leaving a board across boards, answer 404 `rest_no_route`."""
    own_path_word: bool = False
    """The path word is the product's own, not `service`."""
    query_addresses: bool = False
    """No pretty URLs: the path stands in the query, as `/?rest_route=/boards/v2/projects`."""
    on_site: bool = False
    """It is part of a site, which tells everybody who they are, and administrators who there is."""
    short_comment_path: bool = False
    """A comment is updated at a path without the task; that of the specification is not there."""
    own_comment_paths: bool = False
    """A comment is changed and deleted at `/tasks/{comment}/comments`, a reply at
    `/tasks/reply/{reply}`, without their board; a change is sent as `description`, and answered
    with that alone. The specification's paths are not there."""
    no_pictures: bool = False
    """There is no route for the pictures of comments."""
    no_viewers: bool = False
    """Nobody is a viewer, nor called one; make-viewer and make-member are not there."""
    no_folders: bool = False
    """There are no folders."""
    no_subtask_groups: bool = False
    """Subtasks stand in no group: `GET …/subtasks` is `{"data": […]}`; groups, copies of subtasks
    and the order of custom fields have no routes."""
    no_task_copies: bool = False
    """There is no `clone-task`."""
    no_board_archive: bool = False
    """There is no `archive-board`."""
    boards_made_by_administrators: bool = False
    """Making a board is a 403 for everybody who does not administer the service."""
    boards_deleted_by_administrators: bool = False
    """Deleting a board is a 403 for everybody who does not administer the service."""
    nested_stage_body: bool = False
    """update-stage wants `{"stage": …}`, else 422; there is update-stage-property."""
    flat_stage_fails: bool = False
    """update-stage without `{"stage": …}` breaks down."""
    stage_settings_ignored: bool = False
    """What a stage does to the status of its tasks is set by the property `status` alone; that in
    `settings`, and the property `settings`, are answered with 200 and not stored."""
    stage_color_erased: bool = False
    """update-stage by `{"stage": …}` without `cover_bg` takes the colour away."""
    inert_stage_properties: bool = False
    """update-stage-property answers 200 for `title` and `bg_color`, and stores nothing."""

    details_off: bool = False
    """A fault inside the service is a 500 that says nothing of its cause."""
    error_shapes: bool = False
    """Errors have eight body shapes, and one condition comes with several statuses."""
    pages_without_accept: bool = False
    """The whole body of an error is HTML if JSON is not asked for."""
    marked_up_messages: bool = False
    """Messages hold entities and tags."""
    leaking_messages: bool = False
    """Messages leak SQL and paths of files."""
    hostile_text: bool = False
    """ESC, BEL, C1 and bidi controls are let through."""
    tags_stripped: bool = False
    """Tags are stripped from titles, and white space in them is folded."""

    ids_as_text: bool = False
    """Ids of other things and counts come as text when they are read, in the reply to an edit of a
    comment, and in the task inside the reply to a new comment."""
    every_id_as_text: bool = False
    """Every id comes as text, the things' own too, in every reply."""
    decimals_as_text: bool = False
    """Positions come as decimals in text when they are read."""
    meta_as_list: bool = False
    """An empty `meta` is `[]`."""
    odd_settings: bool = False
    """`settings` may be null, an object or text."""
    zero_dates: bool = False
    """`0000-00-00 00:00:00` occurs as a date; dates from 2039 on become it."""
    mixed_times: bool = False
    """Time stamps come in several formats."""
    short_create_replies: bool = False
    """Replies to a create lack fields that a read has."""
    unknown_fields: bool = False
    """New fields appear."""
    role_letters: bool = False
    """Role words come in any letter case, and `manager` for `admin`."""
    labels_without_title: bool = False
    """A label without a title has null."""
    masked_emails: bool = False
    """E-mail addresses, also the caller's own, are masked for those who are not administrators."""

    boards_unfiltered: bool = False
    """`GET /projects` ignores search, type and order; its pages have another size by default."""
    roadmaps_unlisted: bool = False
    """`GET /projects` never lists roadmap boards."""
    negative_page_fails: bool = False
    """A negative `per_page` is a 500."""
    tasks_in_any_order: bool = False
    """The order of the list of tasks is not their position."""
    comments_unfiltered: bool = False
    """Comments ignore `per_page`, `type`, `privacy` and `include_*`."""
    long_activity_pages: bool = False
    """A page of board activities has 40 unless `per_page` is sent."""
    archived_tasks_listed: bool = False
    """`GET …/archived-tasks` lists archived tasks, page by page."""
    few_assignees: bool = False
    """`assignees` lists only people who have a task already."""
    search_finds_members: bool = False
    """The search for people finds nobody who is on no board."""
    own_places: bool = False
    """The available positions stand in a member of another name."""
    no_news: bool = False
    """`has-data-changed` is 404."""
    coarse_news: bool = False
    """`has-data-changed` lists the tasks, stages and labels that changed since; it sees neither
    deleted tasks nor labels of tasks nor members, and fails for an odd `since`."""
    brief_news: bool = False
    """Nothing tells `synced_at`; `has-data-changed` ignores `since`, and lists the tasks and labels
    touched in the last minute, `taskDeleted` and `stageDeleted`."""
    subtask_read_fails: bool = False
    """`GET /tasks/{id}` of a subtask is a 400."""
    no_user_logins: bool = False
    """Members of a board carry no `user_login`."""

    assignees_toggle: bool = False
    """Each id sent as an assignee is toggled."""
    watching_by_words: bool = False
    """`is_watching` takes `start` and `stop`, and ignores booleans."""
    assignees_watch: bool = False
    """Assignees are watchers; setting `is_watching` for an assignee has no effect."""
    past_end_is_top: bool = False
    """A `newIndex` past the end puts a task on top."""
    bad_index_fails: bool = False
    """A `newIndex` of 0, or text, is a 500."""
    positions_run_out: bool = False
    """Positions are decimal(10,2); after some moves to one place further ones do nothing."""
    stage_restore_loses_order: bool = False
    """Restoring a stage puts its tasks all at position 0."""
    due_reopens: bool = False
    """Setting `due_at` reopens a closed task."""
    completion_reopens: bool = False
    """`last_completed_at` closes by the text `true` only; a date reopens."""
    field_dates_in_words: bool = False
    """A date in a custom field is taken as `Thu Dec 24 2026 00:00:00 GMT+0100` alone; any other
    spelling is a 500."""
    dates_echoed: bool = False
    """A date's zone is dropped without conversion, and the reply echoes what was sent."""
    task_delete_fails: bool = False
    """Deleting a task breaks down and deletes nothing."""
    foreign_comment_delete_lies: bool = False
    """Deleting a comment of somebody else answers 200 and deletes nothing."""
    gone_is_fine: bool = False
    """Deleting a webhook, or the label of a task, twice answers 200."""
    cross_board_move_loses: bool = False
    """Moving to another board is a 500, and the task is lost."""
    all_stages_told: bool = False
    """Creating a stage answers with every stage that changed lately."""
    all_tasks_told: bool = False
    """`updatedTasks` is every task touched lately, archived ones included."""
    fails_after_writing: bool = False
    """Every so-many-th write answers 500 after it has written."""
    comments_stripped: bool = False
    """All HTML is stripped from comments; entities are encoded even in `raw_description`."""
    comments_cut: bool = False
    """Of a comment over 64 kB the tail is cut silently."""
    orphan_replies: bool = False
    """A reply without `parent_id` is a 400 and is written all the same."""
    null_parent_hides: bool = False
    """A comment without `parent_id`, or with null, is stored with 0 and never listed; its reply
    shows `false`. An empty text is stored as none."""
    null_parent_required: bool = False
    """A comment whose `parent_id` is missing or an empty text is stored with 0 and never listed."""
    author_required: bool = False
    """A comment without `comment_by` is a 422 that names `created_by`."""
    small_images: bool = False
    """An image over 2 MB is a 422, over 8 MB a 500, over 10 MB a page of a proxy; no ICO."""

    @classmethod
    def none(cls) -> "Quirks":
        """A service that follows the specification."""
        return cls()

    @classmethod
    def all(cls, *, but: frozenset[str] = frozenset()) -> "Quirks":
        """Every quirk that fits with the others, but for those named."""
        excluded = but | _OF_OLD_PAID | _OF_NONE | _OF_OLDER_FREE - {"task_delete_fails"}
        return cls.only(*(field.name for field in fields(cls) if field.name not in excluded))

    @classmethod
    def only(cls, *names: str) -> "Quirks":
        """These quirks. Raises `TypeError` for one that is not known."""
        return cls(**dict.fromkeys(names, True))

    @classmethod
    def extended(cls) -> "Quirks":
        """Every quirk of a service that lacks no feature; tasks can go to other boards there."""
        return cls.all(but=_OF_LESSER_EDITIONS)

    @classmethod
    def recent_paid(cls) -> "Quirks":
        """A recent installation of the paid edition, as it was measured."""
        others = {"query_addresses", "task_delete_fails", "boards_made_by_administrators"}
        return cls.all(but=_OF_LESSER_EDITIONS | others)

    @classmethod
    def recent_free(cls) -> "Quirks":
        """A recent installation of the free edition, as it was measured."""
        others = {"no_news", "query_addresses", "task_delete_fails"}
        return cls.all(but=frozenset(others | {"boards_deleted_by_administrators"}))

    @classmethod
    def older_free(cls) -> "Quirks":
        """An older installation of the free edition, as it was measured."""
        quirks = cls.all(but=_OF_RECENT | {"no_news"})
        return replace(quirks, **dict.fromkeys(_OF_OLDER_FREE, True))

    @classmethod
    def old_paid(cls) -> "Quirks":
        """An old installation of the paid edition, as it was measured."""
        quirks = cls.all(
            but=_OF_LESSER_EDITIONS | _OF_RECENT | {"query_addresses", "task_delete_fails"}
        )
        return replace(quirks, **dict.fromkeys(_OF_OLD_PAID, True))
