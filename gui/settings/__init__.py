"""What is remembered between starts, and what of it the user sets."""
