"""The log of the server: one JSON object a line, on standard error.

The rule it keeps: a line says what was asked and how it went, never with what: no query, no
header and no body is ever in it, so neither passwords nor the keys of webhooks and pictures are.
"""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

REQUESTS = "callboard.requests"
_LONGEST = 20_000


class JsonFormatter(logging.Formatter):
    """A record as a line of JSON in ASCII; what a record has as `facts` becomes fields of it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "time": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage()[:_LONGEST],
        }
        line |= getattr(record, "facts", {})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)[-_LONGEST:]
        return json.dumps(line, default=str)


def log_to_stderr() -> None:
    """Send every log of this process to standard error, and nothing anywhere else."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
