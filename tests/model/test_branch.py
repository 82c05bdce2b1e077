"""Names of branches for cards."""

import re
import time

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, sampled_from, text

from tui.model.task import Task
from tui.model.work.branch import branch_of, card_of

_SECONDS = 1.0
PATTERNS = ("{id}-{slug}", "{id}", "{slug}-{id}", "feature/{id}_{slug}", "card-{id}")


def task(title: str, number: int = 12) -> Task:
    return Task(number, 1, 1, title)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Fix login redirect after SSO", "12-fix-login-redirect-after-sso"),
        ("  Überprüfung: Größe (50 %)!", "12-uberprufung-grosse-50"),
        ("猫", "12"),
        ("../..;rm -rf ~", "12-rm-rf"),
        ("a long title " * 9, "12-a-long-title-a-long-title-a-long-title-a"),
        ("x" * 99, f"12-{'x' * 40}"),
    ],
)
def test_a_branch_is_named_after_number_and_title(title: str, name: str) -> None:
    assert branch_of(task(title), "{id}-{slug}") == name


@pytest.mark.parametrize(
    ("branch", "pattern", "number"),
    [
        ("12-fix-login", "{id}-{slug}", 12),
        ("12", "{id}-{slug}", 12),
        ("ann/12-other-words", "{id}-{slug}", 12),
        ("fix-12", "{slug}-{id}", 12),
        ("feature/12", "feature/{id}_{slug}", 12),
        ("main", "{id}-{slug}", 0),
        ("12fix", "{id}-{slug}", 0),
        ("1234567890123456789012", "{id}", 0),
        ("release-12-3", "{id}-{slug}", 0),
    ],
)
def test_the_card_of_a_branch(branch: str, pattern: str, number: int) -> None:
    assert card_of(branch, pattern) == number


def test_a_pattern_with_many_words_takes_no_time() -> None:
    begun = time.process_time()
    for pattern in ("{slug}-{slug}-{slug}-{slug}-{slug}-{id}", "{id}{slug}" * 6):
        name = "1-" * 120 + "x"
        card_of(name, pattern)
        card_of(f"{'a/' * 60}{name}", pattern)
    assert time.process_time() - begun < _SECONDS
    assert card_of("a-b-c-d-e-12", "{slug}-{slug}-{slug}-{slug}-{slug}-{id}") == 12


@given(
    text("1-/ax", max_size=14),
    lists(sampled_from(("{id}", "{slug}", "-", "/", "a")), max_size=6),
)
def test_a_name_is_read_as_a_regular_expression_would(branch: str, parts: list[str]) -> None:
    pattern = "".join([*parts, "{id}"])
    forms = (pattern, re.sub(r"[-_.]?\{slug\}[-_.]?", "", pattern))
    places = {"{id}": "([0-9]{1,18})", "{slug}": ".*"}
    expected = 0
    for form in forms:
        words = re.split(r"(\{id\}|\{slug\})", form)
        expression = "".join(places.get(word, re.escape(word)) for word in words)
        if match := re.fullmatch(f"(?:.*/)?{expression}", branch):
            expected = expected or int(match[1])
    assert card_of(branch, pattern) == expected


@given(text(max_size=80), integers(1, 10**18 - 1), sampled_from(PATTERNS))
def test_the_name_of_a_branch_leads_back_to_its_card(title: str, number: int, pattern: str) -> None:
    name = branch_of(task(title, number), pattern)
    assert card_of(name, pattern) == number
    assert re.fullmatch(r"[a-z0-9][a-z0-9_/-]*[a-z0-9]|[a-z0-9]", name)
