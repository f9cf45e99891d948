"""Find best: its dialog, ranking and verdict."""
