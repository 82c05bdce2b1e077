"""Actions on the stage at the cursor of a board."""
