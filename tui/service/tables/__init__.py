"""Tables that several handlers use."""
