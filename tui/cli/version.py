"""Which version of the program this is; apart, because looking it up takes time."""

from importlib.metadata import PackageNotFoundError, version


def installed_version() -> str:
    """The version that is installed."""
    try:
        return version("callboard")
    except PackageNotFoundError:
        return "(not installed)"
