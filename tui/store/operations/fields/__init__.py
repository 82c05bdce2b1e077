"""The fields that an `Edit` can set: read, compare, draw, send and describe each."""
