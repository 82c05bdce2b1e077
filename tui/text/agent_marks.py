"""The marks of agents that survive on every service: titles of labels, and lines of comments.

The label `◇ codex` says which agent has a card. The comment `◇ codex: tests green` is that agent's
progress: its text is replaced, and it begins as `◇ codex: claimed`. On a service without a request
for claims it is `◇ codex: claiming` at first, and without an agent `◇ claiming`.
"""

import re

SIGN = "◇"
CLAIMING, CLAIMED = "claiming", "claimed"
LONGEST_NAME = 24
_LONGEST_ORIGIN = 20
_MARK = re.compile(rf"{SIGN}\s*(?:([^:\n]{{1,60}}):)?\s*(.*)", re.DOTALL)


def label_title(agent: str) -> str:
    """The title of the label of an agent."""
    return f"{SIGN} {agent}"


def agent_of(title: str) -> str:
    """The agent that a label stands for; empty for other labels."""
    return title.removeprefix(SIGN).strip() if title.startswith(SIGN) else ""


def origin_of(agent: str) -> str:
    """The name of an agent as its changes are marked with it: in letters, digits and dashes.

    Empty without a name.
    """
    name = re.sub(r"[^a-z0-9]+", "-", agent.lower()).lstrip("-0123456789")
    return name[:_LONGEST_ORIGIN].strip("-") or ("agent" if agent else "")


def progress_comment(agent: str, text: str) -> str:
    """The comment in which an agent says how far it is."""
    return f"{SIGN} {agent}: {text}" if agent else f"{SIGN} {text}"


def progress_in(comment: str) -> tuple[str, str] | None:
    """The agent, and what it says, of a comment that is such a mark; None for other comments."""
    mark = _MARK.match(comment.strip())
    return None if mark is None else ((mark[1] or "").strip(), mark[2].strip())


def is_claiming(comment: str) -> bool:
    """Whether a comment says that its author is just claiming the card."""
    mark = progress_in(comment)
    return mark is not None and mark[1] == CLAIMING
