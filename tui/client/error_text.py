"""What a service said in an error, as one line that can be shown to people.

The rule it keeps: no tags, entities, control characters, SQL, class names or file paths; if
nothing is left that a person could use, the line is empty and the caller uses its own words.
"""

import re

from tui.text import clean
from tui.text.html.entities import unescaped

_LONGEST_LINE = 200
_LONGEST_READ = 2_000
_UNSEEN = re.compile(
    r"<(script|style|head)\b.*?(?:</\1\s*>|$)|<!--.*?(?:-->|$)", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(r"</?[a-zA-Z!?][^<>]*>")
_MODEL = re.compile(r"No query results for model \[(?:[^\]]*\\)?(\w+)\]\s*(\S*)")
_TECHNICAL = re.compile(
    r"SQLSTATE|\(SQL:"
    r"|\b(?:select|insert into|update|delete from)\s+[`'\"(*\w].*\b(?:from|set|values|where)\b"
    r"|\b(?:unknown )?column ['`\"]|\bduplicate entry\b|\bconstraint\b"
    r"|\w+\\\w+|::\w+\(|\bcalled in\b|\bArgument #\d|\bStack trace\b|\bon line \d",
    re.IGNORECASE | re.DOTALL,
)
_PATH = re.compile(r"(?<![\w:/.])(?:/[\w.@+-]+){2,}/?|\b[A-Za-z]:\\\S*")
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SENTENCE_END = re.compile(r".*[.:;!?](?=\s|$)", re.DOTALL)
_BLANKS = re.compile(r"\s+")


def plain_line(raw: str) -> str:
    """What `raw` says, as one clean line of at most 200 characters; empty if nothing is left."""
    model = _MODEL.search(raw)
    if model:
        raw = f"There is no {_WORDS.sub(' ', model[1]).lower()} {model[2]}".rstrip() + "."
    visible = _TAG.sub(" ", _UNSEEN.sub(" ", raw[:_LONGEST_READ]))
    line = clean.line(unescaped(visible))
    technical = _TECHNICAL.search(line)
    if technical:
        sentence = _SENTENCE_END.match(line[: technical.start()])
        line = sentence[0] if sentence else ""
    line = _BLANKS.sub(" ", _PATH.sub("…", line)).strip(" :;,-(")
    if len(line) > _LONGEST_LINE:
        line = line[: _LONGEST_LINE - 1].rstrip() + "…"
    return line if any(sign.isalnum() for sign in line) else ""
