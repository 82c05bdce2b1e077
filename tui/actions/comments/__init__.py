"""Actions on comments, and the editing of comments."""
