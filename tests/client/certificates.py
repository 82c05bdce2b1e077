"""Certificates made for a run of the tests: an authority, and servers that are right or wrong."""

from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import trustme

_PAST = (datetime(2020, 1, 1, tzinfo=UTC), datetime(2020, 2, 1, tzinfo=UTC))
_FUTURE = (datetime(2990, 1, 1, tzinfo=UTC), datetime(2990, 2, 1, tzinfo=UTC))


@cache
def _made() -> dict[str, bytes]:
    """PEM files by name; a server's file holds its key as well."""
    authority, nobody = trustme.CA(), trustme.CA()
    servers = {
        "good": authority.issue_cert("localhost"),
        "other": authority.issue_cert("elsewhere.example"),
        "expired": authority.issue_cert("localhost", not_before=_PAST[0], not_after=_PAST[1]),
        "early": authority.issue_cert("localhost", not_before=_FUTURE[0], not_after=_FUTURE[1]),
    }
    made = {name: one.private_key_and_cert_chain_pem.bytes() for name, one in servers.items()}
    made["authority"] = authority.cert_pem.bytes()
    made["self_signed"] = nobody.private_key_pem.bytes() + nobody.cert_pem.bytes()
    return made


def write_certificates(folder: Path) -> None:
    """Write `authority.pem`, and `good`, `other`, `expired`, `early` and `self_signed`."""
    for name, content in _made().items():
        (folder / f"{name}.pem").write_bytes(content)
    (folder / "notes.txt").write_text("No certificate.\n", "utf-8")
