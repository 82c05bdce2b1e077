"""Profiles are read as written, or refused with what is wrong and where."""

from pathlib import Path

import pytest

from tui.config.profiles import EMBEDDED, Profile, UnknownProfile
from tui.config.settings import load_settings
from tui.config.settings_file import BadSetting, SettingsError, UnknownSetting

WORK = '[profiles.work]\nurl = "https://example.org/x/v2"\nlogin = "ann"\n'


def written(folder: Path, text: str) -> Path:
    file = folder / "config.toml"
    file.write_text(text, "utf-8")
    return file


def test_everything_that_can_be_said_of_a_service_is_taken(tmp_path: Path) -> None:
    text = f"""default_profile = "work"
    {WORK}
    password_command = ["pass", "show", "work"]
    password_file = "passwords/work"
    keyring = true
    path_word = "board"
    timezone = "+06:00"
    ca_file = "/etc/ours.pem"
    allow_plaintext = true
    card_url = "https://example.org/#/{{board}}/{{id}}"
    """
    settings = load_settings(written(tmp_path, text))
    assert settings.profile() == Profile(
        name="work",
        url="https://example.org/x/v2",
        login="ann",
        password_command=("pass", "show", "work"),
        password_file=tmp_path / "passwords" / "work",
        keyring=True,
        path_word="board",
        timezone="+06:00",
        ca_file=Path("/etc/ours.pem"),
        allow_plaintext=True,
        card_url="https://example.org/#/{board}/{id}",
    )
    assert settings.profile(EMBEDDED).is_embedded


def test_without_profiles_the_embedded_service_opens(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "none").profile() == Profile(EMBEDDED)


def test_a_profile_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownProfile) as problem:
        load_settings(written(tmp_path, WORK)).profile("wrok\x1b[2J")
    assert problem.value.message == "there is no profile “wrok”."
    assert problem.value.hint == "Did you mean “work”?"


def test_a_default_that_is_not_there_is_told_with_its_line(tmp_path: Path) -> None:
    file = written(tmp_path, f'density = 1\ndefault_profile = "wrk"\n{WORK}')
    with pytest.raises(UnknownProfile) as problem:
        load_settings(file)
    assert f"“wrk”, which {file}, line 2 names" in problem.value.message


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        (f"{WORK}urll = 'x'", UnknownSetting, "“urll” in {file}, line 4 is not a setting"),
        (f"[profiles.a]\nlogin='x'\nurl='https://a/v2'\n{WORK}[keys]\nurl='x'\n[profiles.work.x]",
         UnknownSetting, "“x” in {file}, line 9"),
        (f"{WORK}keyring = 'yes'", BadSetting, "line 4 must be true or false"),
        (f"{WORK}password_command = []", BadSetting, "line 4 must be a command"),
        (f"{WORK}password_command = ['a', 1]", BadSetting, "line 4 must be a command"),
        (f"{WORK}timezone = 'Mars/Base'", BadSetting, "line 4 must be a time zone"),
        (f"{WORK}path_word = 'a/b'", BadSetting, "line 4 must be one word"),
        (f"{WORK}card_url = 'https://a/7'", BadSetting, "line 4 must be the web address of a card"),
        (f"{WORK}card_url = 'file:{{id}}'", BadSetting, "line 4 must be the web address of a card"),
        (f"{WORK}password_file = '~no-such-user/x'", BadSetting,
         "“password_file” in {file}, line 4 must be a path that leads somewhere"),
        ("profiles = 3", BadSetting, "line 1 must be tables of their own"),
        ("[profiles]\nwork = 3", BadSetting, "line 2 must be a table of its own"),
        ("[profiles.work]\nlogin = 'a:b'\nurl = 'https://a/v2'", BadSetting, "line 2 must be a l"),
        ("[profiles.work]\nlogin = 'a'\nurl = 'ftp://a'", BadSetting, "line 3 must be an address"),
        ("[profiles.work]\nlogin = 'a'\nurl = 'https://[a'", BadSetting, "line 3 must be an"),
        ("[profiles.work]\nlogin = 'a'", SettingsError, "“work” in {file} has no url"),
        ("[profiles.work]\nurl = 'https://a/v2'", SettingsError, "has no login"),
        ("[profiles.embedded]\nurl = 'https://a/v2'", SettingsError, "line 2 cannot be the name"),
        ("[profiles.'../x']\nurl = 'https://a/v2'", SettingsError, "line 2 cannot be the name"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(
    tmp_path: Path, text: str, kind: type[SettingsError], words: str
) -> None:
    file = written(tmp_path, text)
    with pytest.raises(kind) as problem:
        load_settings(file)
    assert words.replace("{file}", str(file)) in problem.value.message
    assert problem.value.hint


@pytest.mark.parametrize("name", ["password", "api_password", "secret", "token"])
def test_a_password_in_the_file_is_refused_and_not_repeated(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError) as problem:
        load_settings(written(tmp_path, f"{WORK}{name} = 'xyzzy plugh'"))
    assert "line 4: passwords must not be in this file" in problem.value.message
    assert "callboard login work --force" in problem.value.hint
    assert "xyzzy" not in f"{problem.value.message}{problem.value.hint}"


def test_a_password_in_the_address_is_refused_and_not_repeated(tmp_path: Path) -> None:
    text = "[profiles.work]\nlogin = 'a'\nurl = 'https://a:xyzzy@example.org/v2'"
    with pytest.raises(BadSetting) as problem:
        load_settings(written(tmp_path, text))
    assert "without login and password" in problem.value.message
    assert "xyzzy" not in problem.value.message
