"""Loads compared: schedule, statistics and verdict."""
