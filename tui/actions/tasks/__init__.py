"""Actions on the selected tasks of a screen."""
