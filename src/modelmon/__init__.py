"""modelmon: measure how fast model files load, say why, and load them faster."""

__version__ = "0.1.0"
