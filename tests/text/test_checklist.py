"""Pasted lines are things to do."""

from hypothesis import given, strategies as st

from tui.text.checklist import ChecklistLine, checklist


def test_every_line_with_words_is_something_to_do() -> None:
    text = "Plan\n\n- [ ] open\n  * [X] done\r\n3. third\n[x] bare\n☑ ticked\n- -5 °C\n"
    text += "- [ ]\n•\tdot\x1b[1m"
    assert checklist(text) == [
        ChecklistLine("Plan", is_done=False),
        ChecklistLine("open", is_done=False),
        ChecklistLine("done", is_done=True),
        ChecklistLine("third", is_done=False),
        ChecklistLine("bare", is_done=True),
        ChecklistLine("ticked", is_done=True),
        ChecklistLine("-5 °C", is_done=False),
        ChecklistLine("dot", is_done=False),
    ]


@given(st.lists(st.from_regex(r"[a-z]+( [a-z]+)?", fullmatch=True), max_size=5), st.booleans())
def test_titles_are_what_was_typed(titles: list[str], is_done: bool) -> None:
    sign = "- [x] " if is_done else ""
    typed = "\n".join(f"{sign}{title}" for title in titles)
    assert checklist(typed) == [ChecklistLine(title, is_done) for title in titles]
