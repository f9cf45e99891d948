"""Find best, from the question to the recommendation."""
