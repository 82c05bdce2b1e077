"""What must be true of every document, and a command that tries many of them.

Run it with how many: `python -m tests.text.roundtrips 5000`.
"""

import re
import sys

from hypothesis import HealthCheck, given, settings

from tests.text.documents import DOCUMENTS
from tui.text.html.reading import read
from tui.text.markdown import edited_html, to_html, to_markdown
from tui.text.spans import SpanKind

_BLANKS = re.compile(r"\s+")
_HARMFUL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e]")
_ACTS = re.compile(r"<[^<>]*(?:javascript:|\son\w+=)", re.IGNORECASE)


def readable(source: str) -> str:
    """The text of some HTML as it is read, without blanks and what has been added to it."""
    lines = read(source, 5_000).lines
    shown = "".join(span.text for line in lines for span in line if span.kind is not SpanKind.SIGN)
    return _BLANKS.sub("", shown)


def check(source: str) -> None:
    """Nothing acts, no text is lost, and a second time nothing changes any more."""
    markdown = to_markdown(source)
    back = to_html(markdown)
    assert not _HARMFUL.search(markdown + back)
    assert not _ACTS.search(back)
    assert readable(back) == readable(source)
    assert to_markdown(back) == markdown
    assert edited_html(source, markdown, markdown + "\n") == source
    longer = edited_html(source, markdown, markdown + "\n\nlast words")
    assert readable(longer) == readable(source) + "lastwords"


def main() -> None:
    """Try as many documents as the command line asks for."""
    tries = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    run = settings(
        max_examples=tries, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    run(given(DOCUMENTS)(check))()
    sys.stdout.write(f"{tries} documents went there and back\n")


if __name__ == "__main__":
    main()
