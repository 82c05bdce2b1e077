"""Commands for those who take one card after the other, people and agents alike."""
