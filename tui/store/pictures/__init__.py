"""Pictures in comments: shown, and uploaded."""
