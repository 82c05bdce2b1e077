"""`callboard web`: the program in a browser, for those who have the address that it prints.

That address holds a secret key, since other users of this machine and pages of other sites reach
the port as well. The key is exchanged for a cookie; a socket is opened for our own page alone.
A browser is told to ask no other host for anything.
"""

import asyncio
import hmac
import importlib.util
import ipaddress
import secrets
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from tui.cli.output import say, say_beside
from tui.cli.web.tab import WITHOUT_PAGE, TabProgram
from tui.errors import CallboardError, WrongInput
from tui.text import clean

_PAGE = Path(__file__).parent / "page"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self';"
    " img-src 'self' data:; connect-src 'self' {socket}; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
"""What a page may load; the terminal in it writes its own styles."""
_HEARTBEAT = 15
"""Seconds after which a browser that has vanished without a word is asked whether it is there."""


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
        # Bound before the address is printed: port 0 gets its number only then.
        address, given_port = listening.getsockname()[:2]
        if ipaddress.ip_address(address).is_loopback:
            reached = f"[{address}]" if ":" in address else address
        else:
            reached = socket.gethostname()
            say_beside(
                "callboard: warning: anyone who gets this address acts as you, and nothing is"
                " encrypted on the way."
            )
        key = secrets.token_urlsafe(24)
        say(f"Open http://{reached}:{given_port}/?key={key} (ctrl+c to stop)")
        sys.stdout.flush()
        # -P keeps the current folder off the module path.
        command = [sys.executable, "-P", "-m", "tui", *words]
        pages = application(command, given_port, key)
        web.run_app(pages, sock=listening, print=None, access_log=None)
    return 0


def application(
    command: Sequence[str], port: int, key: str, *, without_page: float = WITHOUT_PAGE
) -> Any:
    """The web application that shows a program; nobody is let in without the key.

    A program whose page has gone waits for so many seconds for another one of its tab.
    """
    from aiohttp import web

    # All ports of a host share its cookies, so the name has the port.
    cookie = f"callboard-{port}"

    async def guard(request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        if _is_same(request.query.get("key", ""), key):
            # The redirect takes the key out of the address, and so out of the history.
            redirect = web.HTTPFound("/")
            redirect.set_cookie(cookie, key, httponly=True, samesite="Strict")
            raise redirect
        if not _is_same(request.cookies.get(cookie, ""), key):
            return web.Response(status=403, text="Open the address that callboard web printed.\n")
        return await handler(request)

    tabs = _Tabs(command, without_page)
    pages = web.Application(middlewares=[web.middleware(guard)])
    pages.on_response_prepare.append(_protect)
    pages.on_shutdown.append(tabs.end_all)
    pages.router.add_get("/", _index)
    pages.router.add_get("/socket/{tab}", tabs.show)
    pages.router.add_get("/state/{tab}", tabs.state)
    pages.router.add_static("/page", _PAGE)
    pages.router.add_static("/static", _terminal())
    return pages


class _Tabs:
    """The programs by the names that the pages give to their tabs."""

    def __init__(self, command: Sequence[str], without_page: float) -> None:
        self._command = command
        self._without_page = without_page
        self._programs: dict[str, TabProgram] = {}

    async def show(self, request: Any) -> Any:
        from aiohttp import web

        # The same-origin policy does not cover WebSockets, and a page on another port of this host
        # is of the same site, so that the cookie is sent along.
        if request.headers.get("Origin") != f"http://{request.host}":
            return web.Response(status=403, text="This is for pages of Callboard alone.\n")
        page = web.WebSocketResponse(heartbeat=_HEARTBEAT)
        await page.prepare(request)
        name = request.match_info["tab"]
        program = self._programs.get(name)
        if program is None or not program.is_running:
            size = int(request.query["width"]), int(request.query["height"])
            program = self._programs[name] = await TabProgram.start(
                self._command, *size, without_page=self._without_page
            )
        await program.show_on(page)
        return page

    async def state(self, request: Any) -> Any:
        """What a page whose socket was closed says of its program."""
        from aiohttp import web

        program = self._programs.get(request.match_info["tab"])
        if program is None or (program.is_running and not program.is_shown):
            return web.json_response({"state": "lost"})
        if program.is_running:
            return web.json_response({"state": "elsewhere"})
        state = "failed" if program.reason else "left"
        return web.json_response({"state": state, "reason": program.reason})

    async def end_all(self, _: Any) -> None:
        await asyncio.gather(*(program.end() for program in self._programs.values()))


async def _index(_: Any) -> Any:
    from aiohttp import web

    return web.FileResponse(_PAGE / "index.html")


async def _protect(request: Any, response: Any) -> None:
    response.headers["Content-Security-Policy"] = _POLICY.format(socket=f"ws://{request.host}")
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-cache"  # another version may be served next


def _terminal() -> Path:
    """The folder of the terminal for browsers."""
    import textual_serve

    return Path(textual_serve.__file__).parent / "static"


def _is_same(given: str, key: str) -> bool:
    # As bytes: it takes only ASCII as text.
    return hmac.compare_digest(given.encode(errors="replace"), key.encode())
