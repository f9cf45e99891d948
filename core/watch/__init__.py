"""Somebody else's program, watched while it loads a model: started or joined, seen, ended."""
