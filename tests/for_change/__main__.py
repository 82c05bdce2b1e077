"""Runs the tests that concern a change: `python -m tests.for_change`.

The change is what git says, with `--since COMMIT` also what was committed since then, or the files
that are named. A module of the program concerns the tests whose path mirrors its own, then those
that import it, those of the mirrored folder first, and where no test imports it, those that import
what does. Of these the nearest are taken, as all of them would take minutes, and those that want to
know of what is added there. `--list` prints them, and `--long` runs their long tests, too.
"""

import argparse
import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, product
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST = 8
"""So many files of tests for each file that was changed, beside those of what is added."""
_DRAWN = ("styles", "tests/pictures/__snapshots__")
_PICTURES = "tests/pictures/test_snapshots.py"
_COMMANDS = "tests/cli/test_readme_commands.py"
_KEYS = (
    "tests/screens/test_roles.py",
    "tests/screens/test_availability.py",
    "tests/day/test_steps.py",
)
_ENDPOINTS = (
    "tests/client/test_table.py",
    "tests/client/test_recordings.py",
    "tests/endpoints/test_table.py",
    "tests/service/test_endpoints.py",
)
_REGISTERED: Mapping[str, Sequence[str]] = {
    "tui/actions/": _KEYS,
    "tui/screens/": _KEYS,
    "tui/cli/commands/": (_COMMANDS,),
    "tui/cli/mcp/": ("tests/mcp/test_tools.py",),
    "tui/client/endpoints.py": _ENDPOINTS,
    "tui/client/resources/": _ENDPOINTS,
    "tui/service/handlers/": _ENDPOINTS,
    "tui/service/routes.py": _ENDPOINTS,
}
"""Tests that go through all keys, commands, tools or endpoints, by where one is added."""


def changed(since: str) -> list[str]:
    """The paths of files that differ from a commit, or are new, from the root of the project."""
    listings = (
        ("diff", "--name-only", "--relative", since),
        ("ls-files", "--others", "--exclude-standard"),
    )
    paths: set[str] = set()
    for listing in listings:
        command = ["git", "-C", str(ROOT), *listing]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603
        paths.update(printed.splitlines())
    return sorted(paths)


def concerned(paths: Iterable[str]) -> list[str]:
    """The files of tests that concern changes of these files."""
    found: dict[str, None] = {}
    for path in paths:
        found |= dict.fromkeys(_of(path))
    return [path for path in found if (ROOT / path).exists()]


def _of(path: str) -> list[str]:
    if path.startswith(_DRAWN):
        return [_PICTURES]
    if path.endswith(".md"):
        return [_COMMANDS]
    if not path.endswith(".py"):
        return []
    if _is_test(path):
        return [path]
    mirrored = list(_mirrored(path))
    others = [each for each in _importing(path) if each not in mirrored]
    nearest = ([*mirrored, *others] or _beside(path))[:MOST]
    added = (tests for place, tests in _REGISTERED.items() if path.startswith(place))
    return list(dict.fromkeys(chain(nearest, *added)))


def _place(path: str) -> Path:
    # Where the tests of a module are: of one directly in tui, in tests/root.
    parts = Path(path).parts[1:]
    return Path("tests", *(parts if len(parts) > 1 else ("root", *parts)))


def _mirrored(path: str) -> Iterator[str]:
    # Of tui/a/b/c.py: test_c.py, test_c_more.py and c/test_more.py in tests/a/b and the folders
    # that it is in, and tests/a/test_b.py.
    place = _place(path)
    names = (place.stem,) if place.stem != "screen" else (place.parent.name,)
    found: dict[str, None] = {}
    for name, folder in product((*names, place.parent.name), place.parents):
        if name in {"tests", "root", "__init__", folder.name}:
            continue
        for pattern in (f"test_{name}.py", f"test_{name}_*.py", f"{name}/test_*.py"):
            tests = (ROOT / folder).glob(pattern)
            found |= dict.fromkeys(str(test.relative_to(ROOT)) for test in sorted(tests))
    return iter(found)


def _beside(path: str) -> list[str]:
    # The tests of the mirrored folder, of one that it is in, or of `tui` itself.
    for folder in (*_place(path).parents, Path("tests", "root")):
        if tests := sorted((ROOT / folder).glob("test_*.py")):
            return [str(test.relative_to(ROOT)) for test in tests]
    return []


def _importing(path: str) -> list[str]:
    # The nearest first: of the mirrored folder, then of others; by modules between, if by none.
    seen, layer = {path}, {path}
    folder = str(_place(path).parent)
    while layer:
        layer = {other for each in layer for other in _importers().get(each, ())} - seen
        seen |= layer
        if tests := sorted(filter(_is_test, layer)):
            return sorted(tests, key=lambda test: not test.startswith(folder))
    return []


@cache
def _importers() -> Mapping[str, Sequence[str]]:
    # Which files import each file, also where they do so late.
    importers: dict[str, list[str]] = {}
    for room in ("tui", "tests"):
        for source in sorted((ROOT / room).rglob("*.py")):
            own = str(source.relative_to(ROOT))
            for name in _imported(ast.parse(source.read_text(encoding="utf-8"))):
                if (file := _file_of(name)) and own not in importers.setdefault(file, []):
                    importers[file].append(own)
    return importers


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Constant) and str(node.value).startswith("tui."):
            yield str(node.value)  # imported by its name, when it is first used


@cache
def _file_of(name: str) -> str:
    place = Path(*name.split("."))
    for file in (place.with_suffix(".py"), place / "__init__.py"):
        if (ROOT / file).exists():
            return str(file)
    return ""


def _is_test(path: str) -> bool:
    return path.startswith("tests/") and Path(path).name.startswith("test_")


def main() -> None:
    """Print the tests, and run them."""
    summary, _, more = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(description=summary, epilog=more)
    parser.add_argument("files", nargs="*", help="what was changed, instead of what git says")
    parser.add_argument("--since", default="HEAD", help="a commit from which on all is changed")
    parser.add_argument("--list", action="store_true", help="print the tests, and run none")
    parser.add_argument("--long", action="store_true", help="run long tests of these files, too")
    given = parser.parse_args()
    files = [str(Path(each).resolve().relative_to(ROOT)) for each in given.files]
    tests = concerned(files or changed(given.since))
    sys.stdout.write("\n".join(tests or ["Nothing was changed that tests import."]) + "\n")
    sys.stdout.flush()
    if tests and not given.list:
        marks = "not exhaustive" if given.long else "not long"
        command = [sys.executable, "-m", "pytest", "-q", "-m", marks, *tests]
        sys.exit(subprocess.run(command, cwd=ROOT, check=False).returncode)  # noqa: S603


if __name__ == "__main__":
    main()
