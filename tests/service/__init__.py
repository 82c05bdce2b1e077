"""Tests of the service: each endpoint, asked in this process."""
