"""The window: shows what the engine measures and starts its work, nothing else."""
