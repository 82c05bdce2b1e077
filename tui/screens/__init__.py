"""The screens: they hold what the user sees and submit changes to the store."""
