"""Names of pictures from services become harmless names of files."""

from hypothesis import given, strategies as st

from tui.model.picture_names import file_name, free_name


@given(st.text(), st.sampled_from(["", "image/png", "image/jpeg", "text/html"]))
def test_a_file_name_stays_in_its_folder(title: str, content_type: str) -> None:
    name = file_name(title, content_type)
    assert name
    assert len(name) <= 105
    assert not name.startswith((".", "-/"))
    assert not set(name) & set("/\\\0\n\r\t\x1b\x9b:*?\"'<>|`$;&~")
    assert name.isprintable()


def test_a_file_name_is_the_title_as_far_as_can_be() -> None:
    assert file_name("Größe 漢字.png") == "Größe 漢字.png"
    assert file_name("../../etc/passwd", "image/png") == "_.._etc_passwd.png"
    assert file_name("shot.PNG", "image/jpeg") == "shot.PNG"
    assert file_name("report.html", "image/png") == "report.html.png"
    assert file_name("", "image/gif") == "picture.gif"
    assert file_name("...") == "picture"


def test_a_free_name_is_taken_by_nothing() -> None:
    taken = {"a.png", "a (2).png"}
    assert free_name("a.png", taken.__contains__) == "a (3).png"
    assert free_name("b.png", taken.__contains__) == "b.png"
