"""Programs that load models, as their users start them: where they are, and their load settings."""
