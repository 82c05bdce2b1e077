"""A typed query is read, printed and completed, and matches the tasks that a person means."""

import unicodedata
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import example, given, strategies as st

from tui.model.blocked_by import Blocker
from tui.model.board import Stage
from tui.model.custom_field import CustomField, FieldType, FieldValue
from tui.model.query.language import (
    NotAQuery,
    Query,
    QueryContext,
    Term,
    check,
    completions,
    offered,
    parse,
    read,
)
from tui.model.query.matching import matcher
from tui.model.query.terms import TERMS, Due, Special, TermKind
from tui.model.relations import related
from tui.model.task import Label, Person, Priority, Status, Task

NOW = datetime.fromisoformat("2026-11-25 10:30")
ANN = Person(7, "Ann Müller", "amueller")
BOB = Person(8, "Bob", "bob")
BOBBY = Person(9, "Bobby Lee")
BUG = Label(1, "bug")
BUGBEAR = Label(2, "bugbear")
LATER = Label(3, "Not now")
GREEN = Label(4, "", "#4bce97")
TODO, REVIEW = Stage(1, 1, "To do"), Stage(2, 1, "In review")
POINTS = CustomField(1, 1, "Story points", FieldType.NUMBER)
AREA = CustomField(2, 1, "Area", FieldType.SELECT, ("api", "api v2", "Web site"))
SIGNED = CustomField(3, 1, "Signed", FieldType.CHECKBOX)
NOTE = CustomField(4, 1, "due")

TASK = Task(
    12,
    board_id=1,
    stage_id=1,
    title="Fix Größe of the login form",
    description="<p>Users see <b>R&amp;D</b></p><p>and a redirect</p>",
    priority=Priority.HIGH,
    due_at=NOW - timedelta(days=2),
    labels=(BUG, LATER),
    assignees=(ANN, BOB),
    values=(FieldValue(1, "5"), FieldValue(2, "api"), FieldValue(3, "true"), FieldValue(4, "")),
)
PLAIN = Task(13, board_id=1, stage_id=2, title="12 monkeys", status=Status.CLOSED)
GREENED = replace(PLAIN, id=14, title="x", labels=(GREEN,), assignees=(BOBBY,))
ABOUT = QueryContext(
    NOW,
    ANN.id,
    (ANN, BOB, BOBBY),
    (BUG, BUGBEAR, LATER, GREEN),
    (TODO, REVIEW),
    (POINTS, AREA, SIGNED, NOTE),
    changed={12},
)


def shows(typed: str, task: Task = TASK, about: QueryContext = ABOUT) -> bool:
    """Whether a typed query matches a task."""
    return matcher(parse(typed), about)(task)


@pytest.mark.parametrize(
    "typed",
    [
        *("", "  ", "login", "LOGIN fix", "grosse", '"the login"', "#12", "#12 #99", "12"),
        *("redirect", '"see r&d and a"', "label:bug", "#bug", "label:now", 'label:"not now"'),
        *("label:not-now", "label:bug label:not", "@ann", "@mull", "@am", "@AMU", "@bob", "@me"),
        *("@ann @bob", "priority:high", "p:h", "p:low p:high", "due:late", "due:over", "due:l"),
        *("due:today due:late", "is:open", "is:o", "is:closed is:open", "stage:to", "stage:to-do"),
        *("stage:review stage:do", "changed:", "changed:yes", "-changed:no", '"Story points":5'),
        *("story-points:5.0", "story-points:1 story-points:5", "area:api", "area:any", "Area:a"),
        *("signed:yes", "signed:any", '"due":none', "-login2", "-@bobby", "-p:low -p:medium"),
        *(
            "story-points:5 area:x area:api",
            "-due:today",
            "-label:none",
            "-@none",
            "-area:none",
            '-"fix it"',
        ),
        *("fix label:bug @me p:high due:late is:open", "label:", "@", "#", "p:", "due:", "is:"),
        *("-", "area:", "due:tomorow", '""'),
    ],
)
def test_the_task_is_shown(typed: str) -> None:
    assert shows(typed)


@pytest.mark.parametrize(
    "typed",
    [
        *("logout", "login logout", '"login the"', "#13", "13", "label:ug", "#debug", "label:x"),
        *("label:bug label:x", "@carl", "@ob", "@ann @carl", "@none", "p:low", "due:today"),
        *("due:week", "due:none", "is:closed", "http://login", "fix p:low", "stage:review"),
        *("changed:no", "-changed:", "story-points:50", "story-points:none", "area:v2"),
        *(
            "story-points:5 area:web",
            "@bobb",
            "area:none",
            "signed:no",
            "signed:none",
            "nothing:any",
            "label:none",
            "strong",
            "amp",
        ),
        *("-login", "-@me", "-label:bug", "-p:high", "-due:late", "-area:api", "-#12"),
    ],
)
def test_the_task_is_hidden(typed: str) -> None:
    assert not shows(typed)


def test_a_name_that_is_called_so_comes_before_one_that_begins_so() -> None:
    bearish = replace(TASK, labels=(BUGBEAR,), assignees=(BOBBY,))
    assert shows("label:bugb", bearish)
    assert shows("label:bu", bearish)
    assert not shows("label:bug", bearish)
    assert shows("@bo", bearish)
    assert not shows("@bob", bearish)
    assert shows("area:api") > shows("area:api", replace(TASK, values=(FieldValue(2, "api v2"),)))
    assert shows("#green", GREENED)
    assert shows("@bl", GREENED), "by initials"


def test_what_has_nothing() -> None:
    for typed in ("@none", "label:none", "due:none", "area:none", "signed:no", "story-points:none"):
        assert shows(typed, PLAIN)
        assert not shows(f"-{typed}", PLAIN)
    assert not shows("area:any", PLAIN)


def test_mine_shows_nothing_while_nobody_is_known_to_be_me() -> None:
    assert not shows("@me", about=replace(ABOUT, me=None))
    assert not shows("@me", about=replace(ABOUT, me=99))


@pytest.mark.parametrize(
    ("ahead", "shown"),
    [
        (None, {Due.NONE}),
        (timedelta(hours=-1), {Due.OVERDUE, Due.TODAY}),
        (timedelta(hours=1), {Due.TODAY, Due.WEEK}),
        (timedelta(days=-1), {Due.OVERDUE}),
        (timedelta(days=4), {Due.WEEK}),  # a Sunday
        (timedelta(days=5), set()),
    ],
)
def test_due_dates_are_told_apart(ahead: timedelta | None, shown: set[Due]) -> None:
    task = replace(TASK, due_at=None if ahead is None else NOW + ahead)
    assert {due for due in Due if shows(f"due:{due}", task)} == shown
    assert not shows("due:late", replace(task, status=Status.CLOSED))


def test_a_query_is_printed_as_it_is_typed() -> None:
    typed = 'login  is:o due:late #007 p:h #bug @ann @me -stage:x changed: "Story points":5 a:none'
    printed = (
        "login is:open due:overdue #7 priority:high label:bug @ann @me -stage:x changed:yes "
        '"Story points":5 a:none'
    )
    assert parse(typed).print() == printed
    assert parse(r'"say \"hi\" \\ c:\temp" @"me" "due":x').terms == (
        Term(TermKind.WORD, 'say "hi" \\ c:\\temp'),
        Term(TermKind.PERSON, "me"),
        Term(TermKind.FIELD, "x", field="due"),
    )
    assert parse("10:30 http://x a-b").terms == tuple(
        Term(TermKind.WORD, word) for word in ("10:30", "http://x", "a-b")
    )


@pytest.mark.parametrize(
    ("typed", "why", "carets"),
    [
        ("x due:tomorow y", "due: must be one of overdue, today, week, none", "  ^^^^^^^^^^^"),
        ("label:", "label: needs a value", "^^^^^^"),
        ("日本 p:urgent", "priority: must be one of high, medium, low", "     ^^^^^^^^"),
        ("-is:late", "is: must be one of open, closed, template, blocked", "^^^^^^^^"),
        ("changed:x", "changed: must be one of yes, no", "^^^^^^^^^"),
        ('a "b c', "unmatched quote", "  ^^^^"),
        ("label:foo", "no label “foo”", "^^^^^^^^^"),
        ("-#foo", "no label “foo”", "^^^^^"),
        ("@carl", "no member “carl”", "^^^^^"),
        ("stage:x", "no stage “x”", "^^^^^^^"),
        ("lable:bug", "no custom field “lable”: quote it to search text", "^^^^^^^^^"),
        ("-", "- needs a term", "^"),
        ("\x1b[2J:x", "no custom field", ""),
    ],
)
def test_a_query_that_is_not_understood_is_marked(typed: str, why: str, carets: str) -> None:
    if not carets:
        assert "\x1b" not in str(read(f"a{typed}", ABOUT).problems)
        return
    with pytest.raises(NotAQuery) as caught:
        check(typed, ABOUT)
    assert str(caught.value) == f"{why}\n{typed}\n{carets}"
    with_me = replace(ABOUT, me=None)
    assert [one.why for one in read("@me", with_me).problems] == [
        "you are not a member of this board"
    ]
    assert read("label:foo @x zzz:1", QueryContext(NOW)).problems == ()


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("la", ("label:",)),
        ("-st", ("-stage:", '-"Story points":')),
        ("a", ("Area:",)),
        ("x", ()),
        ("", ()),
        ("label:b", ("label:bug", "label:bugbear")),
        ("#no", ("label:none", 'label:"Not now"')),
        ("-#gr", ("-label:green",)),
        ("@m", ("@me", "@amueller")),
        ("@", ("@me", "@none", "@amueller", "@bob", '@"Bobby Lee"')),
        ("due:", ("due:overdue", "due:today", "due:week", "due:none")),
        ("p:", ("priority:high", "priority:medium", "priority:low")),
        ("stage:rev", ('stage:"In review"',)),
        ("area:v", ('Area:"api v2"',)),
        ("signed:", ("Signed:yes", "Signed:no")),
        ('"story p', ()),
        ('"Story points":', ('"Story points":any', '"Story points":none')),
        ("nothing:", ()),
    ],
)
def test_terms_are_completed(word: str, found: tuple[str, ...]) -> None:
    assert completions(word, ABOUT) == found
    for one in found:
        if not one.endswith(":"):
            assert not read(one, ABOUT).problems


NAMES = (
    st.sampled_from(["bug", "Not now", "ann", "me", "none", "any", "5", "api", "-", "x:y", "//x"])
    | st.text(min_size=1, max_size=4)
    | st.text('"\\ :#@-a', min_size=1, max_size=5)
)


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """Any query."""

    def term() -> Term:
        kind = draw(st.sampled_from(TermKind))
        values: st.SearchStrategy[str | Special] = NAMES
        form = TERMS[kind]
        if form.choices:
            values = st.sampled_from(form.values)
        elif kind in (TermKind.BLOCKED, TermKind.BLOCKS):
            numbers = st.integers(0, 10**18).map("#{}".format)
            values = numbers | st.sampled_from(form.specials)
        elif kind is TermKind.NUMBER:
            values = st.integers(0, 10**18).map(str) | st.sampled_from(["12", "13"])
        elif form.specials:
            values = NAMES | st.sampled_from(form.specials)
        titles = NAMES | st.sampled_from(["Story points", "area", "Signed", "due"])
        field = draw(titles) if kind is TermKind.FIELD else ""
        return Term(kind, draw(values), draw(st.booleans()), field)

    return Query(tuple(term() for _ in range(draw(st.integers(0, 4)))))


@pytest.mark.parametrize("kind", TermKind)
def test_examples_in_the_help_are_terms_of_their_kind(kind: TermKind) -> None:
    form = TERMS[kind]
    assert form.examples or form.choices, f"give {kind!r} examples in tui/model/query/terms.py"
    typed = [*form.examples, *(f"{key}:{word}" for key in form.keys for word in form.choices)]
    for word in typed:
        query, problems = read(word)
        assert not problems
        assert [term.kind for term in query.terms] == [kind]


@given(st.data())
def test_what_is_offered_is_accepted_and_means_what_is_called_so(data: st.DataObject) -> None:
    first, second = data.draw(NAMES), data.draw(NAMES)
    people = (Person(1, first, second), Person(2, first, ""), Person(3, second, first))
    area = CustomField(1, 1, first, FieldType.SELECT, (first, second))
    labels, stages = (Label(1, first), Label(2, "", "#4bce97")), (Stage(1, 1, second),)
    about = QueryContext(NOW, 1, people, labels, stages, (area,))
    for kind in TermKind:
        for term in offered(kind, about, first):
            assert read(term.print(), about) == (Query((term,)), ())


@example(Query((Term(TermKind.FIELD, "5", field="due"), Term(TermKind.FIELD, "//x", field="http"))))
@example(
    Query(
        (
            Term(TermKind.PERSON, "me"),
            Term(TermKind.LABEL, "none"),
            Term(TermKind.FIELD, "any", field="-"),
        )
    )
)
@example(Query((Term(TermKind.WORD, "-@x:", is_not=True), Term(TermKind.PERSON, 'x:"y\\'))))
@given(queries())
def test_every_query_is_read_as_it_was_printed(query: Query) -> None:
    assert parse(query.print()) == query
    assert not read(query.print()).problems


def test_terms_are_replaced_at_the_end_of_a_query() -> None:
    query = parse("label:bug x -@me label:api")
    mine, bug = Term(TermKind.PERSON, Special.ME), Term(TermKind.LABEL, "bug")
    assert query.having(query.of(TermKind.LABEL), (bug,)).print() == "label:bug x -@me"
    assert query.having((), (mine,)).print() == "label:bug x label:api @me"
    assert query.having((bug,), ()).print() == "x -@me label:api"


TYPED = st.lists(
    st.sampled_from(
        [
            *("label:", "bug", "@", "me", "#", "1", " ", '"', "due:", "late", "is:", "p:h", "-"),
            *("ö", "login", "٣", "²", "\\", ":", "area:", "\x85"),
        ]
    )
    | st.text(max_size=3)
).map("".join)


def test_cards_are_found_by_what_blocks_them_and_what_they_block() -> None:
    first, second, third = TASK, replace(TASK, id=13), replace(TASK, id=14)
    second = replace(second, blockers=(Blocker(12), Blocker(99)))
    third = replace(third, blockers=(Blocker(13),), status=Status.CLOSED)
    labelled = replace(PLAIN, status=Status.OPEN, id=15, labels=(Label(9, "Blocked"),))
    cards = (first, second, third, labelled)
    about = replace(ABOUT, relations=related(cards))

    def found(typed: str) -> list[int]:
        assert parse(parse(typed).print()) == parse(typed)
        return [card.id for card in cards if shows(typed, card, about)]

    assert found("is:blocked") == [13, 15]
    assert found("is:blocked is:open -@none") == [13]
    assert found("-is:blocked") == [12, 14]
    assert found("blocked:#12") == found("blocked:any") == found("blocked:12") == [13]
    assert found("blocked:#99") == []
    assert found("blocks:any") == found("blocks:#13") == [12]
    assert found("blocks:#14") == found("blocks:#77") == []
    assert found("blocked:none") == [12, 14, 15]
    (problem,) = read("blocked:login").problems
    assert problem.why == "blocked: must be the number of a card such as #12, any or none"
    assert completions("blocked:a", ABOUT) == ("blocked:any",)


@given(TYPED)
def test_anything_can_be_typed(typed: str) -> None:
    query, problems = read(typed, ABOUT)
    assert parse(query.print()) == query
    assert all(0 <= one.start < one.end <= len(typed) for one in problems)
    assert parse(typed) == parse(parse(typed).print())
    for word in typed.split():
        assert all(one.strip() for one in completions(word, ABOUT))
    matcher(query, ABOUT)(TASK)


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    """A task with anything that a query asks for."""
    values: dict[int, str | bool] = draw(
        st.fixed_dictionaries(
            {},
            optional={
                1: st.sampled_from(["5", "5.0", "50", "none", ""]),
                2: st.sampled_from(["api", "api v2", "Web site", ""]),
                3: st.sampled_from([True, False, "true", "false"]),
                4: st.sampled_from(["x:y", "any", ""]),
            },
        )
    )
    return Task(
        draw(st.sampled_from([5, 12, 13])),
        board_id=1,
        stage_id=draw(st.sampled_from([1, 2])),
        title=draw(st.sampled_from(["Fix Größe", "bug 5", "any", "x:y -"]) | st.text(max_size=5)),
        description=draw(
            st.sampled_from(["", "<p>Not</p><p>now</p>", "5&amp;6", "<a href='bug'>"])
        ),
        status=draw(st.sampled_from(Status)),
        is_template=draw(st.booleans()),
        priority=draw(st.sampled_from(Priority)),
        due_at=draw(
            st.none()
            | st.integers(-3, 9).map(lambda days: NOW + timedelta(days=days, hours=days - 2))
        ),
        labels=tuple(draw(st.sets(st.sampled_from([BUG, BUGBEAR, LATER, GREEN]), max_size=3))),
        assignees=tuple(draw(st.sets(st.sampled_from([ANN, BOB, BOBBY]), max_size=2))),
        values=tuple(FieldValue(key, value) for key, value in sorted(values.items())),
    )


def plainly(query: Query, task: Task) -> bool:
    """Whether the task is what the query asks for: as one would explain it."""
    for term in query.terms:
        if term.is_not and has(term, task):
            return False
    wanted = [term for term in query.terms if not term.is_not]
    several = TermKind.WORD, TermKind.LABEL, TermKind.PERSON, TermKind.BLOCKED, TermKind.BLOCKS
    for kind in TermKind:
        terms = [term for term in wanted if term.kind is kind]
        if kind in several or any(term.value == "blocked" for term in terms):
            alone = [term for term in terms if kind in several or term.value == "blocked"]
            if not all(has(term, task) for term in alone):
                return False
            terms = [term for term in terms if term not in alone]
        for field in {folded(term.field) for term in terms}:
            if not any(has(term, task) for term in terms if folded(term.field) == field):
                return False
    return True


def has(term: Term, task: Task) -> bool:  # noqa: C901, PLR0911, PLR0912  one case after another
    """Whether the task has what a term says."""
    value = term.value
    wanted = "" if isinstance(value, Special) else value
    match term.kind:
        case TermKind.WORD:
            texts = {"": "", "<p>Not</p><p>now</p>": "not now", "5&amp;6": "5&6"}
            described = texts.get(task.description, "")
            word = folded(wanted)
            return word in folded(task.title) or word in described or word == str(task.id)
        case TermKind.NUMBER:
            return wanted == str(task.id)
        case TermKind.STATUS:
            kinds = {
                "open": task.status is Status.OPEN and not task.is_template,
                "closed": task.status is Status.CLOSED,
                "template": task.is_template,
                "blocked": False,
            }
            return kinds[wanted]
        case TermKind.BLOCKED | TermKind.BLOCKS:
            return value is Special.NONE
        case TermKind.PRIORITY:
            return wanted == task.priority
        case TermKind.CHANGED:
            return (task.id == 12) == (wanted == "yes")
        case TermKind.STAGE:
            return task.stage_id in {
                stage.id
                for stage in (TODO, REVIEW)
                if called(wanted, stage.title, ["To do", "In review"])
            }
        case TermKind.DUE:
            if task.due_at is None or wanted == "none":
                return task.due_at is None and wanted == "none"
            if wanted == "overdue":
                return task.due_at < NOW and task.status is Status.OPEN
            if wanted == "week":  # what is still to come of it
                return NOW <= task.due_at < datetime.fromisoformat("2026-11-30")
            return task.due_at.date() == NOW.date()
        case TermKind.LABEL:
            if value is Special.NONE:
                return not task.labels
            names = ["bug", "bugbear", "not now", "green"]
            return any(called(wanted, label.title or "green", names) for label in task.labels)
        case TermKind.PERSON:
            if value is Special.NONE:
                return not task.assignees
            if value is Special.ME:
                return ANN in task.assignees
            return any(is_called(wanted, person) for person in task.assignees)
    assert term.kind is TermKind.FIELD, f"say here which tasks {term.kind!r} finds"
    return has_field(term, task)


def is_called(wanted: str, person: Person) -> bool:
    """Whether a person is called so."""
    names = [name for one in (ANN, BOB, BOBBY) for name in (one.login, one.name) if name]
    initials = {7: "am", 8: "bo", 9: "bl"}
    own = [name for name in (person.login, person.name) if name]
    return folded(wanted) == initials[person.id] or any(called(wanted, one, names) for one in own)


def has_field(term: Term, task: Task) -> bool:
    """Whether the task has the value of a custom field."""
    all_fields = (POINTS, AREA, SIGNED, NOTE)
    titles = [field.title for field in all_fields]
    fields = [field for field in all_fields if called(term.field, field.title, titles)]
    wanted = "" if isinstance(term.value, Special) else folded(term.value)
    of_boxes = all(field.type is FieldType.CHECKBOX for field in fields)
    is_any = term.value is Special.ANY or (wanted in ("yes", "true", "1") and of_boxes)
    is_none = term.value is Special.NONE or (of_boxes and not is_any)
    found = []
    for field in fields:
        for one in task.values:
            if one.field_id != field.id:
                continue
            text = folded(str(one.value))
            if is_any or is_none:
                found.append(text == "true" if field is SIGNED else text != "")
            elif field is POINTS and number(wanted) is not None:
                found.append(number(text) == number(wanted))
            elif field is AREA and wanted in ("api", "api v2", "web site"):
                found.append(text == wanted)
            elif field is SIGNED:
                said = {"True": "yes", "False": "no"}.get(str(one.value), str(one.value))
                found.append(wanted in said)
            else:
                found.append(wanted in text)
    return any(found) != is_none


def called(wanted: str, name: str, names: list[str]) -> bool:
    """Whether a name is meant: the whole, or if nothing is called so the start of a word."""
    if spaced(wanted) in [spaced(one) for one in names]:
        return spaced(wanted) == spaced(name)
    return f" {spaced(wanted)}" in f" {spaced(name)}"


def spaced(name: str) -> str:
    """A name without case, accents and signs between words."""
    return " ".join(folded(name).replace("-", " ").replace("_", " ").split()) or folded(name)


def folded(text: str) -> str:
    """A text without case and accents."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(one for one in letters if not "\u0300" <= one < "\u0370")
    return text.lower() if text.isascii() else plain.casefold()


def number(text: str) -> float | None:
    """The number that a text is."""
    try:
        return float(text)
    except ValueError:
        return None


@example(
    Query((Term(TermKind.DUE, "week"),)),
    Task(5, 1, 1, "Fix", due_at=datetime.fromisoformat("2026-11-25 08:30")),
)
@given(queries(), tasks())
def test_every_query_is_a_plain_predicate(query: Query, task: Task) -> None:
    assert matcher(query, ABOUT)(task) == plainly(query, task)


@given(TYPED.map(lambda typed: typed.replace('"', "")), st.sampled_from(["x", "login", "@bob"]))
def test_another_word_never_shows_more(typed: str, word: str) -> None:
    for task in (TASK, PLAIN):
        if shows(f"{typed} {word}", task):
            assert shows(typed, task)
