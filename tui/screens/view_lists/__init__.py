"""Lists of the cards of a saved view, on all its boards."""
