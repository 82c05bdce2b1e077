"""How the program is divided: lines and modules of each room, and what is cut too small.

Run it with `python -m tests.benchmarks.structure`; `--single` also names the modules that only one
other imports, with that importer.
"""

import argparse
import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median

PACKAGE = Path(__file__).parents[2] / "tui"
FULL = 20  # modules of one folder, its __init__ aside


def main() -> None:
    """Print what the tree of modules looks like."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.structure")
    parser.add_argument("--single", action="store_true", help="name what only one other imports")
    chosen = parser.parse_args()
    print("\n".join(_report(with_names=chosen.single)))  # noqa: T201


def _report(*, with_names: bool) -> Iterator[str]:
    paths = {_name(path): path for path in PACKAGE.rglob("*.py")}
    lines = {name: len(path.read_bytes().splitlines()) for name, path in paths.items()}
    importers = _importers(paths)
    single = sorted(name for name, by in importers.items() if len(by) == 1)

    yield f"{'room':<16}{'modules':>8}{'lines':>8}{'median':>8}{'one importer':>14}"
    rooms = {room: [name for name in paths if _room(name) == room] for room in map(_room, paths)}
    for room, own in [*sorted(rooms.items()), ("all", list(paths))]:
        # A folder's __init__ counts, but hardly ever holds anything: it is left out of the median.
        sizes = [lines[name] for name in own if paths[name].name != "__init__.py"]
        total, alone = sum(lines[name] for name in own), len(set(own) & set(single))
        yield f"{room:<16}{len(own):>8}{total:>8}{median(sizes):>8.0f}{alone:>14}"

    folders = Counter(path.parent for path in paths.values() if path.name != "__init__.py")
    for folder, count in sorted(folders.items()):
        if count > FULL:
            yield f"more than {FULL} modules: {folder.relative_to(PACKAGE.parent)} ({count})"
    if with_names:
        for name in single:
            yield f"{lines[name]:>5}  {name} <- {next(iter(importers[name]))}"


def _importers(paths: dict[str, Path]) -> dict[str, set[str]]:
    """Which modules import each module, late and type-only imports included."""
    importers: dict[str, set[str]] = defaultdict(set)
    for name, path in paths.items():
        for target in _imports(ast.parse(path.read_bytes()), name, paths):
            if target != name:
                importers[target].add(name)
    return importers


def _imports(tree: ast.Module, name: str, paths: dict[str, Path]) -> Iterator[str]:
    """Yield each module of the program that is imported; a name of a package counts as its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in paths)
        elif isinstance(node, ast.ImportFrom):
            source = _source(node, name, paths)
            for alias in node.names:
                inner = f"{source}.{alias.name}"
                if inner in paths:
                    yield inner
                elif source in paths:
                    yield source


def _source(node: ast.ImportFrom, name: str, paths: dict[str, Path]) -> str:
    """Tell which module a `from … import` names, a relative one too."""
    if not node.level:
        return node.module or ""
    package = name.split(".")
    if paths[name].name != "__init__.py":
        package.pop()
    package = package[: len(package) - node.level + 1]
    return ".".join([*package, *(node.module or "").split(".")]).rstrip(".")


def _name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _room(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 and (PACKAGE / parts[1]).is_dir() else "(top)"


if __name__ == "__main__":
    main()
