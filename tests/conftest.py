"""How the tests are spread, and how much is made up for each property.

Every run makes up other examples, so few are enough in one; `--hypothesis-profile deep` makes up
many.
"""

import gc
import os
from functools import cache

import pytest
from _pytest.unraisableexception import gc_collect_iterations_key
from hypothesis import settings
from starlette import routing
from textual.css import stylesheet
from textual.css.model import RuleSet
from textual.css.parse import parse
from textual.css.tokenizer import Token
from textual.css.types import CSSLocation

settings.register_profile("few", max_examples=12, deadline=None)
settings.register_profile("deep", max_examples=500, deadline=None)
settings.load_profile("few")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker more than processors: some wait for a program, and each takes long to start."""
    del config
    return (os.cpu_count() or 1) + 1


def pytest_sessionstart() -> None:
    """Collect garbage rarely: thousands of small applications are made and thrown away."""
    gc.set_threshold(100_000, 20, 100)
    gc.freeze()


def pytest_collection_finish() -> None:
    """Leave alone what stays to the end anyway: the tests, and the modules that they are in."""
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """Collect garbage twice at the end: the second time for what finalizers have let go."""
    config.stash[gc_collect_iterations_key] = 2


def parsed_once() -> None:
    """Parse what all the applications of a run have in common once: style sheets and paths."""
    kept: dict[tuple[object, ...], list[RuleSet]] = {}

    def remembered(
        scope: str,
        css: str,
        read_from: CSSLocation,
        *,
        variable_tokens: dict[str, list[Token]],
        is_default_rules: bool,
        tie_breaker: int,
    ) -> list[RuleSet]:
        values = tuple(
            (name, *(one.value for one in given)) for name, given in variable_tokens.items()
        )
        key = (scope, css, read_from, values, is_default_rules, tie_breaker)
        if key not in kept:
            rules = parse(
                scope, css, read_from, None, variable_tokens, is_default_rules, tie_breaker
            )
            kept[key] = list(rules)
        return kept[key]

    vars(stylesheet)["parse"] = remembered
    vars(routing)["compile_path"] = cache(routing.compile_path)


parsed_once()
