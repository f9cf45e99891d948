"""Per-block timings."""
