"""Sending changes to the service, and polling it for remote changes."""
