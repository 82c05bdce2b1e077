"""A text that is not as expected is shown as a diff, with how to accept it."""

import pytest

from tests.lint import texts


def test_a_diff_says_how_to_accept_the_text() -> None:
    with pytest.raises(pytest.fail.Exception) as failure:
        texts.check("one\nthree\n", "one\ntwo\n", "pytest --snapshot-update")
    assert str(failure.value).splitlines() == [
        "--- expected",
        "+++ actual",
        "@@ -1,2 +1,2 @@",
        " one",
        "-two",
        "+three",
        "",
        "If the actual text is right: pytest --snapshot-update",
    ]


def test_the_same_text_passes() -> None:
    texts.check("one\n", "one\n", "pytest --snapshot-update")
