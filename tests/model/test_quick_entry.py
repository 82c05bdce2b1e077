"""What a title with marks at its end means, and how a title is typed that has none."""

from datetime import datetime

import pytest
from hypothesis import given, strategies as st

from tui.model.quick_entry import Known, QuickEntry, completions, escaped, parse
from tui.model.task import Label, Person, Priority

NOW = datetime.fromisoformat("2026-11-20 09:00")
BUG = Label(1, "bug")
BUILD = Label(2, "build")
REVIEW = Label(3, "Needs review")
PURPLE = Label(4, "", "#9f8fef")
ANN = Person(1, "Ann Keller", "ann")
MIRA = Person(2, "Mira Novák", "mira")
NO_LOGIN = Person(3, "Jon Reyes")
KNOWN = Known((BUG, BUILD, REVIEW, PURPLE), (ANN, MIRA, NO_LOGIN), MIRA, NOW)
FRIDAY = datetime.fromisoformat("2026-11-27 17:00")

EVERYTHING = QuickEntry("Fix login", (BUG, REVIEW), (ANN, MIRA), Priority.HIGH, FRIDAY)


def meant(typed: str) -> QuickEntry:
    """What is typed means."""
    return parse(typed, KNOWN)


@pytest.mark.parametrize(
    "typed",
    [
        "Fix login #bug #needs-review @ann @mira !high ^fri",
        "  Fix   login ^fri !h @Keller @me #BUG #review ",
        "Fix login #bug @ann #needs_re !hi @novak ^2026-11-27",
        "Fix login #bug #bug #review @ann @ann @mira !high !h ^fri ^27_nov_17:00",
    ],
)
def test_marks_are_understood_in_any_order(typed: str) -> None:
    assert meant(typed) == EVERYTHING


@pytest.mark.parametrize(
    ("mark", "expected"),
    [
        ("#purple", QuickEntry("x", (PURPLE,))),
        ("#bug", QuickEntry("x", (BUG,))),
        ("#bui", QuickEntry("x", (BUILD,))),
        ("@jon-reyes", QuickEntry("x", (), (NO_LOGIN,))),
        ("@reyes", QuickEntry("x", (), (NO_LOGIN,))),
        ("!low", QuickEntry("x", priority=Priority.LOW)),
        ("^tomorrow", QuickEntry("x", due_at=datetime.fromisoformat("2026-11-21 17:00"))),
        ("^+3d", QuickEntry("x", due_at=datetime.fromisoformat("2026-11-23 17:00"))),
        ("^fri_9:30", QuickEntry("x", due_at=datetime.fromisoformat("2026-11-27 09:30"))),
    ],
)
def test_each_mark(mark: str, expected: QuickEntry) -> None:
    assert meant(f"x {mark}") == expected


@pytest.mark.parametrize(
    ("typed", "title", "problem"),
    [
        ("Fix #!", "Fix #!", "no label “!”"),
        ("Fix #bu", "Fix #bu", "“bu” could be “bug” or “build”"),
        ("Fix @eve", "Fix @eve", "no member “eve”"),
        ("Fix !important", "Fix !important", "no priority “important”"),
        ("Fix ^soon", "Fix ^soon", "no date “soon”"),
        ("Fix !high !low", "Fix !low", "only one priority"),
        ("Fix ^fri ^mon", "Fix ^mon", "only one date"),
        ("Fix @a\x1b[31mb\u202e", "Fix @a\x1b[31mb\u202e", "no member “ab”"),
    ],
)
def test_what_is_not_understood_stays_in_the_title_and_is_said(
    typed: str, title: str, problem: str
) -> None:
    entry = meant(typed)
    assert entry.title == title
    assert entry.problems == (problem,)
    assert entry.wrong == (title.removeprefix("Fix "),)
    assert entry.note == f"{problem}: kept as text"


@pytest.mark.parametrize(
    ("mark", "labels", "new"),
    [
        ("#foo", (), ("foo",)),
        ("#needs_work", (), ("needs work",)),
        ("#a\x1b[31mb\u202e", (), ("ab",)),
        ("#2fa", (), ("2fa",)),
        ("#42+", (), ("42",)),
        ("#foo+", (), ("foo",)),
        ("#needs_work+", (), ("needs work",)),
        ("#bu+", (), ("bu",)),
        ("#bug+", (BUG,), ()),
        ("#BUG+", (BUG,), ()),
        ("#needs-review+", (REVIEW,), ()),
        ("#purple+", (PURPLE,), ()),
        ("#c+++", (), ("c++",)),
        ("#foo+ #Foo #bar", (), ("foo", "bar")),
    ],
)
def test_a_label_that_the_board_lacks_is_created(
    mark: str, labels: tuple[Label, ...], new: tuple[str, ...]
) -> None:
    assert meant(f"x {mark}") == QuickEntry("x", labels, new_labels=new)


@pytest.mark.parametrize("mark", ["#+", "#_+", "#\x1b+"])
def test_a_new_label_needs_a_name(mark: str) -> None:
    entry = meant(f"x {mark}")
    assert (entry.title, entry.new_labels) == (f"x {mark}", ())


def test_a_mark_beside_one_that_is_not_understood_counts() -> None:
    assert meant("Fix #bug @eve @ann") == QuickEntry(
        "Fix @eve", (BUG,), (ANN,), problems=("no member “eve”",), wrong=("@eve",)
    )


def test_a_number_refers_to_something_and_is_no_new_label() -> None:
    assert meant("Follow up #42 #bug") == QuickEntry("Follow up #42", (BUG,))


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        (r"Fix \#42", "Fix #42"),
        (r"Fix \#bug \!high", "Fix #bug !high"),
        (r"See \#42 for more", "See #42 for more"),
        (r"\@ann", "@ann"),
        (r"Fix \\#bug", r"Fix \#bug"),
        ("#bug", "#bug"),
        ("@ann asks #bug for help", "@ann asks #bug for help"),
        ("What ! now @ 5 # ^", "What ! now @ 5 # ^"),
        ("Wow !!! ^^ ^_^ a@b.c", "Wow !!! ^^ ^_^ a@b.c"),
        (r"C:\temp \n \ ", r"C:\temp \n \ ".strip()),
        ("", ""),
    ],
)
def test_what_is_no_mark_is_the_title(typed: str, title: str) -> None:
    entry = meant(typed)
    assert (entry.labels, entry.people, entry.priority, entry.due_at) == ((), (), None, None)
    assert entry.title == title


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("#", ("#bug", "#build", "#Needs-review", "#purple")),
        ("#bu", ("#bug", "#build")),
        ("#rev", ("#Needs-review",)),
        ("@", ("@mira", "@ann", "@Jon-Reyes")),
        ("@kel", ("@ann",)),
        ("!", ("!high", "!medium", "!low")),
        ("^t", ("^today", "^tomorrow", "^tuesday", "^thursday")),
        ("#zzz", ()),
        ("#bgu", ("#bug",)),
        ("@Mria", ("@mira",)),
        ("@zzz", ()),
        ("bug", ()),
        ("", ()),
    ],
)
def test_words_are_completed_the_best_first(word: str, expected: tuple[str, ...]) -> None:
    assert completions(word, KNOWN) == expected


AWKWARD = st.text() | st.text(alphabet="\\#@!^ab- _\x1b\x00\u202e\u0301", max_size=30)


@given(AWKWARD)
def test_no_text_is_too_strange(typed: str) -> None:
    entry = meant(typed)
    assert bool(entry.title) == bool(typed.split())
    words = "".join((*entry.problems, *entry.new_labels))
    assert not any(ord(each) < 32 or 127 <= ord(each) < 160 for each in words)
    for word in typed.split():
        for completed in completions(word, KNOWN):
            assert meant(f"x {completed}").title == "x"


@given(st.lists(st.text(alphabet="ab.:\\-_é", min_size=1), min_size=1))
def test_a_title_without_marks_stays_as_typed(words: list[str]) -> None:
    assert meant(" ".join(words)) == QuickEntry(" ".join(words))


ENTRIES = st.builds(
    QuickEntry,
    title=AWKWARD.map(lambda text: " ".join(text.split())).filter(bool),
    labels=st.lists(st.sampled_from(KNOWN.labels), unique=True).map(tuple),
    people=st.lists(st.sampled_from(KNOWN.people), unique=True).map(tuple),
    priority=st.none() | st.sampled_from(Priority),
    due_at=st.none() | st.just(FRIDAY),
)


@given(ENTRIES)
def test_what_is_typed_for_an_entry_means_that_entry(entry: QuickEntry) -> None:
    names = {
        BUG: "#bug", BUILD: "#build", REVIEW: "#Needs-review", PURPLE: "#purple",
        ANN: "@ann", MIRA: "@mira", NO_LOGIN: "@Jon-Reyes",
    }  # fmt: skip
    marks = [names[one] for one in (*entry.labels, *entry.people)]
    marks += [f"!{entry.priority}"] if entry.priority else []
    marks += ["^fri"] if entry.due_at else []
    assert meant(" ".join((escaped(entry.title), *marks))) == entry
