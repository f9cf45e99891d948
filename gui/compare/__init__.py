"""A against B: cards, runs, the verdict."""
