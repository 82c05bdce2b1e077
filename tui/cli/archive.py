"""`callboard export` and `callboard import`: everything of a service in one file, and back.

The rule it keeps: argparse alone is needed to read them; the rest is loaded when one runs.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_DATABASE_HELP = "the file of the boards (default: your own boards)"
_EXPORT = (
    "Write all boards with their pictures, the accounts and the hashes of their passwords into a "
    "new file, for you alone. Keep it as you would keep the passwords."
)
_IMPORT = (
    "Put everything of an archive into a database that is new or empty: all of it or nothing. "
    "Import only archives from people whose database you would use."
)

Commands = argparse._SubParsersAction  # noqa: SLF001 (argparse gives the type no public name)


def add_archive(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Let a parser read `export` and `import`."""
    _add(commands, "export", "write all boards into one file", _EXPORT).set_defaults(run=_export)
    _add(commands, "import", "read such a file", _IMPORT).set_defaults(run=_import)


def _add(
    commands: "Commands[argparse.ArgumentParser]", name: str, brief: str, description: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=brief, description=description)
    parser.add_argument("file", type=Path, metavar="FILE", help="the archive, a zip file")
    parser.add_argument("--database", metavar="PATH", help=_DATABASE_HELP)
    parser.add_argument("--attachments", type=Path, metavar="FOLDER", help="where uploads are kept")
    return parser


def _export(asked: Mapping[str, Any]) -> int:
    from tui.cli import archiving

    return archiving.export_to(asked["file"], asked["database"], asked["attachments"])


def _import(asked: Mapping[str, Any]) -> int:
    from tui.cli import archiving

    return archiving.import_from(asked["file"], asked["database"], asked["attachments"])
