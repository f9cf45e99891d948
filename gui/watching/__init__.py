"""Watching somebody else's program: what to watch, its runs, and what is said of them."""
