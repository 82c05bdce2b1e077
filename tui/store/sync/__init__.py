"""Sending changes to the service and asking it for news."""
