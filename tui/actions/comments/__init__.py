"""Actions on comments, and how they are written."""
