"""Lists around boards: one module each, with its screen as `SCREEN`."""
