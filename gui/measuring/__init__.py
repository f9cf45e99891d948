"""Runs and comparisons: starting, following and stopping them."""
