"""Every action by name."""
