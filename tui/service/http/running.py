"""The server that carries the application: uvicorn, in one process or several.

The rule it keeps: SIGTERM and SIGINT end it in peace: no new requests, those that are running are
answered, the database is closed.
"""

import signal
import socket
from types import FrameType

import uvicorn
from uvicorn.supervisors import Multiprocess

from tui.service.http.application import ServerApplication
from tui.service.http.connections import limited
from tui.service.http.options import Options

_PATIENCE_SECONDS = 30


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

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    server.run([listening])
