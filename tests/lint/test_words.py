"""Names that say nothing are found wherever a module can bind one."""

import pytest

from tests.lint.words import vague_names_in


@pytest.mark.parametrize(
    "source",
    [
        "def keep(before): ...",
        "def keep(*, before=None): ...",
        "keep = lambda before: 1",
        "before = 1",
        "before: int",
        "for before in (): ...",
        "[1 for before in ()]",
        "self.before = 1",
        "self._before = 1",
        "with keep() as before: ...",
        "try: ...\nexcept OSError as before: ...",
        "match 1:\n    case [*before]: ...",
        "match 1:\n    case before: ...",
        "if (before := 1): ...",
    ],
)
def test_a_vague_name_is_found_wherever_it_is_bound(source: str) -> None:
    assert [name for _, name in vague_names_in(source)] == ["before"]


def test_what_others_call_their_things_is_theirs() -> None:
    assert not list(vague_names_in("list(certificate.before, keep(before=1), before)"))
    assert not list(vague_names_in("def here(): ...\nprevious = before_that = 1"))
