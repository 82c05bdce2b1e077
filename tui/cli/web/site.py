"""`callboard web`: the program in a browser, for those who have the address that it prints.

That address holds a secret key, since other users of this machine and pages of other sites reach
the port as well. The key is exchanged for a cookie; a socket is opened for our own page alone.
The page is our own, since that of the library takes a font from another host; a browser is told to
ask no other host for anything.
"""

import hmac
import importlib.util
import ipaddress
import secrets
import shlex
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from tui.cli.output import say, say_beside
from tui.errors import CallboardError, WrongInput
from tui.text import clean

_PAGE = Path(__file__).parent / "web_page"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self';"
    " img-src 'self' data:; connect-src 'self' {socket}; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
"""What a page may load; the terminal in it writes its own styles."""


def serve(
    *, host: str, port: int, profile: str, lists_boards: bool, ascii_only: bool, is_read_only: bool
) -> int:
    """Serve the program, with these options, until it is interrupted."""
    if importlib.util.find_spec("textual_serve") is None:
        raise WrongInput("the web extra is not installed: pip install 'callboard[web]'")
    from aiohttp import web

    options = {"--ascii": ascii_only, "--boards": lists_boards, "--read-only": is_read_only}
    words = [option for option, is_given in options.items() if is_given]
    if profile:
        words += ["--profile", profile]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "no such address"
        raise CallboardError(
            f"{clean.line(host)}:{port} cannot be listened on: {reason.lower()}.",
            hint="Give another --port, or another --host.",
        ) from error
    with listening:
        address, given_port = listening.getsockname()[:2]
        if ipaddress.ip_address(address).is_loopback:
            reached = f"[{address}]" if ":" in address else address
        else:
            reached = socket.gethostname()
            say_beside(
                "callboard: warning: everybody who gets this address acts as you, and nothing is"
                " encrypted on the way."
            )
        key = secrets.token_urlsafe(24)
        say(f"Open http://{reached}:{given_port}/?key={key} (ctrl+c ends it)")
        sys.stdout.flush()
        pages = application(words, host, given_port, key)
        web.run_app(pages, sock=listening, print=None, access_log=None)
    return 0


async def application(words: Sequence[str], host: str, port: int, key: str) -> Any:
    """The web application of the program with some arguments; nobody is let in without the key."""
    from aiohttp import web
    from textual_serve.server import Server

    command = [sys.executable, "-P", "-m", "tui", *words]
    server = Server(
        shlex.join(command), host=host, port=port, title="Callboard", templates_path=_PAGE
    )
    server.console.quiet = True
    cookie = f"callboard-{port}"

    async def guard(request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        own = f"http://{request.host}"
        if _is_same(request.query.get("key", ""), key):
            redirect = web.HTTPFound("/")
            redirect.set_cookie(cookie, key, httponly=True, samesite="Strict")
            raise redirect
        if not _is_same(request.cookies.get(cookie, ""), key):
            return web.Response(status=403, text="Open the address that callboard web printed.\n")
        if request.path == "/ws" and request.headers.get("Origin") != own:
            return web.Response(status=403, text="This is for pages of Callboard alone.\n")
        server.public_url = own
        return await handler(request)

    async def protect(request: Any, response: Any) -> None:
        response.headers["Content-Security-Policy"] = _POLICY.format(socket=f"ws://{request.host}")
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Content-Type-Options"] = "nosniff"

    pages = await server._make_app()  # noqa: SLF001 (its `serve` sets up logs and signals)
    pages.middlewares.append(web.middleware(guard))
    pages.on_response_prepare.append(protect)
    return pages


def _is_same(given: str, key: str) -> bool:
    return hmac.compare_digest(given.encode(errors="replace"), key.encode())
