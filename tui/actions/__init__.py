"""What keys do: one class an action; screens list the actions they offer."""
