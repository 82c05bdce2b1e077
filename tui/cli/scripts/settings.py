"""`settings`: prints all settings, or the saved views, and adds views of a file."""

from tui.cli import settings
from tui.cli.output import say
from tui.cli.scripts.chosen import file_given
from tui.cli.scripts.lists import current_boards
from tui.cli.scripts.views import stored_views
from tui.config.saved_views import in_toml
from tui.errors import WrongInput
from tui.model.work.saved_view import views_in


def print_settings(profile: str, what: str, file: str) -> int:
    """Print the settings, or the saved views of a profile; with a file, add the views in it."""
    if what == "views":
        return _add_views(profile, file) if file else _print_views(profile)
    if file:
        raise WrongInput("only views are read from a file: nothing was changed.")
    return settings.print_settings()


def _add_views(profile: str, file: str) -> int:
    views = views_in(file_given(file, "the file"))
    stored_views(profile).add(views)
    say(f"added the views: {', '.join(view.name for view in views) or 'none'}")
    return 0


def _print_views(profile: str) -> int:
    stored, current = stored_views(profile).read(), current_boards(profile, lambda _: ())
    if stored.problem:
        say(f"# {stored.problem} It is left out here, and stays in the preferences.")
    titles = {} if current is None else {board.id: board.title for board in current.boards}
    for line in in_toml(stored.views, titles):
        say(line)
    return 0
