"""The Find best tab, its dialog, and its place in the slot."""
