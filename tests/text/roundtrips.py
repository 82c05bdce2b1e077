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
    harmful = _HARMFUL.search(markdown + back)
    assert not harmful, f"{harmful} came through from {source!r}"
    acting = _ACTS.search(back)
    assert not acting, f"{acting} would act, from {source!r}"
    _expect(readable(back), readable(source), "read after going there and back", source)
    _expect(to_markdown(back), markdown, "as Markdown a second time", source)
    same = edited_html(source, markdown, markdown + "\n")
    _expect(same, source, "as HTML after no edit", source)
    longer = edited_html(source, markdown, markdown + "\n\nlast words")
    _expect(readable(longer), readable(source) + "lastwords", "read after an edit", source)


def _expect(actual: str, expected: str, what: str, source: str) -> None:
    assert actual == expected, f"{what}, {actual!r} is not {expected!r}, from {source!r}"


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
