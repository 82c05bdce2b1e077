"""Commands about services, settings, shells and the help."""

from importlib import import_module
from types import ModuleType

from tui.cli.arguments import add_argument, matching
from tui.cli.commands.parts import JSON, Commands, path

_PATH_WORD = matching(lambda text: _profiles().is_path_word(text), "one word")
_TIMEZONE = matching(
    lambda text: _profiles().is_timezone(text), "a zone such as Europe/Berlin, or +06:00"
)


def add(commands: Commands) -> None:
    """Add these commands."""
    _add_services(commands)
    _add_texts(commands)


def _add_services(commands: Commands) -> None:
    login = commands.add("login", "services:log_in").about("""
        Add a service: asks for the address of its site, your login name and the password there,
        finds the boards, tries everything out at once and keeps it. Without a terminal, give --url
        and --login, and the password as the first line of standard input or in CALLBOARD_PASSWORD.
        $ callboard login
        $ callboard login work --url https://example.org --login ann
    """)
    add_argument(login, "[NAME]", "its name here")
    add_argument(login, "--url URL", "any address of its site")
    add_argument(login, "--login LOGIN", "your login name there")
    add_argument(login, "--ca-file FILE", "its private CA, as PEM", type=path)
    add_argument(
        login, "--path-word PATH_WORD", "the word the service uses in its paths", type=_PATH_WORD
    )
    add_argument(
        login, "--timezone TIMEZONE", "of its clock, such as Europe/Berlin", type=_TIMEZONE
    )
    add_argument(login, "--keyring", "keep the password in the keyring", "in_keyring")
    add_argument(login, "--default", "open it when no other is named", "is_default")
    add_argument(login, "--force", "replace the one of that name")
    settings = commands.add("settings", "scripts.settings:print_settings").about("""
        Print all settings with what they mean, as TOML: yours, and the others with their
        defaults as comments. In the program, g , shows and changes them. With views, print the
        saved views of the profile; with a file too, add the views in it.
        $ callboard settings
        $ callboard settings > my-settings.toml
        $ callboard settings views > views.toml
        $ callboard settings views views.toml
    """)
    add_argument(settings, "[{settings,views}]", "which (settings)", "what", default="settings")
    add_argument(settings, "[FILE]", "add the views in it, or - for input")
    logout = commands.add("logout", "services:log_out", ("NAME", "which")).about("""
        Forget a service: its password, cache and settings. Changes and texts that did not reach it
        are listed, and kept or discarded as you choose.
        $ callboard logout work
        $ callboard logout work --keep-changes
    """)
    unsent = logout.add_mutually_exclusive_group()
    add_argument(unsent, "--keep-changes", "keep unsent changes", "keeps_changes")
    add_argument(unsent, "--yes", "discard unsent changes", "says_yes")
    commands.add("profiles", "services:list_profiles", JSON).about("""
        $ callboard profiles
        $ callboard profiles --json
    """)
    which = "[NAME]", "which (the default)"
    commands.add("check", "services:check", which, JSON).about("""
        Test a profile: whether its service responds and accepts you, and what it offers.
        Nothing is changed there. On a terminal it offers to set the time zone of the site’s clock
        in the profile.
        $ callboard check work
        $ callboard check work --json
    """)
    doctor = commands.add("doctor", "doctor:examine", ("[NAME]", "which profile"), JSON).about("""
        Check cache, pending changes, settings, terminal and service, and report what is fine
        and what to do about the rest. Nothing is changed without --repair. The exit code is
        1 if there is a problem.
        $ callboard doctor
        $ callboard doctor work --repair
    """)
    add_argument(doctor, "--offline", "do not contact the service", "is_offline")
    repairs = (
        "offer to save what a damaged file of changes holds, to mend the cache, and to take"
        " the time zone of the profile from its site"
    )
    add_argument(doctor, "--repair", repairs, "repairs")
    add_argument(doctor, "--yes", "accept everything --repair offers", "says_yes")


def _add_texts(commands: Commands) -> None:
    hook = commands.add("hook", "here:hook").about("""
        Print a commit-msg hook, which adds the card of the branch to the message of each commit, as
        the trailer Card: #12. Write it into the hooks of a repository, and make it executable. If
        there is a commit-msg hook already, add the line callboard hook "$1" to that. Merges, and
        messages that name a card, stay as they are.
        $ callboard hook > .git/hooks/commit-msg && chmod +x .git/hooks/commit-msg
        $ callboard hook | install -m 755 /dev/stdin "$(git rev-parse --git-path hooks)/commit-msg"
    """)
    add_argument(hook, "[FILE]", "add the card to the message in it", type=path)
    completion = commands.add("completion", "completion.shells:complete")
    completion.about("""
        Print a script that completes commands, options and their values: cards, boards, stages,
        people, labels and profiles, as they were read last. For bash, put
        eval "$(callboard completion bash)" into ~/.bashrc; zsh alike; for fish, write it into
        ~/.config/fish/completions/callboard.fish.
        $ callboard completion bash
        $ callboard completion fish > ~/.config/fish/completions/callboard.fish
    """)
    add_argument(completion, "{bash,zsh,fish}", "", "shell")
    add_argument(completion, "[LINE]", "what is typed: the script asks what completes it")
    commands.add("help", "help:show", ("[TOPIC]", "which")).about("""
        Show a topic of the help, in a pager on a terminal; without a name, list the topics. The
        name of a command shows its --help.
        $ callboard help
        $ callboard help filter
    """)


def _profiles() -> ModuleType:
    return import_module("tui.config.profiles")
