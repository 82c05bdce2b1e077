"""The client at deployed services, which differ from the specification."""
