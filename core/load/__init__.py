"""How a model is loaded: configuration, plan and readers."""
