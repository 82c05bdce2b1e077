"""Boards, stages, tasks and comments as frozen values, and pure functions on them."""
