"""Pictures of the program: what draws them, what is on them, and who looks at them."""
