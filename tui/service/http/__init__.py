"""The service for others: listening, logging, accounts' slow-down, and its description."""
