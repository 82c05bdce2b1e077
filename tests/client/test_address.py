"""Base URLs and the URLs of calls."""

import httpx
import pytest

from tui.client.errors import BadAddress
from tui.client.http.address import Address


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("https://board.example/v2", "https://board.example/v2/projects?page=2"),
        ("https://board.example/site/v2/", "https://board.example/site/v2/projects?page=2"),
        (" https://board.example:8443/v2 ", "https://board.example:8443/v2/projects?page=2"),
        ("http://localhost:8000/v2", "http://localhost:8000/v2/projects?page=2"),
        ("http://127.0.0.5/v2", "http://127.0.0.5/v2/projects?page=2"),
        ("http://[::1]:1/v2", "http://[::1]:1/v2/projects?page=2"),
        (
            "https://board.example/?rest_route=/name/v2",
            "https://board.example/?rest_route=%2Fname%2Fv2%2Fprojects&page=2",
        ),
    ],
)
def test_a_path_is_appended_to_the_base(base: str, url: str) -> None:
    assert str(Address.parse(base).url("/projects", {"page": "2"})) == url


def test_without_a_query_no_question_mark_is_added() -> None:
    url = Address.parse("https://board.example/v2").url("/projects")
    assert str(url) == "https://board.example/v2/projects"


@pytest.mark.parametrize(
    ("base", "words"),
    [
        ("http://board.example/v2", "unencrypted"),
        ("http://localhost.board.example/v2", "unencrypted"),
        ("http://board.localhost/v2", "unencrypted"),
        ("http://127.0.0.1.board.example/v2", "unencrypted"),
        ("https://ann:secret@board.example/v2", "must not hold"),
        ("ftp://board.example/v2", "not a web address"),
        ("board.example/v2", "not a web address"),
        ("https:///v2", "not a web address"),
        ("https://" + "a" * 70 + ".example/v2", "not a web address"),
        ("https://board.example:port/v2", "not a web address"),
        ("", "not a web address"),
    ],
)
def test_an_address_that_is_not_safe_is_refused(base: str, words: str) -> None:
    with pytest.raises(BadAddress, match=words) as caught:
        Address.parse(base)
    assert "secret" not in caught.value.message


def test_a_refused_address_is_shown_without_control_characters() -> None:
    with pytest.raises(BadAddress) as caught:
        Address.parse("nowhere\x1b[2J")
    assert "\x1b" not in caught.value.message


@pytest.mark.parametrize(
    ("base", "is_confidential"),
    [
        ("https://board.example/v2", True),
        ("http://127.0.0.1/v2", True),
        ("http://board.example/v2", False),
    ],
)
def test_who_allows_it_by_hand_may_be_read_along(base: str, is_confidential: bool) -> None:
    assert Address.parse(base, allow_plaintext=True).is_confidential is is_confidential


def test_in_process_plain_http_is_fine() -> None:
    assert Address.parse("http://embedded/v2", in_process=True).host == "embedded"


@pytest.mark.parametrize(
    ("url", "is_own_origin"),
    [
        ("https://board.example/other", True),
        ("https://board.example:443/other", True),
        ("http://board.example/v2", False),
        ("https://board.example:444/v2", False),
        ("https://evil.example/v2", False),
    ],
)
def test_the_own_origin_is_one(url: str, is_own_origin: bool) -> None:
    assert Address.parse("https://board.example/v2").is_own_origin(httpx.URL(url)) is is_own_origin
