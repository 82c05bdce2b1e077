"""Random sheets, as they are after `tidied`."""

from datetime import datetime

from hypothesis import strategies as st

from tui.model.task import Priority
from tui.transfer.sheet import Sheet, SheetCard, SheetStage, SheetSubtask, tidied

_SIGNS = "#@[]{}()<>^\\*_`|~:;,.!?-+='\"%&/ \t\n📅⏫🔼0123456789abxXyz"
TEXTS = st.text(st.sampled_from(_SIGNS) | st.characters(), max_size=24)
MARKED = st.sampled_from(
    [
        *(
            "#bug",
            "Fix #12",
            "# one",
            "a @{2026-12-01}",
            "[priority:: high]",
            "(due:: fri)",
            "^abcd",
        ),
        *("[x] done", "- item", "> quote", "A (3)", "C #", "1. one", "=SUM(A1)", "'=x", "a; b"),
        *(
            "**Complete**",
            "***",
            "---",
            "%% kanban:settings",
            "a<br>b",
            "Group:",
            "\\#x",
            "📅 2026-12-01",
        ),
        *("```", "@ 2026-12-01", "Archive", "two  words", "a, b", "trailing\\"),
    ]
)
_TITLES = TEXTS | MARKED
_LINES = st.lists(_TITLES, max_size=4).map("\n".join)
_TIMES = st.none() | st.datetimes(datetime(1970, 1, 2), datetime(2037, 12, 30)).map(  # noqa: DTZ001
    lambda at: at.replace(second=0, microsecond=0, fold=0)
)
_SUBTASKS = st.builds(SheetSubtask, _TITLES, st.booleans(), st.just("") | _TITLES)


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    """A board whose cards are stage by stage, as an export has them, without comments."""
    stages = draw(st.lists(st.builds(SheetStage, _TITLES, st.booleans()), max_size=3))
    sheet = tidied(Sheet("x", stages=tuple(stages)))
    titles = [stage.title for stage in sheet.stages]
    cards = [
        SheetCard(
            draw(_TITLES),
            key=f"card-{number + 1}",
            stage=draw(st.sampled_from(titles)),
            description=draw(_LINES),
            labels=tuple(draw(st.lists(_TITLES, max_size=2))),
            people=tuple((name,) for name in draw(st.lists(_TITLES, max_size=2))),
            due_at=draw(_TIMES),
            started_at=draw(_TIMES),
            priority=draw(st.sampled_from(Priority)),
            subtasks=tuple(draw(st.lists(_SUBTASKS, max_size=3))),
            is_done=draw(st.booleans()),
            is_archived=draw(st.booleans()),
            is_template=draw(st.booleans()),
        )
        for number in range(draw(st.integers(0, 3)) if titles else 0)
    ]
    cards.sort(key=lambda card: (card.is_archived, titles.index(card.stage)))
    drawn = Sheet(draw(_TITLES), stages=sheet.stages, cards=tuple(cards))
    # Cards without a title are left out, and counted.
    tidy = tidied(drawn)
    return Sheet(tidy.title, stages=tidy.stages, cards=tidy.cards)
