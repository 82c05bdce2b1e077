"""Actions on the tasks that are chosen on a screen."""
