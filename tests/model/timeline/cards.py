"""Cards with any dates, and scales, for property tests."""

from datetime import date, datetime, timedelta

from hypothesis import strategies as st

from tests.fakes.boards import NOW, task
from tui.model.task import Status, Task
from tui.model.timeline.scale import Scale, Zoom

TIMES = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31))  # noqa: DTZ001  as dates are
DAYS = st.dates(date(2026, 1, 1), date(2027, 12, 31))
SCALES = st.builds(Scale, DAYS, st.sampled_from(Zoom), st.integers(0, 160), is_narrow=st.booleans())


@st.composite
def cards(draw: st.DrawFn) -> Task:
    """A card that may have dates, near today so that they meet on a timeline."""
    near = st.none() | st.integers(-900, 900).map(lambda hours: NOW + timedelta(hours=hours))
    return task(
        draw(st.integers(1, 9999)),
        draw(st.text(max_size=30)),
        started_at=draw(near),
        due_at=draw(near),
        status=draw(st.sampled_from(Status)),
        is_template=draw(st.integers(0, 5)) == 0,
    )
