"""Actions on the chosen cards of a screen."""
