"""Makes cheaper what Textual does for each application, each message and each line of a widget.

Thousands of small applications are made for the tests, which differ in little.
"""

from collections.abc import Callable, Hashable, Iterable
from functools import wraps
from typing import Any

import textual.message_pump
from rich.segment import Segment
from textual import Logger
from textual.cache import FIFOCache
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.design import ColorSystem
from textual.strip import Strip


def make_textual_cheap() -> None:
    """Replace these parts for all applications of this process."""
    _share_parsed_styles()
    _share_sorted_styles()
    _share_colours()
    _make_caches_of_strips_late()
    textual.message_pump.log = _Silence(None)  # type: ignore[attr-defined]


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


_CACHES = {
    "_divide_cache": 4,
    "_crop_cache": 16,
    "_style_cache": 16,
    "_filter_cache": 4,
    "_line_length_cache": 4,
    "_crop_extend_cache": 4,
    "_offsets_cache": 4,
}


def _make_caches_of_strips_late() -> None:
    """Make each of the seven caches of a line when it is used, if it is."""

    def begin(self: Strip, segments: Iterable[Segment], cell_length: int | None = None) -> None:
        self._segments = list(segments)
        self._cell_length = cell_length
        self._render_cache = self._link_ids = self._cell_count = None

    def cache_of(self: Strip, name: str) -> Any:
        if name not in _CACHES:
            raise AttributeError(name)
        cache: FIFOCache[Any, Any] = FIFOCache(_CACHES[name])
        setattr(self, name, cache)
        return cache

    Strip.__init__ = begin  # type: ignore[method-assign]  # for tests alone
    Strip.__getattr__ = cache_of  # type: ignore[attr-defined]


class _Silence(Logger):
    """Logs none of the messages that widgets handle."""

    @property
    def event(self) -> Logger:
        return self

    def verbosity(self, verbose: bool) -> Logger:
        del verbose
        return self

    def __call__(self, *args: object, **kwargs: object) -> None:
        """Do nothing: no test has a console of Textual."""
