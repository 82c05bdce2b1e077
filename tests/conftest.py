"""How the tests are spread, and how much is made up for each property.

Every run makes up other examples, so few are enough in one; `--hypothesis-profile deep` makes up
many.
"""

import gc
import os
from collections.abc import Callable, Hashable
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.design import ColorSystem

from tests.bytecode import compile_all
from tests.quiet import make_pilots_quick

settings.register_profile("few", max_examples=12, deadline=None)
settings.register_profile("deep", max_examples=500, deadline=None)
settings.load_profile("few")


_IN_MEMORY = Path("/dev/shm")  # noqa: S108  pytest makes a folder of its own in it
_ROOM = 2**30


def pytest_configure() -> None:
    """Keep the folders of the tests in memory, where there is room: nothing waits for a disk."""
    if os.access(_IN_MEMORY, os.W_OK | os.X_OK):
        found = os.statvfs(_IN_MEMORY)
        can_run = not found.f_flag & getattr(os, "ST_NOEXEC", 0)  # some tests write programs
        if can_run and found.f_bavail * found.f_frsize > _ROOM:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_IN_MEMORY))


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker more than processors, since an application that is tested sometimes waits."""
    del config
    return (os.cpu_count() or 1) + 1


def pytest_sessionstart(session: pytest.Session) -> None:
    """Collect garbage rarely: thousands of small applications are made and thrown away."""
    if session.config.getoption("numprocesses", None):  # it only starts workers
        compile_all(session.config)
    gc.set_threshold(100_000, 20, 100)
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run first what collects all garbage, while there is little: it took seconds at the end."""
    items.sort(key=lambda item: item.path.name != "test_gc_pauses.py")


def pytest_collection_finish() -> None:
    """Leave alone what stays to the end anyway: the tests, and the modules that they are in."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Look for garbage once; pytest does so five times over, unless nothing is left to look at."""
    gc.collect()
    gc.freeze()


def _share_parsed_styles() -> None:
    """Read each stylesheet once for all applications: Textual does so for each of them anew."""
    parse = Stylesheet._parse_rules
    parsed: dict[Hashable, list[RuleSet]] = {}

    @wraps(parse)
    def parse_once(self: Stylesheet, *arguments: Any, **named: Any) -> list[RuleSet]:
        variables = tuple(sorted(self._variables.items()))
        key = (arguments, tuple(sorted(named.items())), variables)
        if key not in parsed:
            parsed[key] = parse(self, *arguments, **named)
        return parsed[key]

    Stylesheet._parse_rules = parse_once  # type: ignore[method-assign]  # for tests alone


def _share_sorted_styles() -> None:
    """Put the rules of the same stylesheets together once, and sort them by their selectors."""
    parse = Stylesheet.parse
    rules_map: Callable[[Stylesheet], dict[str, list[RuleSet]]]
    rules_map = vars(Stylesheet)["rules_map"].fget
    parsed: dict[Hashable, tuple[list[RuleSet], dict[str, list[RuleSet]]]] = {}

    @wraps(parse)
    def parse_once(self: Stylesheet) -> None:
        if self._invalid_css:  # Textual leaves it out
            parse(self)
            return
        key = (tuple(self.source.items()), tuple(self._variables.items()))
        if key not in parsed:
            parse(self)
            parsed[key] = self.rules, rules_map(self)
        self._rules, self._rules_map = parsed[key]
        self._require_parse = False

    def rules_map_once(self: Stylesheet) -> dict[str, list[RuleSet]]:
        if self._rules_map is None:
            self.parse()
        return rules_map(self)

    Stylesheet.parse = parse_once  # type: ignore[method-assign]  # for tests alone
    Stylesheet.rules_map = property(rules_map_once)  # type: ignore[assignment, method-assign]


def _share_colours() -> None:
    """Derive the colours of each theme once, too."""
    generate = ColorSystem.generate
    generated: dict[str, dict[str, str]] = {}

    def generate_once(self: ColorSystem) -> dict[str, str]:
        key = repr(vars(self))
        if key not in generated:
            generated[key] = generate(self)
        return generated[key].copy()

    ColorSystem.generate = generate_once  # type: ignore[method-assign]  # for tests alone


_share_parsed_styles()
_share_sorted_styles()
_share_colours()
make_pilots_quick()
