"""Webhooks: addresses at which others make tasks."""
