"""The side panel: what is in the model and in this machine."""
