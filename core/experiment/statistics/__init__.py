"""Spreads, intervals and decisions from a few noisy durations."""
