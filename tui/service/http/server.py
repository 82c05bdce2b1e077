"""Runs the application on uvicorn, in one process or several.

It adds limits that uvicorn lacks: size and time of a request's head, and the number of connections.
SIGTERM and SIGINT stop it gracefully: no new requests, running ones are finished, the database is
closed.
"""

import asyncio
import signal
import socket
from collections.abc import Iterable
from functools import partial
from types import FrameType
from typing import Any, cast

import uvicorn
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.server import ServerState
from uvicorn.supervisors import Multiprocess

from tui.service.database.waiters import Waiters
from tui.service.errors import ServiceError
from tui.service.http.application import WAITERS, ServerApplication
from tui.service.http.options import Limits, Options
from tui.service.requests.replies import refused

_PATIENCE_SECONDS = 30


def limited(limits: Limits) -> type[asyncio.Protocol]:
    """The protocol class with these limits, for uvicorn's `http` setting."""
    return cast("type[asyncio.Protocol]", partial(LimitedConnection, limits))


class LimitedConnection(HttpToolsProtocol):
    """A connection with limits on time and size.

    When there are too many, the one that has been idle longest is closed, not the newest, so that
    opening hundreds of idle connections locks nobody out, not even at the same address. Requests
    that wait for a change come next, since their clients ask again.
    """

    def __init__(
        self,
        limits: Limits,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limits = limits
        self._is_in_body = False
        self._head_bytes = 0
        self._deadline: asyncio.TimerHandle | None = None
        self.waiting_since = 0.0
        self._stall_check: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether no request is being handled."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    @property
    def is_expendable(self) -> bool:
        """Whether it is idle, or its request only waits for a change, which it can do again."""
        return self.is_waiting or bool(self.scope.get("state", {}).get("waits_for_change"))

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's
        """Wait for a request; close an idle connection if there are too many."""
        super().connection_made(transport)
        self._wait(self._limits.head_seconds)
        connections = [
            connection
            for connection in self.connections
            if isinstance(connection, LimitedConnection) and not connection.transport.is_closing()
        ]
        most = self._limits.connections_per_address
        address = self.client and self.client[0]
        near = [
            connection
            for connection in connections
            if connection.client and connection.client[0] == address
        ]
        if most is not None and len(near) > most:
            self._close_one_of(near)
        elif len(connections) > self._limits.connections:
            self._close_one_of(connections)

    def _close_one_of(self, others: Iterable["LimitedConnection"]) -> None:
        # The one that is idle longest; this one if none is expendable.
        expendable = [connection for connection in others if connection.is_expendable]

        def order(other: LimitedConnection) -> tuple[bool, bool, float]:
            # The new connection last, idle ones before those that wait for a change.
            return other is self, not other.is_waiting, other.waiting_since

        min(expendable, key=order).transport.abort()

    def shutdown(self) -> None:
        """Answer the requests that wait for a change, so that the server can end."""
        # Before uvicorn waits for running requests, of which these are some.
        waiters = self.app_state.get(WAITERS)
        if isinstance(waiters, Waiters):
            waiters.end()
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers."""
        super().connection_lost(exc)
        _cancel(self._deadline)
        _cancel(self._stall_check)

    def data_received(self, data: bytes) -> None:
        """Receive data. An endless head is refused with 431."""
        # Without a new request or a body all of the data belongs to an unfinished head.
        cycle, was_in_body = self.cycle, self._is_in_body
        super().data_received(data)
        is_all_head = self.cycle is cycle and not was_in_body
        if is_all_head and not self.transport.is_closing():
            self._head_bytes += len(data)
            if self._head_bytes > self._limits.head_bytes:
                self.send_400_response("The head does not end.")

    def on_headers_complete(self) -> None:
        """Start to handle a request, unless its head is too large."""
        self._head_bytes = len(self.url) + sum(
            len(name) + len(value) for name, value in self.headers
        )
        if self._head_bytes > self._limits.head_bytes:
            # httptools turns it into a parser error, which uvicorn answers by `send_400_response`.
            raise _HeadTooLarge
        self._head_bytes = 0
        self._is_in_body = True
        _cancel(self._deadline)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Wait for the next request if this one was answered before its end."""
        super().on_message_complete()
        self._is_in_body = False
        if self.is_waiting:
            self._wait(self._limits.head_seconds)

    def on_response_complete(self) -> None:
        """Wait for the next request, or discard the rest of this one."""
        super().on_response_complete()
        if self.is_waiting:
            limits = self._limits
            self._wait(limits.linger_seconds if self.cycle.more_body else limits.head_seconds)

    def send_400_response(self, msg: str) -> None:
        """Refuse an invalid request, or one with too large a head, and close the connection."""
        refusal = ServiceError(400, "invalid_request", msg)
        if self._head_bytes > self._limits.head_bytes:
            refusal = ServiceError(
                431, "head_too_large", "The headers of the request are too large."
            )
        reply = refused(refusal)
        headers = [*reply.raw_headers, (b"connection", b"close")]
        lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
        self.transport.write(STATUS_LINE[refusal.status] + lines + b"\r\n" + bytes(reply.body))
        self.transport.close()

    def pause_writing(self) -> None:
        """Check that the client reads its reply."""
        super().pause_writing()
        self._watch_stall()

    def resume_writing(self) -> None:
        """The client has read its reply."""
        super().resume_writing()
        _cancel(self._stall_check)

    def _watch_stall(self, unread: int | None = None) -> None:
        # Nothing was read since the last check.
        now_unread = self.transport.get_write_buffer_size()
        if now_unread == unread:
            # `close` would wait until the client has read the rest.
            self.transport.abort()
            return
        self._stall_check = self.loop.call_later(
            self._limits.stalled_seconds, self._watch_stall, now_unread
        )

    def _wait(self, seconds: float) -> None:
        _cancel(self._deadline)
        self.waiting_since = self.loop.time()
        self._deadline = self.loop.call_later(seconds, self.transport.close)


class _HeadTooLarge(Exception):
    """Stops parsing a request."""


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


def run(options: Options, listening: socket.socket) -> None:
    """Serve on a socket until a signal comes."""
    config = uvicorn.Config(
        ServerApplication(options, options.base_url(listening)),
        factory=True,
        workers=options.workers,
        http=limited(options.limits),
        lifespan="on",
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=_PATIENCE_SECONDS,
        ssl_certfile=options.tls_cert,
        ssl_keyfile=options.tls_key,
    )
    if options.workers > 1:
        Multiprocess(config, [listening]).run()
        return
    server = uvicorn.Server(config)

    def stop(_number: int, _frame: FrameType | None) -> None:
        server.should_exit = True

    # uvicorn raises the signal again when it has stopped; by default that would end the process
    # before `serve` returns.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    server.run([listening])
