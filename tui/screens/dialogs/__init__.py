"""Questions put to a person in front of a screen."""
