"""What a person thinks in: boards, stages, tasks, and pure functions on them."""
