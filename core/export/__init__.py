"""What to do about it: the files that a result is written to."""
