"""Whom the client believes to be the service it was told of: TLS certificates.

Certificates are always checked, there is no way to turn that off; who runs an
authority of their own names its file instead. What is wrong with a certificate is said in words.
"""

import ssl
from collections.abc import Iterator
from pathlib import Path

import httpx

from tui.client.errors import TlsFailed
from tui.text import clean

_NAME_ITS_FILE = (
    "If it is your own service or your company's, name its authority's certificate as ca_file in"
    " the profile."
)
_ASK = "Ask who runs the service to look at its certificate."
_CLOCK = "Check the clock of this machine; if it is right, ask who runs the service."
_REASONS = {
    9: ("is not valid yet", _CLOCK),
    10: ("has expired", _CLOCK),
    18: ("is self-signed", _NAME_ITS_FILE),
    19: ("comes from an authority that is not known here", _NAME_ITS_FILE),
    2: ("comes from an authority that is not known here", _NAME_ITS_FILE),
    20: ("comes from an authority that is not known here", _NAME_ITS_FILE),
    21: ("comes from an authority that is not known here", _NAME_ITS_FILE),
    23: ("was revoked", _ASK),
    62: ("was made for another host", "Check the address of the service in the profile."),
    64: ("was made for another host", "Check the address of the service in the profile."),
}
"""By OpenSSL's `X509_V_ERR_…` number."""


def trusted(ca_file: Path | None = None) -> ssl.SSLContext:
    """What a connection is checked with.

    The authorities in `ca_file` (PEM) and no others, or those that everybody trusts;
    `SSL_CERT_FILE` and `SSL_CERT_DIR` are heeded then.

    Takes some 50 ms. Raises `TlsFailed` if the file cannot be used.
    """
    try:
        if ca_file is None:
            return httpx.create_ssl_context()
        return ssl.create_default_context(cafile=str(ca_file.expanduser()))
    except ssl.SSLError:
        why = "holds no certificate in PEM form"
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        why = f"cannot be read: {reason}" if reason else "cannot be read"
    if ca_file is None:
        name, place = "that SSL_CERT_FILE names", "SSL_CERT_FILE in the environment"
    else:
        name, place = clean.line(str(ca_file)), "ca_file in the profile"
    raise TlsFailed(
        f"The file of certificates {name} {why}; nothing was sent.",
        hint=f"{place} names a PEM file, which has lines with BEGIN CERTIFICATE.",
    )


def distrust(host: str, error: Exception, details: str) -> TlsFailed | None:
    """What is wrong with the certificate of `host`; None if the error is of another kind.

    Only of connections that could not be made: once one stands, trouble with it is ordinary.
    """
    if not isinstance(error, httpx.ConnectError):
        return None
    trouble = next((one for one in _causes(error) if isinstance(one, ssl.SSLError)), None)
    if trouble is None:
        return None
    if not isinstance(trouble, ssl.SSLCertVerificationError):
        return TlsFailed(
            f"No safe connection to {host} could be made; nothing was sent.",
            hint="Check that the address and its port are those of an https service.",
            details=details,
        )
    reason, hint = _REASONS.get(trouble.verify_code, ("was not accepted", _ASK))
    return TlsFailed(
        f"The certificate of {host} {reason}; nothing was sent.", hint=hint, details=details
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    link: BaseException | None = error
    while link is not None:
        yield link
        link = link.__cause__ or link.__context__
