"""Modal dialogs, which return the user's answer."""
