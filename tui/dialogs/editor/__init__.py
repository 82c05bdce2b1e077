"""Full-screen editors of texts and comments."""
