"""What held a load back, and what to compare first."""
