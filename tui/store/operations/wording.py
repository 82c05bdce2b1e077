"""The words operations share: titles between typographic quotes, never longer than a glance."""

_LONGEST = 40


def quoted(title: str) -> str:
    """A title in quotes, shortened at its end; “(no title)” where there is none."""
    title = title.strip()
    if not title:
        return "“(no title)”"
    if len(title) > _LONGEST:
        title = title[: _LONGEST - 1].rstrip() + "…"
    return f"“{title}”"
