"""Words for what is counted, as records and refusals need them."""


def counted(count: int, thing: str) -> str:
    """A number of things: “1 subtask”, “3 subtasks”."""
    return f"{count} {thing}{'' if count == 1 else 's'}"
