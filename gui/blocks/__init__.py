"""Plots over blocks and bytes of the model."""
