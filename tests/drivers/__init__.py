"""What drives the program: its event loop, waiting until it rests, and a real terminal."""
