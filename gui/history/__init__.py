"""Runs that are over: kept, listed, overlaid and replayed."""
