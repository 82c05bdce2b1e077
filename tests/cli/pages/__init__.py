"""Static pages: what a browser would find in them."""
