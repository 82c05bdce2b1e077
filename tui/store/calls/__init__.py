"""What screens call on the store, by subject."""
