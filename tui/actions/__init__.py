"""Actions that keys run, one class each; screens list the actions they offer."""
