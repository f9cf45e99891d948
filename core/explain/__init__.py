"""What a load should take, what held it back, and what to change or compare first."""
