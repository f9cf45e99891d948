"""Many loads, judged: schedule, statistics and verdict."""
