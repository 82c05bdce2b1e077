"""What one must know to use a webhook: its address and the task fields it takes (2.13)."""

from urllib.parse import urlencode

from tui.service.call import Document

MARKER, ROUTE, HASH = "callboard", "route", "hash"
"""The names in the query of a webhook's address."""

_FIELDS: tuple[tuple[str, str, str, str], ...] = (
    ("title", "Title", "text", "What the task is called."),
    (
        "stage",
        "Stage",
        "int|text",
        "A stage of the board by id, title or slug; else the webhook's.",
    ),
    ("parent_id", "Parent task", "int", "The id of the task that this is a subtask of."),
    ("status", "Status", "text", "open or closed."),
    ("description", "Description", "textarea", "What the task is about; may be HTML."),
    ("priority", "Priority", "text", "low, medium or high."),
    ("due_at", "Due date", "date", "YYYY-MM-DD hh:mm, on the site's clock."),
    ("started_at", "Start date", "date", "YYYY-MM-DD."),
    ("source", "Source", "text", "Where the task comes from, such as the name of a program."),
    ("source_id", "Source id", "text|int", "What the task is called there."),
    ("crm_contact_id", "Contact id", "int", "The id of a contact in a CRM."),
    ("contact_email", "Contact e-mail", "text", "The e-mail address of a contact."),
    ("contact_first_name", "Contact first name", "text", "The first name of a contact."),
    ("contact_last_name", "Contact last name", "text", "The last name of a contact."),
    ("labels", "Labels", "text|int", "A list of labels of the board by id or title."),
    ("assignees", "Assignees", "int", "A list of ids of members of the board."),
)


def webhook_address(base: str, key: str) -> str:
    """The address of a webhook: at the root of the host that `base`, the base URL, is on."""
    host = base.rpartition("/")[0]
    return f"{host}/?{urlencode({MARKER: 1, ROUTE: 'task', HASH: key})}"


def field_documents() -> list[Document]:
    """Every field that a webhook takes; only the title is required."""
    return [
        {
            "key": key,
            "field": {
                "field": name,
                "type": kind,
                "rules": "required" if key == "title" else "optional",
                "description": description,
            },
        }
        for key, name, kind, description in _FIELDS
    ]
