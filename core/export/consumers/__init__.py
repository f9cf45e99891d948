"""Programs that load models and settings of the system below them, one module for each."""
