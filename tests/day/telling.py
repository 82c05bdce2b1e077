"""What a failed test of a day adds to its report: the program in front of the person."""

from collections.abc import Generator
from contextvars import copy_context

import pytest
from textual._context import active_app

from tests.day.world import Day


def shown_by(day: Day) -> str:
    """What the program of a day shows, drawn outside its task."""

    def shows() -> str:
        active_app.set(day.app)
        return day.shows()

    return copy_context().run(shows)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add it to the report of a test that fails; its program is still open then."""
    report = yield
    day = getattr(item, "funcargs", {}).get("day")
    if report.failed and call.when == "call" and isinstance(day, Day):
        report.sections.append(("The program", shown_by(day)))
    return report
