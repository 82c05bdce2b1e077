"""Commands on boards, for scripts: they open a profile, read or change, print, and end."""
