"""Imports what the first paint needs quickly: without what this program hardly ever calls.

It relies on private parts of Textual: tests/runtime/test_quick_imports.py fails if they change.
"""

import re
import sys
import typing
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.dom import DOMNode
    from textual.reactive import Reactive

POSTPONED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ast": ("NodeVisitor", "literal_eval"),
        "ipaddress": ("ip_address",),
        "pickle": ("dumps", "loads"),
        "platformdirs": ("user_downloads_path",),
        "rich.table": ("Table",),
        "textual.canvas": ("Canvas", "Rectangle"),
        "textual.command": (
            *("CommandListItem", "CommandPalette", "DiscoveryHit", "Hit", "Hits"),
            *("Provider", "SimpleProvider"),
        ),
        "textual.markup": ("parse_style",),
        "typing_extensions": (),
        "uuid": ("uuid4",),
    }
)
"""Modules that Textual imports for a few names; they are imported when one of these is called."""

_ARGUMENT = r"(?:'[\w.-]*'|-?[0-9]+)"
_ARGUMENTS = re.compile(rf"\(({_ARGUMENT}(?:, {_ARGUMENT})*),\)")
"""Those of an action: plain texts, and whole numbers."""


class _StandIn(ModuleType):
    def __getattr__(self, name: str) -> Any:
        # Asking for `__path__` and the like, as the import system does, must not import the module.
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(_real(self.__name__), name)  # a name that is not in `POSTPONED`


@contextmanager
def quick_imports() -> Iterator[None]:
    """Import Textual, and whatever else is imported in this context, quickly."""
    modules: dict[str, Any] = sys.modules
    stand_ins = {name: _StandIn(name) for name in POSTPONED if name not in modules}
    for module, stand_in in stand_ins.items():
        vars(stand_in).update((name, _postponed(module, name)) for name in POSTPONED[module])
    if "ast" in stand_ins:
        vars(stand_ins["ast"])["literal_eval"] = _literal_eval
    if "typing_extensions" in stand_ins:  # it has the same for older versions of Python
        vars(stand_ins["typing_extensions"]).update(
            (name, getattr(typing, name)) for name in typing.__all__
        )
    # First, because the next call imports Textual.
    modules.update(stand_ins)
    try:
        _make_classes_quickly()
        yield
    finally:
        for name, stand_in in stand_ins.items():
            # One that was used meanwhile has been replaced by the real module.
            if modules.get(name) is stand_in:
                del modules[name]


def _make_classes_quickly() -> None:
    # Does nothing if this version of Textual sets other attributes on its classes.
    from textual.dom import DOMNode

    original = vars(DOMNode)["__init_subclass__"]
    # The same class is made by Textual and by us: both must have the same attributes.
    expected = vars(type("Widget", (DOMNode,), {})).keys()
    setattr(DOMNode, "__init_subclass__", classmethod(_quick_init_subclass))  # noqa: B010
    try:
        is_same = vars(type("Widget", (DOMNode,), {})).keys() == expected
    except (AttributeError, TypeError):
        is_same = False
    if not is_same:
        setattr(DOMNode, "__init_subclass__", original)  # noqa: B010


def _real(module: str) -> ModuleType:
    if isinstance(sys.modules.get(module), _StandIn):
        del sys.modules[module]
    return import_module(module)


def _postponed(module: str, name: str) -> type:
    # A class, as Textual has subclasses of some.
    def call(_: type, *given: Any, **named: Any) -> Any:
        return getattr(_real(module), name)(*given, **named)

    return type(name, (), {"__new__": call, "__module__": module})


def _quick_init_subclass(
    cls: "type[DOMNode]",
    inherit_css: bool = True,
    inherit_bindings: bool = True,
    inherit_component_classes: bool = True,
) -> None:
    # What Textual does with each class of widgets, but without looking at each attribute of all its
    # bases again.
    from textual.dom import DOMNode

    super(DOMNode, cls).__init_subclass__()
    reactives: dict[str, Reactive[Any]] = {}
    computes: set[str] = set()
    for base in reversed(cls.__mro__):
        own_reactives, own_computes = _own(base)
        reactives |= own_reactives
        computes |= own_computes
    cls._reactives, cls._computes = reactives, frozenset(computes)
    cls._inherit_css, cls._inherit_bindings = inherit_css, inherit_bindings
    cls._inherit_component_classes = inherit_component_classes
    bases = cls._css_bases(cls)
    cls._css_type_name = bases[0].__name__
    cls._css_type_names = frozenset(base.__name__ for base in bases)
    cls._merged_bindings = cls._merge_bindings()


def _literal_eval(text: str) -> Any:
    # The arguments of the actions of all keys, such as `('card.new',)`: importing `ast` and
    # compiling them takes as long as drawing the first screen.
    if (parts := _ARGUMENTS.fullmatch(text)) is None:
        return _real("ast").literal_eval(text)
    return tuple(part[1:-1] if part[0] == "'" else int(part) for part in parts[1].split(", "))


@cache
def _own(kind: type) -> "tuple[dict[str, Reactive[Any]], frozenset[str]]":
    from textual.reactive import Reactive

    reactives, computes = {}, set()
    for name, value in vars(kind).items():
        if isinstance(value, Reactive):
            reactives[name] = value
        if name.startswith(("_compute_", "compute_")):
            computes.add(name.lstrip("_").removeprefix("compute_"))
    return reactives, frozenset(computes)
