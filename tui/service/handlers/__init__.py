"""What answers the endpoints, one module for each group of them."""
