"""Where links in replies lead, as the options of `callboard serve` say."""

import socket

import pytest

from tui.service.http.options import Options

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    ("public_url", "base_url"),
    [
        ("https://b.example", "https://b.example/v2"),
        ("https://b.example/", "https://b.example/v2"),
        ("https://b.example/v2/", "https://b.example/v2"),
        ("http://b.example:8080/team", "http://b.example:8080/team/v2"),
    ],
)
def test_links_begin_with_the_public_url(public_url: str, base_url: str) -> None:
    options = Options("b", public_url=public_url)
    options.check_public_url()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert options.base_url(listening) == base_url


@pytest.mark.parametrize(
    ("host", "behind_proxy", "is_for_this_machine"),
    [("127.0.0.1", False, True), ("127.0.0.1", True, False), ("0.0.0.0", False, False)],  # noqa: S104
)
def test_without_one_links_lead_to_this_machine_which_may_be_wrong(
    host: str, behind_proxy: bool, is_for_this_machine: bool
) -> None:
    options = Options("b", behind_proxy=behind_proxy)
    with socket.create_server((host, 0)) as listening:
        assert options.is_for_this_machine(listening) is is_for_this_machine
        assert options.base_url(listening) == f"http://{host}:{listening.getsockname()[1]}/v2"
