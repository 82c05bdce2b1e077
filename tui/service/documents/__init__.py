"""Records as replies show them."""
