"""Plots: each draws the records it is given and knows no other plot."""
