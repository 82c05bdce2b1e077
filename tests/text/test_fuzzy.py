"""A few letters find what a person means, the best first."""

import pytest
from hypothesis import given, strategies as st

from tui.text.fuzzy import Index, places, rank

STAGES = ["Backlog", "Doing", "In review", "Review by QA", "Done", "Überprüfung"]


def best(query: str, candidates: list[str]) -> list[str]:
    return [candidates[index] for index in rank(query, candidates)]


def test_no_query_leaves_everything_as_it_is() -> None:
    assert best("", STAGES) == STAGES
    assert best(" - ", STAGES) == STAGES


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("do", ["Done", "Doing"]),
        ("log", ["Backlog"]),
        ("rev", ["In review", "Review by QA"]),
        ("qa review", ["Review by QA"]),
        ("ir", ["In review"]),
        ("uber", ["Überprüfung"]),
        ("bklg", ["Backlog"]),
        ("BACK", ["Backlog"]),
        ("xyz", []),
    ],
)
def test_letters_find_what_they_are_in(query: str, expected: list[str]) -> None:
    assert best(query, STAGES) == expected


def test_better_matches_come_first() -> None:
    candidates = ["f x l y o z g", "Catalog", "Change login", "Login", "Log in", "lost or gone"]
    assert best("log", candidates) == [
        *("Log in", "Login", "Change login", "Catalog", "lost or gone", "f x l y o z g")
    ]


LONG = "List of all organisations, great and small, of the last ten years"


@pytest.mark.parametrize(
    ("query", "candidates", "expected"),
    [
        ("login", ["Login", LONG], ["Login"]),
        ("log", ["Catalog", "Lead of growth", LONG], ["Catalog", "Lead of growth"]),
        ("log", [LONG], []),
        ("lgn", ["Login", "Change logins", LONG], ["Login", "Change logins"]),
        ("lgn", [LONG], []),
        ("lst", [LONG], [LONG]),
        ("tot", ["Total", f"Tell others {LONG}"], ["Total"]),
        ("xgn", ["Login"], []),
    ],
)
def test_letters_that_are_scattered_over_a_long_title_are_no_match(
    query: str, candidates: list[str], expected: list[str]
) -> None:
    assert best(query, candidates) == expected


def test_signs_between_words_do_not_matter() -> None:
    assert best("sso/redirect", ["Fix redirect: SSO-login"]) == ["Fix redirect: SSO-login"]


def test_two_letters_apart_must_start_words() -> None:
    assert best("fl", ["folder", "Fix login", "of label"]) == ["Fix login"]


def test_an_index_answers_again_and_again() -> None:
    index = Index(STAGES)
    assert index.rank("d") == rank("d", STAGES)
    assert index.rank("done") == [4]


@pytest.mark.parametrize(
    ("query", "text", "marks"),
    [
        ("log fix", "Fix login", "^^^ ^^^"),
        ("fl", "Fix login", "^   ^"),
        ("gin", "Fix login", "      ^^^"),
        ("uber", "Die Überprüfung", "    ^^^^"),
        ("fxln", "Fix login", "^ ^ ^   ^"),
        ("sso", "Straße, SSO", "        ^^^"),
        ("zq", "Fix login", ""),
        ("", "Fix login", ""),
    ],
)
def test_the_letters_that_match_are_known(query: str, text: str, marks: str) -> None:
    assert places(query, text) == [place for place, sign in enumerate(marks) if sign == "^"]


@given(st.text(max_size=20), st.text(max_size=8))
def test_what_is_found_has_letters_that_match(text: str, query: str) -> None:
    found = places(query, text)
    assert all(0 <= place < len(text) for place in found)
    if rank(query, [text]) and any(rank(word, [text, "qqq"]) == [0] for word in query.split()):
        assert found


@given(st.lists(st.text(max_size=20), max_size=8), st.text(max_size=8))
def test_every_index_comes_once_at_most(candidates: list[str], query: str) -> None:
    found = rank(query, candidates)
    assert len(set(found)) == len(found)
    assert set(found) <= set(range(len(candidates)))


@given(st.lists(st.text(max_size=20), min_size=1, max_size=8), st.data())
def test_what_is_typed_in_full_is_found(candidates: list[str], data: st.DataObject) -> None:
    wanted = data.draw(st.sampled_from(range(len(candidates))))
    assert wanted in rank(candidates[wanted], candidates)


def test_a_pasted_page_is_no_harm() -> None:
    assert rank("x" * 100_000, STAGES * 100) == []
