"""Find best: many ways to load one model, raced until the best is known."""
