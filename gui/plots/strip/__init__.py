"""Every run a mark: where the times of some runs lie, and their median."""
