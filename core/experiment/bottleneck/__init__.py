"""What held a load back, by rules in order."""
