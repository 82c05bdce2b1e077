"""An address as people paste it: completed where only one thing can be meant."""

import pytest

from tui.profiles.login import NotUsable, suggested_name, web_address


@pytest.mark.parametrize(
    ("pasted", "address"),
    [
        ("https://example.org/api/x/v2", "https://example.org/api/x/v2"),
        ("  https://Example.org/x/v2/ \n", "https://example.org/x/v2/"),
        ("example.org", "https://example.org"),
        ("<https://example.org/about#top>", "https://example.org/about"),
        ("HTTPS://example.org:8443/x?page=2", "https://example.org:8443/x?page=2"),
        ("127.0.0.1:8642/v2", "http://127.0.0.1:8642/v2"),
        ("localhost", "http://localhost"),
        ("[::1]:8642/v2", "http://[::1]:8642/v2"),
        ("http://example.org/v2", "http://example.org/v2"),
        ("example.org?rest_route=/x/v2", "https://example.org?rest_route=/x/v2"),
    ],
)
def test_one_thing_can_be_meant(pasted: str, address: str) -> None:
    assert web_address(pasted) == address
    assert web_address(address) == address


@pytest.mark.parametrize(
    ("pasted", "words"),
    [
        ("", "not a web address"),
        ("https://", "not a web address"),
        ("ftp://example.org/v2", "not a web address"),
        ("https://exam ple.org/v2", "not a web address"),
        ("https://[::1/v2", "not a web address"),
        ("https://example.org:99999/v2", "not a web address"),
        ("https://ann:xyzzy@example.org/v2", "a login name or password"),
    ],
)
def test_what_is_no_address_is_told_with_what_one_looks_like(pasted: str, words: str) -> None:
    with pytest.raises(NotUsable, match=words) as problem:
        web_address(pasted)
    assert "xyzzy" not in problem.value.message
    assert problem.value.hint


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://boards.example.org/v2", "boards"),
        ("https://www.example.org/v2", "example"),
        ("http://127.0.0.1:1/v2", "local"),
        ("http://localhost/v2", "local"),
        ("https://192.0.2.7/v2", "work"),
        ("https://embedded.example.org/v2", "work"),
    ],
)
def test_a_name_is_suggested_from_the_host(address: str, name: str) -> None:
    assert suggested_name(address) == name
