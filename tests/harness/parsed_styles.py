"""Reads each stylesheet once for all applications of a process, which Textual reads for each anew.

Thousands of small applications are made for the tests. It saves a fifth of their processor time;
what else was shared or left out, such as painting, saved too little to be another program for.
"""

from collections.abc import Hashable
from functools import wraps
from typing import Any

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet


def share_parsed_styles() -> None:
    """Share what is read from now on."""
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
