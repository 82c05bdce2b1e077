"""The shape of the program beside its aims: run `python -m tests.benchmarks.structure`.

It prints the lines of each room, and what tells whether functions and modules are too small: what
is called once or only forwards, modules that a single other one imports, names that say nothing,
and docstrings on private functions. `--single` lists those modules with their importers. The exit
code is 1 while an aim is missed.
"""

import argparse
import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import mean
from typing import NamedTuple

PACKAGE = Path(__file__).parents[2] / "tui"
SMALL = 100  # lines of a module that one other may take in
EMPTY = {"one", "found", "known", "said", "told", "kept"}
TOP = "(top)"

# The lines of rooms that belong together, at most.
ROOMS: Mapping[tuple[str, ...], int] = {
    ("store",): 13_000,
    ("screens", "actions", "dialogs", "widgets"): 16_300,
    ("service",): 10_200,
    ("client", "connecting"): 6_100,
    ("model",): 5_400,
    ("cli",): 4_000,
    ("text",): 2_500,
    ("config", "profiles", "runtime", TOP): 3_300,
}

Function = ast.FunctionDef | ast.AsyncFunctionDef

# Functions that Textual or Python call by their names.
_CALLED_BY_NAME = re.compile(
    r"__|_?on_|action_|watch_|validate_|compute_|key_|render|compose$|get_|main$"
)


class Module(NamedTuple):
    """A parsed module of the program."""

    name: str
    path: Path
    source: str
    tree: ast.Module

    @property
    def room(self) -> str:
        """The folder in the package to which it belongs."""
        parts = self.path.relative_to(PACKAGE).parts
        return parts[0] if len(parts) > 1 else TOP

    @property
    def lines(self) -> int:
        """The number of its lines."""
        return len(self.source.splitlines())


class Figure(NamedTuple):
    """A figure with its aim, which is the most it should be, or the least."""

    label: str
    value: float
    aim: float
    is_least: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the aim is reached."""
        return self.value >= self.aim if self.is_least else self.value <= self.aim

    def __str__(self) -> str:
        sign, missed = "≥" if self.is_least else "≤", "" if self.is_met else "   missed"
        return f"{self.label:<44}{self.value:>10,}   aim {sign} {self.aim:,}{missed}"


def main() -> int:
    """Print the figures; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.structure")
    parser.add_argument("--single", action="store_true", help="list what one other module imports")
    arguments = parser.parse_args()
    modules = [_parsed(path) for path in sorted(PACKAGE.rglob("*.py"))]
    importers = _importers(modules)
    figures = [*_room_figures(modules), *_tree_figures(modules, importers)]
    print("\n".join(map(str, figures)))  # noqa: T201
    if arguments.single:
        for module in modules:
            if len(importers[module.name]) == 1:
                (importer,) = importers[module.name]
                print(f"{module.lines:>5}  {module.name} <- {importer}")  # noqa: T201
    return not all(figure.is_met for figure in figures)


def _parsed(path: Path) -> Module:
    name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    source = path.read_text("utf-8")
    return Module(name.removesuffix(".__init__"), path, source, ast.parse(source))


def _importers(modules: list[Module]) -> dict[str, set[str]]:
    """The modules that import each module, late imports and those for types included."""
    names = {module.name for module in modules}
    importers: dict[str, set[str]] = defaultdict(set)
    for module in modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Import):
                imported = {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                members = {f"{node.module}.{alias.name}" for alias in node.names}
                imported = {name if name in names else f"{node.module}" for name in members}
            else:
                continue
            for name in imported & names - {module.name}:
                importers[name].add(module.name)
    return importers


def _room_figures(modules: list[Module]) -> Iterator[Figure]:
    lines: Counter[str] = Counter()
    for module in modules:
        lines[module.room] += module.lines
    for rooms, aim in ROOMS.items():
        yield Figure(" + ".join(rooms), sum(lines[room] for room in rooms), aim)
    yield Figure("lines", lines.total(), 61_000)


def _tree_figures(modules: list[Module], importers: Mapping[str, set[str]]) -> Iterator[Figure]:
    nodes = [node for module in modules for node in ast.walk(module.tree)]
    functions = [node for node in nodes if isinstance(node, Function)]
    defined = Counter(function.name for function in functions)
    uses = Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in nodes
        if isinstance(node, ast.Name | ast.Attribute)
    )
    called_once = [
        name
        for name, count in defined.items()
        if count == uses[name] == 1 and not _CALLED_BY_NAME.match(name)
    ]
    empty = [node for node in nodes if isinstance(node, ast.arg) and node.arg in EMPTY] + [
        node
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in EMPTY
    ]
    private = [each for each in functions if re.match(r"_(?!_)", each.name) and _doc_lines(each)]

    own = [module for module in modules if module.path.name != "__init__.py"]
    single = [module for module in own if len(importers[module.name]) == 1 and module.lines < SMALL]
    folders = Counter(module.path.parent for module in own)
    code = sum(map(_code_lines, modules))
    length = round(mean(len(_body_lines(function)) for function in functions), 2)

    yield Figure("lines of code", code, 43_500)
    yield Figure("modules", len(own), 300)
    yield Figure("functions", len(functions), 4_300)
    yield Figure("functions for 1,000 lines of code", round(1000 * len(functions) / code, 1), 90)
    yield Figure("lines of a function's body, on average", length, 7.5, is_least=True)
    yield Figure("functions called once", len(called_once), 450)
    yield Figure("functions that only forward", sum(map(_only_forwards, functions)), 150)
    yield Figure(f"modules with one importer, under {SMALL} lines", len(single), 25)
    yield Figure("modules of the largest folder", max(folders.values()), 20)
    yield Figure("names that say nothing", len(empty), 200)
    yield Figure("docstrings on private functions", len(private), 150)


def _doc_lines(node: ast.Module | ast.ClassDef | Function) -> range:
    """The lines of a docstring; none without one."""
    if ast.get_docstring(node, clean=False) is None:
        return range(0)
    return range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)


def _code_lines(module: Module) -> int:
    docs = {
        number
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Module | ast.ClassDef | Function)
        for number in _doc_lines(node)
    }
    lines = enumerate(map(str.strip, module.source.splitlines()), 1)
    return sum(bool(line) and line[0] != "#" and number not in docs for number, line in lines)


def _body(function: Function) -> list[ast.stmt]:
    return function.body[1:] if _doc_lines(function) else function.body


def _body_lines(function: Function) -> range:
    body = _body(function)
    return range(body[0].lineno, (body[-1].end_lineno or 0) + 1) if body else range(0)


def _only_forwards(function: Function) -> bool:
    """Whether all it does is to call something, with what it has at hand."""
    match _body(function):
        case [ast.Return(value=value) | ast.Expr(value=value)]:
            call = value.value if isinstance(value, ast.Await) else value
        case _:
            return False
    if not isinstance(call, ast.Call):
        return False
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    plain = ast.Name | ast.Attribute | ast.Constant | ast.Starred
    return all(isinstance(argument, plain) for argument in arguments)


if __name__ == "__main__":
    sys.exit(main())
