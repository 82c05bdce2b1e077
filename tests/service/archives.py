"""Archives for tests: made from a world on disk, taken apart, changed and packed again."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from tests.service import pictures
from tests.service.detailed_world import furnish_details
from tests.service.world import File, World
from tui.service.archive.layout import layout
from tui.service.archive.writing import write_archive
from tui.service.attachments import Attachments
from tui.service.database.base import Database, Row
from tui.service.database.schema import MIGRATIONS
from tui.service.database.sqlite import open_database

COMMENTS = "/projects/1/tasks/1/comments"


def full_world(folder: Path) -> World:
    """A world on disk with something in most tables, a picture among it, and ids that are gone."""
    world = World(open_database(folder / "b"), attachments=Attachments(folder / "attachments"))
    world.furnish()
    furnish_details(world)
    body = File(pictures.png())
    image = world.done("bob", "POST", "/projects/1/tasks/1/comment-image-upload", body)
    comment = {
        "comment": "Schön 🌱 <b>\u2028</b>",
        "comment_type": "comment",
        "images": [image.at("imageAttachment.id")],
    }
    made = world.done("bob", "POST", COMMENTS, comment).at("comment.id")
    reply = {"comment": "Yes", "comment_type": "reply", "parent_id": made}
    world.done("ann", "POST", COMMENTS, reply)
    task = {"title": "Gone", "board_id": 1, "stage_id": 1}
    gone = world.done("ann", "POST", "/projects/1/tasks", {"task": task}).at("task.id")
    world.done("ann", "DELETE", f"/projects/1/tasks/{gone}")
    return world


def export(world: World, path: Path) -> Path:
    """An archive of a world."""
    assert world.attachments is not None, "make the world with `attachments`, to export it"
    write_archive(world.database, world.attachments, path, now=world.clock())
    return path


def content(database: Database) -> dict[str, list[Row]]:
    """All rows of all tables."""
    with database.transaction(writing=False) as db:
        return {table.name: list(table.rows(db)) for table in layout(len(MIGRATIONS))}


@dataclass
class Unpacked:
    """The entries of an archive, to be changed."""

    entries: dict[str, bytes]

    @classmethod
    def of(cls, path: Path) -> "Unpacked":
        with ZipFile(path) as file:
            return cls({name: file.read(name) for name in file.namelist()})

    @property
    def manifest(self) -> Any:
        return json.loads(self.entries["manifest.json"])

    def change_manifest(self, change: Callable[[Any], None]) -> None:
        manifest = self.manifest
        change(manifest)
        self.entries["manifest.json"] = json.dumps(manifest).encode()

    def change_row(self, table: str, place: int, **values: object) -> None:
        """Change a row, and have the manifest agree with it."""
        self.change_rows(table, lambda rows: rows[place].update(values))

    def change_rows(self, table: str, change: Callable[[list[Row]], None]) -> None:
        """Change the rows of a table, and have the manifest agree with them."""
        name = f"tables/{table}.jsonl"
        rows = [json.loads(line) for line in self.entries[name].splitlines()]
        change(rows)
        self.replace(name, "".join(json.dumps(row) + "\n" for row in rows).encode(), len(rows))

    def keep_columns(self, table: str, columns: set[str]) -> None:
        """Leave only these columns in the rows of a table."""

        def cut(rows: list[Row]) -> None:
            rows[:] = [{name: row[name] for name in row if name in columns} for row in rows]

        self.change_rows(table, cut)

    def replace(self, name: str, raw: bytes, rows: int = 0) -> None:
        """Replace an entry, and have the manifest agree with it."""
        self.entries[name] = raw
        folder, _, last = name.partition("/")
        told: dict[str, object] = {"bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}
        if folder == "tables":
            told["rows"] = rows
        part = "tables" if folder == "tables" else "files"
        self.change_manifest(lambda told_of: told_of[part][last.split(".")[0]].update(told))

    def pack(self, path: Path) -> Path:
        with ZipFile(path, "w", ZIP_DEFLATED) as file:
            for name, raw in self.entries.items():
                file.writestr(name, raw)
        return path
