"""Comments as rows and words."""
