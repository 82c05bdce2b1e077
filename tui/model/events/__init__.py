"""What happened on a board: as its activity tells it, and as others changed it meanwhile."""
