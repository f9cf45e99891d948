"""Plots of samples over one time axis."""
