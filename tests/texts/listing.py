"""Finds the texts that people read: literals of the program, paragraphs of help and README.

Which literals are drawn cannot be known from the source, so what might be is listed: a word that
is written small may be a key and is left out, two words are a text.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_SQL = re.compile(
    r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|WITH|BEGIN|FROM|WHERE|ORDER|AND|OR|"
    r"ON|JOIN|LEFT|VALUES|ATTACH|DETACH|RETURNING|UNION|EXISTS|NOT|SET|IS|IN|LIMIT|VACUUM|INTEGER|"
    r"TEXT|COLLATE|CASE|LISTEN|LOCK|DO|COALESCE|COMMIT|ROLLBACK|RELEASE|SAVEPOINT)\b"
)
_SHOWN = re.compile(r"[^\W\d_]{2}.*[ …]|[ …].*[^\W\d_]{2}|^[A-Z][a-z]+$", re.DOTALL)
_UNREAD_CALLS = frozenset({"compile", "debug", "fullmatch", "match", "search", "sub", "TypeVar"})
"""Patterns, and what is written to the log alone."""
_UNREAD_FIELDS = frozenset({"annotation", "returns", "slice", "type_params"})


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text on one line, with what is filled in as it stands in the source: `{count} cards`."""

    path: Path
    line: int
    text: str

    @property
    def place(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}"


def shown_texts(root: Path = ROOT) -> Iterator[ShownText]:
    """The texts of the program and of its help, file by file."""
    for path in sorted((root / "tui").rglob("*.py")):
        yield from of_source(path)
    for path in (root / "README.md", *sorted((root / "tui/help").glob("*.md"))):
        yield from of_markdown(path)


def of_source(path: Path) -> Iterator[ShownText]:
    """The literals of a module that may be shown, in the order of their lines."""
    found = _literals(ast.parse(path.read_text("utf-8")))
    for line, text in sorted(found, key=lambda literal: literal[0]):
        if _is_read(text):
            yield ShownText(path, line, " ".join(text.split()))


def of_markdown(path: Path) -> Iterator[ShownText]:
    """The lines of a page, each a text."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if line.strip():
            yield ShownText(path, number, line.strip())


def _literals(node: ast.AST) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Expr(value=ast.Constant()):  # a docstring
            return
        case ast.Constant(value=str() as text, lineno=line):
            yield line, text
        case ast.JoinedStr(lineno=line, values=values):
            yield line, "".join(map(_part, values))
            for filled_in in values:
                if isinstance(filled_in, ast.FormattedValue):
                    yield from _literals(filled_in.value)
        case ast.Call(func=ast.Attribute(attr=name)) if name in _UNREAD_CALLS:
            return
        case _:
            for child in _children(node):
                yield from _literals(child)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for name, value in ast.iter_fields(node):
        if name not in _UNREAD_FIELDS:
            for child in value if isinstance(value, list) else (value,):
                if isinstance(child, ast.AST):
                    yield child


def _part(value: ast.expr) -> str:
    match value:
        case ast.Constant(value=text):
            return str(text)
        case ast.FormattedValue(value=filled_in):
            return f"{{{ast.unparse(filled_in)}}}"
        case _:
            return ast.unparse(value)


def _is_read(text: str) -> bool:
    return bool(_SHOWN.search(text.strip())) and not _SQL.match(text)
