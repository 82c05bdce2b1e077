"""Many agents at once on one board: each card is claimed once, or how often it is not."""
