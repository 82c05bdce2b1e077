"""What a run of tests happens in: compiled modules, shared styles, watched connections."""
