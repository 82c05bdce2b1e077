"""The fields of a task as rows, values and words."""
