"""Finding anything anywhere: what there is to find, and its order."""
