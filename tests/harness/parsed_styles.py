"""Reads each stylesheet once for all applications of a process, which Textual reads for each anew.

Thousands of small applications are made for the tests. It saves a fifth of their processor time;
what else was shared or left out, such as painting, saved too little to be another program for.
"""

from collections.abc import Hashable, Mapping
from functools import wraps
from typing import Any

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet


def share_parsed_styles() -> None:
    """Share what is read from now on."""
    parse = Stylesheet._parse_rules
    parsed: dict[Hashable, list[RuleSet]] = {}
    variables = _Numbers()

    @wraps(parse)
    def parse_once(self: Stylesheet, *arguments: Any, **named: Any) -> list[RuleSet]:
        key = (arguments, tuple(sorted(named.items())), variables.number(self._variables))
        if key not in parsed:
            parsed[key] = parse(self, *arguments, **named)
        return parsed[key]

    Stylesheet._parse_rules = parse_once  # type: ignore[method-assign]  # for tests alone


class _Numbers:
    """A number for each set of variables; an application has hundreds, the same for each source."""

    def __init__(self) -> None:
        self._known: dict[Hashable, int] = {}
        self._latest: Mapping[str, str] = {}
        self._number = -1

    def number(self, variables: Mapping[str, str]) -> int:
        """The same for the same names and values; Textual never changes a mapping it has got."""
        if variables is not self._latest:
            self._latest = variables
            known = tuple(sorted(variables.items()))
            self._number = self._known.setdefault(known, len(self._known))
        return self._number
