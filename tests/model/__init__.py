"""Tests of the model: boards, tasks and people as values, without a store."""
