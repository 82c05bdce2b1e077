"""The documents that the service sends, and the values of the model made from them."""
