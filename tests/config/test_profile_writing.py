"""Writing a profile into the settings file changes nothing else there."""

from pathlib import Path

import pytest
from hypothesis import example, given, strategies as st

from tui.config.profiles import EMBEDDED, Profile, is_profile_name
from tui.config.settings import Settings, understood
from tui.config.settings_file import SettingsError, SettingsFile
from tui.config.settings_writing import NotWritable, with_profile, without_profile, write
from tui.errors import CallboardError

FILE = Path("/settings/config.toml")
WORK = Profile(
    "work", "https://example.org/x/v2", "ann", password_file=FILE.parent / "passwords" / "work"
)
URL, LOGIN, PASSWORD = '"https://example.org/x/v2"', '"ann"', 'password_file = "passwords/work"'
TABLE = """[profiles.work]
url = "https://example.org/x/v2"
login = "ann"
password_file = "passwords/work"
"""


def changed(text: str, profile: Profile = WORK, *, is_default: bool = False) -> str:
    return with_profile(SettingsFile(FILE, text), profile, is_default=is_default).text


def test_a_new_one_goes_to_the_end() -> None:
    assert changed("") == TABLE
    mine = "# mine\ndensity = 1  # small\n\n[keys]\n'task.delete' = 'X'\n"
    assert changed(mine) == f"{mine}\n{TABLE}"
    assert changed(mine.rstrip()) == f"{mine}\n{TABLE}"


def test_the_default_is_said_before_the_first_table() -> None:
    assert changed("[keys]\n", is_default=True) == f'default_profile = "work"\n[keys]\n\n{TABLE}'
    text = "density = 1\ndefault_profile = 'embedded'  # for now\n"
    assert (
        changed(text, is_default=True)
        == f'density = 1\ndefault_profile = "work"  # for now\n\n{TABLE}'
    )


def test_one_that_is_replaced_keeps_what_is_beside() -> None:
    text = """# mine
[profiles.other]
url = "https://example.org/o/v2"   # the other
login = "bob"

[ profiles . "work" ]  # at work
# asks the manager
password_command = "pass show work"
url = "https://old.example.org/v2"
login = "me"
timezone = "+06:00"  # Dhaka

[keys]
x = "y"
"""
    profile = WORK._replace(timezone="+06:00", keyring=True, password_file=None)
    assert (
        changed(text, profile)
        == """# mine
[profiles.other]
url = "https://example.org/o/v2"   # the other
login = "bob"

[ profiles . "work" ]  # at work
# asks the manager
url = "https://example.org/x/v2"
login = "ann"
timezone = "+06:00"  # Dhaka
keyring = true

[keys]
x = "y"
"""
    )


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        (
            "# 1\nprofiles.work.url = 'https://a/v2'\nprofiles.work.login = 'a' # 2",
            (
                f"# 1\nprofiles.work.url = {URL}\nprofiles.work.{PASSWORD}\n"
                f"profiles.work.login = {LOGIN} # 2"
            ),
        ),
        (
            "[profiles]\nwork = {url = 'https://a/v2', login = 'a'} # 1",
            f"[profiles]\nwork = {{url = {URL}, login = {LOGIN}, {PASSWORD}}} # 1",
        ),
        (
            "[profiles.work] # 1\nlogin = '''\n[x'''\nurl = 'https://a/v2'\n",
            f"[profiles.work] # 1\nlogin = {LOGIN}\nurl = {URL}\n{PASSWORD}\n",
        ),
    ],
)
def test_one_in_an_unusual_form_is_replaced_where_it_is(text: str, replaced: str) -> None:
    assert changed(text) == replaced


def test_one_in_braces_is_taken_out() -> None:
    text = "# 1\n[profiles]\nwork = {url = 'https://a/v2', login = 'a'}\n# 2\n[keys]\n"
    without = without_profile(SettingsFile(FILE, f"default_profile = 'work'\n{text}"), "work").text
    assert without == 'default_profile = "embedded"\n# 1\n[profiles]\n# 2\n[keys]\n'


def test_what_cannot_be_changed_safely_is_left_to_the_person() -> None:
    with pytest.raises(NotWritable) as problem:
        changed(f"[profiles.work]\nurl = {URL}\nlogin = 'a'\npassword_command = [ # mine\n'x']")
    assert "[profiles.work]" in problem.value.hint


def test_a_command_over_several_lines_is_taken_out() -> None:
    text = "[profiles.work]\nurl = 'https://a/v2'\nlogin = 'a'\npassword_command = [\n'x',\n]"
    assert changed(text) == TABLE


def test_settings_that_are_wrong_are_told_before_anything_is_done() -> None:
    with pytest.raises(SettingsError, match="line 1"):
        changed("densty = 1")


_SETTINGS = st.lists(
    st.sampled_from(
        [
            "density = 1",
            "# [profiles.work]",
            "theme = 'x' # default_profile = 'work'",
            "[keys]",
            "'a.b' = 'x'",
            "[profiles.b]",
            "url='https://b/v2'",
            "login='b'",
            "default_profile='b'",
            "",
        ]
    ),
    max_size=8,
)


@example([], "0\x85", False)
@given(_SETTINGS, st.text(max_size=12), st.booleans())
def test_any_good_file_is_good_after_and_says_what_was_meant(
    lines: list[str], login: str, is_default: bool
) -> None:
    file = SettingsFile(FILE, "\n".join(lines))
    try:
        before = understood(file)
    except CallboardError:
        before = Settings()
        file = SettingsFile(FILE, "")
    profile = WORK._replace(login=login)
    try:
        after = with_profile(file, profile, is_default=is_default)
    except NotWritable:
        assert ":" in login or not login.strip() or any(not sign.isprintable() for sign in login)
        return
    said = understood(after)
    assert said.profile("work") == profile
    assert said._replace(profiles=before.profiles, default_profile=before.default_profile) == before
    assert all(
        line in after.text.splitlines()
        for line in file.text.splitlines()
        if line and line[:7] != "default"
    )
    gone = without_profile(after, "work")
    left = before.default_profile if said.default_profile != "work" else EMBEDDED
    assert understood(gone) == before._replace(default_profile=left)
    kept = {*gone.text.splitlines(), "default_profile='b'", ""}
    assert set(file.text.splitlines()) <= kept


_TABLE_LINES = st.lists(
    st.sampled_from(
        [
            "# asks the manager",
            "  # url = 'https://old.example.org/v2'",
            "keyring = true  # of the system",
            "timezone='+06:00'",
            "password_command = ['pass', 'show']",
            "password_command = [\n  'pass', # mine\n]",
            "password_command = [\n  'pass',\n]",
            "password_command = \"pass '#' show\"",
            'path_word = "a" # path_word',
            "\"card_url\" = 'https://example.org/{id}'",
            "ca_file = '''x'''",
            "",
        ]
    ),
    max_size=6,
)


@given(_TABLE_LINES)
def test_any_profile_is_replaced_or_left_and_its_comments_stay(lines: list[str]) -> None:
    table = ["[profiles.work]", "login = 'w' # me", *lines, 'url = "https://w/v2"']
    following = ["[profiles.other]", "url = 'https://o/v2'", "login = 'o' # other"]
    file = SettingsFile(FILE, "\n".join([*table, *following]))
    try:
        before = understood(file)
        after = with_profile(file, WORK, is_default=False)
        gone = without_profile(after, "work")
    except (NotWritable, SettingsError):
        return
    assert understood(after) == before._replace(profiles={**before.profiles, "work": WORK})
    assert list(understood(gone).profiles) == ["other"]
    comments = [line for line in file.text.splitlines() if line.lstrip().startswith("#")]
    for text in (after.text, gone.text):
        written = text.splitlines()
        assert [line for line in written if line.lstrip().startswith("#")] == comments
        assert written[-3:] == following
    assert 'login = "ann" # me' in after.text.splitlines()


def test_a_link_stays_a_link_and_rights_stay(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "callboard.toml"
    real.parent.mkdir()
    real.write_text("density = 1\n")
    real.chmod(0o644)
    link = tmp_path / "config" / "config.toml"
    link.parent.mkdir()
    link.symlink_to(real)
    write(SettingsFile(link, "density = 2\n"))
    assert link.is_symlink()
    assert real.read_text() == "density = 2\n"
    assert real.stat().st_mode & 0o777 == 0o644
    assert [each.name for each in real.parent.iterdir()] == ["callboard.toml"]


def test_a_file_that_cannot_be_written_is_told_and_no_other_is_left(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.mkdir()
    with pytest.raises(NotWritable, match="cannot be written: is a directory"):
        write(SettingsFile(path, "density = 2\n"))
    assert list(tmp_path.iterdir()) == [path]


def test_names_of_profiles_are_names_of_folders() -> None:
    assert all(is_profile_name(name) for name in ("work", "a.b-c_d", "ann@host", "grün"))
    assert not any(
        is_profile_name(name) for name in ("", ".", "..", "a/b", ".a", "embedded", "a b")
    )
