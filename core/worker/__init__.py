"""One load, watched: a supervisor that samples and loaders that load."""
