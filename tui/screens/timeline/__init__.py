"""The parts of a timeline and its agenda: how they are drawn, and the list that shows them."""
