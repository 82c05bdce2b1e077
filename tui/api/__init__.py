"""The client of the service: endpoints, records, session, errors."""
