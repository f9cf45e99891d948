"""Baselines: other libraries, called as their users call them, to compare with."""
