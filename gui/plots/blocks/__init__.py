"""Block times."""
