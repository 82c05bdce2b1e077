"""Comments as replies show them (2.5).

Replies and pictures are read in one statement for all comments of a page. A thread has one level:
every reply stands below the comment it began with, oldest first.
"""

import json
from collections import defaultdict

from tui.service.accounts.accounts import Account, shown_email, user_documents
from tui.service.call import Call, Document
from tui.service.database.base import Row
from tui.service.documents.images import image_documents
from tui.service.records.base import filled
from tui.service.records.tasks import Comment


def comment_documents(
    call: Call, rows: list[Row], *, replies: bool = True, images: bool = True
) -> list[Document]:
    """Rows of `comment` as Comment records; `replies` and `images` leave theirs out.

    `replies_count` is told in any case.
    """
    below = call.db.all(
        "select * from comment where parent_id {in_ids} order by id",
        ids=[row["id"] for row in rows],
    )
    shown = rows + below if replies else rows
    people = user_documents(call.db, (row["created_by"] for row in shown), call.user)
    pictures = image_documents(call, [row["id"] for row in shown]) if images else {}
    documents = {
        row["id"]: _document(row, people, call.user, pictures.get(row["id"], [])) for row in shown
    }
    threads: dict[int, list[Row]] = defaultdict(list)
    for row in below:
        threads[row["parent_id"]].append(row)
    for row in rows:
        thread = threads[row["id"]]
        documents[row["id"]]["replies_count"] = len(thread)
        if replies:
            documents[row["id"]]["replies"] = [documents[reply["id"]] for reply in thread]
    return [documents[row["id"]] for row in rows]


def _document(
    row: Row, people: dict[int, Document], reader: Account, images: list[Document]
) -> Document:
    return filled(
        Comment,
        row,
        author_email=shown_email(row["author_email"], row["created_by"], reader),
        author_ip="",
        settings=json.loads(row["settings"]),
        replies=[],
        replies_count=0,
        avatar="",
        user=people.get(row["created_by"]),
        images=images,
    )
