"""A keyring in memory."""

PASSWORD = "xyzzy plugh"
"""What a keyring should keep: it is in the errors of one that is locked, which nobody may see."""


class FakeKeyring:
    """A keyring in memory, which may be locked."""

    def __init__(self, *, is_locked: bool = False) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.is_locked = is_locked

    def get_password(self, service_name: str, username: str) -> str | None:
        self._open()
        return self.kept.get((service_name, username))

    def set_password(self, service_name: str, username: str, password: str) -> None:
        self._open()
        self.kept[service_name, username] = password

    def delete_password(self, service_name: str, username: str) -> None:
        self._open()
        del self.kept[service_name, username]

    def _open(self) -> None:
        if self.is_locked:
            raise RuntimeError(f"locked; {PASSWORD}")
